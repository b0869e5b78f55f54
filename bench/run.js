// All benches one after the other, or those that are named; each is a program of its own, and can be run by itself.
//   npm run bench                       the built tool must be there: npm run build
//   npm run bench -- lists import       only these
//   npm run bench -- --json             a line of JSON for each row, with whether its goal is met
//   NODES=/path/to/node24 npm run bench     the same again with another version of Node
// Without NODE_EXTRA_CA_CERTS: it makes bare Node slower and every ratio look better.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const all = ['startup', 'lists', 'check', 'import', 'sandbox']
const [, , ...words] = process.argv
const named = words.filter((word) => !word.startsWith('-'))
const unknown = named.find((name) => !all.includes(name))
if (unknown !== undefined) throw new Error(`There is no bench ${unknown}: ${all.join(', ')}.`)

const { NODE_EXTRA_CA_CERTS: _, NODES = '', ...env } = process.env
for (const node of [process.execPath, ...NODES.split(',').filter(Boolean)]) {
  for (const name of named.length > 0 ? named : all) {
    const file = fileURLToPath(new URL(`${name}.js`, import.meta.url))
    const flags = words.filter((word) => word.startsWith('-'))
    const { status } = spawnSync(node, [file, ...flags], { env, stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
