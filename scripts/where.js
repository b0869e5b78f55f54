/**
 * Finds the position in the sources for one in the built tool: `npm run where main.cjs:3:9120`. Build the
 * version that printed the position first.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

const [, file, line, column] = /^(?:.*[/\\])?([\w.-]+\.cjs):(\d+):(\d+)$/.exec(process.argv[2] ?? '') ?? []
const names = existsSync(dist) ? readdirSync(dist, { recursive: true }) : []
const map = names.find((name) => basename(name) === `${file}.map`)

if (map === undefined) {
  process.stderr.write(
    'Usage: npm run where <file>.cjs:<line>:<column>, of a file in dist that has a source map (made by npm run build).\n',
  )
  process.exitCode = 2
} else {
  const entry = new SourceMap(JSON.parse(readFileSync(join(dist, map), 'utf8'))).findEntry(
    line - 1,
    column - 1,
  )
  const source = resolve(join(dist, map), '..', entry.originalSource)
  process.stdout.write(`${relative(root, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}\n`)
}
