import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/architecture.md',
  'docs/releasing.md',
  ...readdirSync(new URL('docs/decisions', root)).map((name) => `docs/decisions/${name}`),
]

describe('the pages for contributors', () => {
  test.each(pages)('%s names files and folders that are there', (page) => {
    const text = readFileSync(new URL(page, root), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|bin|bench|docs|scripts|examples)\/[\w./-]+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(new URL(path, root)))
    expect(missing).toEqual([])
  })

  test('name scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    const used = pages.flatMap((page) =>
      [...readFileSync(new URL(page, root), 'utf8').matchAll(/npm run ([\w:]+)/g)].map(
        ([, name = '']) => name,
      ),
    )
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !(name in scripts))).toEqual([])
  })
})
