import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { exitCodes } from '../../src/errors.ts'
import { newReader, typedIn } from './readme-lines.ts'

const page = readFileSync(join(fileURLToPath(new URL('../..', import.meta.url)), 'AGENTS.md'), 'utf8')

test('a program that keeps to AGENTS.md can run each of its lines, in order, and reads JSON', async () => {
  const reader = await newReader()
  const lines = typedIn(page)
  expect(lines.length).toBeGreaterThan(12)
  for (const { line } of lines) {
    if (reader.exports(line)) continue
    const { code, out, err } = await reader.types(line)
    expect.soft(code, `${line}\n${err}`).toBe(0)
    expect.soft(() => JSON.parse(out), line).not.toThrow()
  }
})

test('AGENTS.md has ten rules, and says of every exit code of failures what to do', () => {
  expect(page.match(/^\d+\. \*\*/gm)).toHaveLength(10)
  const [rule = ''] = /^4\. [\s\S]*?(?=^5\. )/m.exec(page) ?? []
  for (const code of Object.values(exitCodes).filter((each) => each !== exitCodes.bug))
    expect(rule).toMatch(new RegExp(`\\b${code}:`))
})
