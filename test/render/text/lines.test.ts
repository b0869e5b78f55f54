import { expect, test } from 'vitest'
import { foldMessage } from '../../../src/render/text/fold-message.ts'
import { toText } from '../../../src/render/text/format-field.ts'
import { styleFor } from '../../../src/render/text/style.ts'
import { wrapText } from '../../../src/render/text/wrap-text.ts'

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

test.each([
  ['a short line', 20, ['a short line']],
  ['a line that is broken between words', 20, ['a line that is', 'broken between words']],
  ['  each line is indented', 12, ['  each line', '  is', '  indented']],
  ['alongwordthatdoesnotfit here', 10, ['alongwordthatdoesnotfit', 'here']],
  [
    'Not sent. To continue: payroll drafts resume 1',
    26,
    ['Not sent. To continue:', 'payroll drafts resume 1'],
  ],
  ['Sent. Look: payroll list a b c d e f g h', 24, ['Sent. Look:', 'payroll list a b c d e f g h']],
  ['payroll candidates list --json --query "a b"', 12, ['payroll candidates list --json --query "a b"']],
  [
    'Look: payroll list a. To send it: payroll send bcdefgh. Or not.',
    24,
    ['Look: payroll list a', 'To send it:', 'payroll send bcdefgh', 'Or not.'],
  ],
  [
    'Set a variable, or run payroll profiles set acme --base-url https://…',
    40,
    ['Set a variable, or run', 'payroll profiles set acme --base-url https://…'],
  ],
  [
    "If only payroll uses it, close it: chmod 700 '/home/ann/my settings'. Or take another.",
    44,
    ['If only payroll uses it, close it:', "chmod 700 '/home/ann/my settings'", 'Or take another.'],
  ],
  [
    'Unknown option. See payroll candidates import --help.',
    36,
    ['Unknown option. See', 'payroll candidates import --help'],
  ],
  [
    'Check your routes (payroll routes list), then tell us.',
    30,
    ['Check your routes', '(payroll routes list), then', 'tell us.'],
  ],
  [
    'No connection to https://payroll.example.com/v2: no answer',
    34,
    ['No connection to', 'https://payroll.example.com/v2: no', 'answer'],
  ],
  ['payroll itself failed, and says why', 20, ['payroll itself', 'failed, and says why']],
])('folds %j at %i columns, and no command in it', (text, columns, lines) => {
  expect(foldMessage(text, columns)).toBe(lines.join('\n'))
})

test('leaves a message as it is where no terminal shows it', () => {
  const line = 'a line that is broken between words'
  expect(foldMessage(line, undefined)).toBe(line)
})

test.each([
  [null, ''],
  [undefined, ''],
  ['', ''],
  [true, 'yes'],
  [false, 'no'],
  [0, '0'],
  [41600.5, '41600.5'],
  ['4000.00', '4000.00'],
  [[], ''],
  [['Flat 2', '1 Example Street'], 'Flat 2, 1 Example Street'],
  [[1, true, null], '1, yes, '],
  [{ id: 'x', n: 1 }, '{"id":"x","n":1}'],
  [[{ rate: '21.50' }], '[{"rate":"21.50"}]'],
])('the cell of %j is read as %j', (value, text) => {
  expect(toText(value)).toBe(text)
})

const names = ['heading', 'bold', 'dim', 'accent', 'good', 'bad', 'caution'] as const

test('a style without colour changes nothing', () => {
  for (const name of names) expect(styleFor(false)[name]('text')).toBe('text')
})

const colours = [' 36m', ' 32m', ' 31m', ' 33m']

test('with colour says so itself, whatever standard output is', () => {
  const codes = names.map((name) => styleFor(true)[name]('text').split('text')[0])
  expect(codes.map((code) => code?.replaceAll('\u001B[', ' '))).toEqual([' 1m 4m', ' 1m', ' 2m', ...colours])
})
