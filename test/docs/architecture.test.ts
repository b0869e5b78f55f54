import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawModules, readArrows } from './modules.ts'

const page = '../../docs/architecture.md'
const marks = /(<!-- modules: .* -->\n)[\s\S]*?(\n<!-- end of modules -->)/

test('docs/architecture.md draws the modules as the imports have them: `npm run graph` draws them anew', async () => {
  const text = readFileSync(new URL(page, import.meta.url), 'utf8')
  expect(text).toMatch(marks)
  const drawn = text.replace(marks, (_, begin, end) => `${begin}\n${drawModules(readArrows())}\n${end}`)
  await expect(drawn).toMatchFileSnapshot(page)
})
