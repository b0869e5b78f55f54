import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Verb, VerbGroup } from '../../src/commands/cli/verb.ts'
import { entries } from '../../src/program.ts'
import { drawModules, readArrows } from './modules.ts'

const page = '../../docs/architecture.md'
const marks = /(<!-- modules: .* -->\n)[\s\S]*?(\n<!-- end of modules -->)/

test('docs/architecture.md draws the modules as the imports have them: `npm run graph` draws them anew', async () => {
  const text = readFileSync(new URL(page, import.meta.url), 'utf8')
  expect(text).toMatch(marks)
  const drawn = text.replace(marks, (_, begin, end) => `${begin}\n${drawModules(readArrows())}\n${end}`)
  await expect(drawn).toMatchFileSnapshot(page)
})

const commands = new URL('../../src/commands/', import.meta.url)
const textIn = (file: string) => {
  const url = new URL(file, commands)
  return existsSync(url) ? readFileSync(url, 'utf8') : ''
}

/** Whether a command is declared where its words say: `auth token` in auth/auth.ts, `routes check` in routes/check.ts. */
function isInItsPlace(noun: string, words: readonly string[]): boolean {
  const [first = noun] = words
  const last = words.at(-1) ?? noun
  const own = [`${noun}.ts`, `${noun}/${noun}.ts`, `${noun}/${last}.ts`].map(textIn)
  if (own.some((text) => text.includes(`name: '${last}'`))) return true
  const kit = [`${last}.ts`, `${last}/${last}.ts`, `${first}.ts`, `${first}/${last}.ts`]
  return kit.some((file) => textIn(`kit/${file}`) !== '')
}

const wordsOf = (verbs: readonly (Verb | VerbGroup)[] = []): string[][] =>
  verbs.flatMap((verb) => {
    const inside = wordsOf(verb.verbs).map((words) => [verb.name, ...words])
    return 'run' in verb ? [[verb.name], ...inside] : inside
  })

test('the words of a command are the path of its file, or the noun declares it', async () => {
  for (const { name, load } of entries) {
    const loaded = await load()
    const all = 'run' in loaded ? [[], ...wordsOf(loaded.verbs)] : wordsOf(loaded.verbs)
    for (const words of all)
      expect([name, ...words, isInItsPlace(name, words)]).toEqual([name, ...words, true])
  }
})
