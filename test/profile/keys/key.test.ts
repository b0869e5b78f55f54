import { expect, test } from 'vitest'
import { checkKey } from '../../../src/credentials/key.ts'
import { Failure } from '../../../src/errors.ts'
import { maskAs } from '../../../src/secrets.ts'

const secret = 'CANARYkey0000'

test.each([
  ['as it is', secret, secret],
  ['without the line break that a file ends with', `${secret}\n`, secret],
  ['without the line break that a Windows file ends with', `${secret}\r\n`, secret],
  [
    'with every printable character',
    '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ],
  [
    'without the byte-order mark that Windows PowerShell puts before what it pipes',
    `\uFEFF${secret}\r\n`,
    secret,
  ],
  ['at its greatest length', 'k'.repeat(4096), 'k'.repeat(4096)],
])('takes a key %s', (_, text, key) => {
  expect(checkKey(text)).toBe(key)
})

test.each([
  ['nothing', '', 'is empty'],
  ['a line break alone', '\n', 'is empty'],
  ['a line break inside', `${secret}\r\nX: y`, 'contains a line break'],
  ['two line breaks at the end', `${secret}\n\n`, 'contains a line break'],
  ['a blank before it', ` ${secret}`, 'contains a space or a tab'],
  ['a blank after it', `${secret} `, 'contains a space or a tab'],
  ['a blank inside', `Bearer ${secret}`, 'contains a space or a tab'],
  ['a tab', `${secret}\t`, 'contains a space or a tab'],
  [
    'UTF-16 in it',
    Buffer.from(`\uFEFF${secret}\r\n`, 'utf16le').toString(),
    'is UTF-16 text, as > of PowerShell 5.1',
  ],
  ['a NUL', `${secret}\0`, 'contains a character'],
  ['a DEL', `${secret}\x7f`, 'contains a character'],
  ['an accent', `${secret}é`, 'contains a character'],
  ['a blank of no width', `${secret}\u200b`, 'contains a character'],
  ['one character too many', secret.padEnd(4097, 'k'), 'is longer than 4096'],
])('refuses a key with %s without showing it', (_, text, fault) => {
  const failure = failureOf(() => checkKey(text, 'PAYROLL_API_KEY'))
  expect(failure.message).toContain(`PAYROLL_API_KEY ${fault}`)
  expect(failure.code).toBe('usage')
  expect(failure.message + JSON.stringify(failure.details)).not.toMatch(/CANARY|0000|kkkk|Bearer/)
})

test('shows the last four characters of a long key', () => {
  expect(maskAs('key', 'kkkkkkkkabcd')).toBe('****abcd')
})

test('shows nothing of a short key', () => {
  expect(maskAs('key', 'kkkkkkkabcd')).toBe('****')
})

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('It did not fail.')
}
