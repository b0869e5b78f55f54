import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
)

describe('the pages', () => {
  test.each(pages)('%s names files and folders that are there', (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|bin|bench|docs|scripts|examples)\/[\w./-]+)`/g)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(new URL(path, root)))
    expect(missing).toEqual([])
  })

  test('name scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const used = pages
      .flatMap((page) => [...read(page).matchAll(/npm run ([\w:]+)/g)])
      .map(([, name = '']) => name)
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !(name in scripts))).toEqual([])
  })
})

/** The anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('%s leads to pages and headings that are there', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
  const missing = links.filter(([, path = '', anchor]) => {
    const target =
      path === '' ? page : new URL(path, new URL(page, root)).pathname.slice(root.pathname.length)
    if (!existsSync(new URL(target, root))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

const recipes = read('docs/recipes.md')

/** `name` of `file`, `name` and `name` in `file`, `name`, `file`: what the pages say to be declared there. */
const named = pages.flatMap((page) =>
  [
    ...read(page).matchAll(
      /((?:`\w+`(?:,|\sand)\s)*`\w+`)(?:,| of| in| more in)\s`((?:src|test)\/[\w./-]+\.ts)`/g,
    ),
  ].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/\w+(?=`)/g)].flatMap(([name]) =>
      // `bin`, `src/main.ts`: a folder beside a file.
      existsSync(new URL(name, root)) ? [] : [[name, file] as const],
    ),
  ),
)

/** What the code of the recipe for a verb imports, in a file of a noun. */
const imported = [...recipes.matchAll(/^import \{ (.+) \} from '([^']+)'$/gm)].flatMap(
  ([, names = '', file = '']) =>
    names
      .split(', ')
      .map(
        (name) =>
          [
            name.replace('type ', ''),
            new URL(file, 'file:///src/commands/payslips/').pathname.slice(1),
          ] as const,
      ),
)

const declaration = (name: string) =>
  new RegExp(`^\\s*(export )?(const|function|async function|interface|type) ${name}\\b`, 'm')

describe('the pages, and the code in the recipes', () => {
  test('are found by this test, with what they name', () => {
    expect(named.length).toBeGreaterThanOrEqual(5)
    expect(imported).toHaveLength(4)
  })

  test.each([...named, ...imported])('name %s, which %s declares', (name, file) => {
    expect(existsSync(new URL(file, root))).toBe(true)
    expect(read(file)).toMatch(declaration(name))
  })
})
