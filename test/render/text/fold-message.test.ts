import { expect, test } from 'vitest'
import { foldMessage } from '../../../src/render/text/fold-message.ts'

test.each([
  ['a short line', 20, ['a short line']],
  ['a line that is broken between words', 20, ['a line that is', 'broken between words']],
  ['  each line is indented', 12, ['  each line', '  is', '  indented']],
  ['alongwordthatdoesnotfit here', 10, ['alongwordthatdoesnotfit', 'here']],
  [
    'Nothing was sent. To continue: payroll drafts resume 1',
    34,
    ['Nothing was sent. To continue:', 'payroll drafts resume 1'],
  ],
  ['Sent. Look: payroll list a b c d e f g h', 24, ['Sent. Look:', 'payroll list a b c d e f g h']],
  ['payroll candidates list --json --query "a b"', 12, ['payroll candidates list --json --query "a b"']],
  ['payroll itself failed, and says why', 20, ['payroll itself', 'failed, and says why']],
])('folds %j at %i columns, and no command in it', (text, columns, lines) => {
  expect(foldMessage(text, columns)).toBe(lines.join('\n'))
})

test('leaves a message as it is where no terminal shows it', () => {
  expect(foldMessage('a line that is broken between words', undefined)).toBe(
    'a line that is broken between words',
  )
})
