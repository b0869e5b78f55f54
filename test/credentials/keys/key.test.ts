import { expect, test } from 'vitest'
import { checkKey } from '../../../src/credentials/key.ts'
import { Failure } from '../../../src/errors.ts'
import { maskAs } from '../../../src/secrets.ts'

const secret = 'CANARYkey0000'
const utf16 = Buffer.from(`\uFEFF${secret}\r\n`, 'utf16le').toString()
const printable = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

test.each([
  ['as it is', secret, secret],
  ['without the line break that a file ends with', `${secret}\n`, secret],
  ['without the line break that a Windows file ends with', `${secret}\r\n`, secret],
  ['with every printable character', printable, printable],
  ['without the byte-order mark that Windows PowerShell pipes before it', `\uFEFF${secret}\r\n`, secret],
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
  ['a blank inside', `Token ${secret}`, 'contains a space or a tab'],
  ['the word of the header in front', `Bearer ${secret}`, 'begins with "Bearer"'],
  ['the marks that cmd.exe keeps', `"${secret}"`, 'stands in quotation marks'],
  ["the marks of a shell's file", `'${secret}'`, 'stands in quotation marks'],
  ['a tab', `${secret}\t`, 'contains a space or a tab'],
  ['UTF-16 in it', utf16, 'is UTF-16 text, as > of PowerShell 5.1'],
  ['a NUL', `${secret}\0`, 'contains a character'],
  ['a DEL', `${secret}\x7f`, 'contains a character'],
  ['an accent', `${secret}é`, 'contains a character'],
  ['a blank of no width', `${secret}\u200b`, 'contains a character'],
  ['one character too many', secret.padEnd(4097, 'k'), 'is longer than 4096'],
])('refuses a key with %s without showing it', (_, text, fault) => {
  const failure = failureOf(() => checkKey(text, 'PAYROLL_API_KEY'))
  expect(failure.message).toContain(`PAYROLL_API_KEY ${fault}`)
  expect(failure.code).toBe('usage')
  expect(failure.message + JSON.stringify(failure.details)).not.toMatch(/CANARY|0000|kkkk|Token/)
})

test.each([
  ['kkkkkkkkabcd', '****abcd'],
  ['kkkkkkkabcd', '****'],
])('a key shows its last four characters if it is long: %s is %s', (key, shown) => {
  expect(maskAs('key', key)).toBe(shown)
})

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('It did not fail.')
}
