import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({
    name,
    lines: readFileSync(join(root, 'src', name), 'utf8')
      .trimEnd()
      .split('\n'),
  }))

const quantile = (share: number) =>
  sources.map(({ lines }) => lines.length).sort((a, b) => a - b)[Math.floor(sources.length * share)]

/** Where `process`, the clock or the global fetch are named: they are handed to everybody else. */
const named = (pattern: RegExp) =>
  sources
    .filter(({ lines }) => lines.some((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line)))
    .map(({ name }) => name)

describe('the house', () => {
  test('has no room longer than 250 lines', () => {
    expect(sources.filter(({ lines }) => lines.length > 250).map(({ name }) => name)).toEqual([])
  })

  test('has rooms of which half are under 90 lines and nine tenths under 170', () => {
    expect(quantile(0.5)).toBeLessThan(90)
    expect(quantile(0.9)).toBeLessThan(170)
  })

  test('has no drawer of odds and ends', () => {
    const drawers = sources.filter(({ name }) =>
      /(^|\/)(utils?|helpers?|common|lib|core|misc|shared)(\/|\.)/.test(name),
    )
    expect(drawers).toEqual([])
  })

  test('never ends the process by force: piped output would be cut', () => {
    expect(named(/process\.exit\(/)).toEqual([])
  })

  test('reads the clock and the global fetch only where they are handed in', () => {
    expect(named(/\bDate\.now\b|\bglobalThis\.fetch\b|[^.\w]fetch\(/)).toEqual([])
  })

  test('names the process only where the owner of a file and the signals of a lock are asked for', () => {
    expect(named(/\bprocess\.(env|argv|std|on|kill|cwd)|from 'node:process'/)).toEqual([
      'files/leftovers.ts',
      'files/private-directory.ts',
      'profile/settings-file.ts',
    ])
  })

  test('exports by name', () => {
    expect(named(/^export default/)).toEqual([])
  })
})
