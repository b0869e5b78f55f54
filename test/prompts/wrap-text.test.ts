import { expect, test } from 'vitest'
import { fold } from '../../src/prompts/terminal/wrap-text.ts'

test.each([
  ['a short line', 20, '', 'a short line'],
  ['exactly ten', 11, '', 'exactly ten'],
  ['one word more', 8, '', 'one word\nmore'],
  ['each line indented', 9, '  ', '  each\n  line\n  indented'],
  ['alongwordthatdoesnotfit here', 10, '', 'alongwordthatdoesnotfit\nhere'],
  ['', 10, '', ''],
])('folds %j at %i', (text, columns, indent, expected) => {
  expect(fold(text, columns, indent)).toBe(expected)
})
