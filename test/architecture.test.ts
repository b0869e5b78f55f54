import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({
    name,
    lines: readFileSync(join(root, 'src', name), 'utf8')
      .trimEnd()
      .split('\n'),
  }))

/** Where `process`, the clock or the global fetch are named: they are handed to everybody else. */
const named = (pattern: RegExp) =>
  sources
    .filter(({ lines }) => lines.some((line) => pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line)))
    .map(({ name }) => name)

describe('the sources', () => {
  test('hold no folder or file of odds and ends', () => {
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

  test('names the process only where the owner of a file, the signals of a lock, a keyring and what was compiled are asked for', () => {
    expect(named(/\bprocess\.(env|argv|std|on|kill|cwd)|from 'node:process'/).sort()).toEqual([
      'credentials/change-settings.ts',
      'credentials/keyring-program.ts',
      'credentials/keyring.ts',
      'files/local/compile-cache.ts',
      'files/local/private-directory.ts',
    ])
  })

  test('exports by name', () => {
    expect(named(/^export default/)).toEqual([])
  })

  test('names no registry: where packages come from is the setting of each machine', () => {
    const made = ['node_modules', 'dist', 'packages', '.git', 'coverage']
    const files = readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => !made.includes(name))
      .flatMap((entry) => (entry.isDirectory() ? filesUnder(entry.name) : entry.isFile() ? [entry.name] : []))
    const naming = files.filter((name) =>
      /registry\.(npmjs|yarnpkg)|npm\.pkg\.github/.test(readFileSync(join(root, name), 'utf8')),
    )
    expect(files.length).toBeGreaterThan(sources.length)
    expect(naming).toEqual([])
  })
})

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}
