import { expect, test } from 'vitest'
import { wrapText } from '../../src/render/text/wrap-text.ts'

test.each([
  ['a short line', 20, '', 'a short line'],
  ['exactly ten', 11, '', 'exactly ten'],
  ['one word more', 8, '', 'one word\nmore'],
  ['each line indented', 9, '  ', '  each\n  line\n  indented'],
  ['alongwordthatdoesnotfit here', 10, '', 'alongwordthatdoesnotfit\nhere'],
  ['', 10, '', ''],
  ['山田 太郎 さん', 9, '', '山田 太郎\nさん'],
  ['山田 太郎', 8, '', '山田\n太郎'],
  ['👩‍👩‍👧 Ní', 5, '', '👩‍👩‍👧 Ní'],
  ['Ní Bhriain', 2, '', 'Ní\nBhriain'],
])('wraps %j at %i columns', (text, columns, indent, expected) => {
  expect(wrapText(text, columns, indent)).toBe(expected)
})
