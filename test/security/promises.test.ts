import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(`${root}docs/security.md`, 'utf8')
const rows = text.split('\n').filter((line) => /^\| (?!Promise)/.test(line))

/** The titles of the tests in a file, and of the groups that they are in: all that is quoted, on one line. */
function titlesIn(file: string): string[] {
  const source = existsSync(root + file) ? readFileSync(root + file, 'utf8') : ''
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`/g)].map(([, plain, template]) =>
    (plain ?? template ?? '').replaceAll("\\'", "'"),
  )
}

/** The tests that a row names: `test/files/local/lock.test.ts "is free at once", "is held by one"`. */
function namedTests(row: string): { file: string; titles: string[] }[] {
  return [...row.matchAll(/(test\/[\w/-]+\.test\.ts)((?:,? "[^"]+")*)/g)].map(
    ([, file = '', quoted = '']) => ({
      file,
      titles: [...quoted.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    }),
  )
}

describe('the promises of docs/security.md', () => {
  test('are there', () => {
    expect(rows.length).toBeGreaterThan(20)
  })

  test.each(rows)('name tests that are there, by file and title: %s', (row) => {
    const named = namedTests(row)
    expect(named.length).toBeGreaterThan(0)
    for (const { file, titles } of named) {
      const found = titlesIn(file)
      expect([file, titles.length > 0]).toEqual([file, true])
      const missing = titles.filter((title) => !found.some((each) => each.includes(title)))
      expect([file, missing]).toEqual([file, []])
    }
  })
})
