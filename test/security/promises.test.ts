import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const text = readFileSync(`${root}docs/security.md`, 'utf8')

describe('the promises of docs/security.md', () => {
  test('name in each row a test that is there', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!Promise)/.test(line))
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const named = row.match(/test\/[\w/-]+\.test\.ts/g) ?? []
      expect([row, named.length > 0, named.every((file) => existsSync(root + file))]).toEqual([
        row,
        true,
        true,
      ])
    }
  })
})
