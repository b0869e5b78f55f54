// @module-tag process

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** What a harness of bench says in its last line, of all rows, and its exit code. */
function run(name: string, words: string): Promise<{ code: number | null; sum: any }> {
  const harness = fileURLToPath(new URL(`../../bench/${name}.js`, import.meta.url))
  const child = spawn(process.execPath, [harness, ...words.split(' ')])
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  return new Promise((resolve, reject) =>
    child.on('close', (code) => {
      const sum = out.trim().split('\n').at(-1) ?? ''
      if (sum.startsWith('{')) resolve({ code, sum: JSON.parse(sum) })
      else reject(new Error(`${name} ended with ${code} before it was done: ${out}`))
    }),
  )
}

/** What the kills and the lost answers are drawn from; another one is asked for with the variable SEED. */
const seed = process.env.SEED ?? '42'

// They wait most of the time, so they run beside each other.
test.concurrent(`killed at random, with 11 % of the answers lost or wrong, it loses nobody and doubles nobody (seed ${seed})`, async () => {
  const words = `--runs 1 --rows 30 --kills 2 --settle 1 --seed ${seed}`
  const { code, sum } = await run('import-harness', words)
  expect(sum).toMatchObject({ rows: 30, kills: 2, duplicates: 0, lost: 0, lies: 0, unfinished: 0 })
  expect(code).toBe(0)
}, 300_000)

test.concurrent(`import --update killed at random, with 10 % of the answers lost, changes each person once (seed ${seed})`, async () => {
  const { code, sum } = await run('update-harness', `--rows 15 --kills 2 --lost 10 --seed ${seed}`)
  expect(sum).toMatchObject({ rows: 15, counted: 15, kills: 2, wrong: 0, unresolved: 0 })
  expect(code).toBe(0)
}, 120_000)
