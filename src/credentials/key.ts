import { createHmac } from 'node:crypto'
import { usage } from '../errors.ts'

const problems: readonly [pattern: RegExp, problem: string, hint?: string][] = [
  [/^$/, 'is empty'],
  [/^.{4097}/s, 'is longer than 4096 characters'],
  [/^\uFFFD*(?:[^\0]\0){2}/, 'is UTF-16 text, as > of PowerShell 5.1 writes a file'],
  [/[\r\n]/, 'contains a line break'],
  [
    /^bearer /i,
    'begins with "Bearer"',
    'Leave that word out. Where the service wants it: payroll profiles set <name> --authorization "Bearer {token}"',
  ],
  [
    /^(["']).*\1$/,
    'stands in quotation marks',
    'Leave the marks out: set of cmd.exe and a file of variables keep them.',
  ],
  [/[\t ]/, 'contains a space or a tab'],
  [/[^\x21-\x7e]/, 'contains a character that no key has, perhaps copied by mistake'],
]

/**
 * Checks a key for a header: printable ASCII without spaces. Drops the line break that files and pipes add, and the
 * mark of PowerShell. Throws a usage failure that contains no part of the key. `what`: the subject of the message.
 */
export function checkKey(text: string, what = 'The key'): string {
  const key = text.replace(/^\uFEFF|\r?\n$/g, '')
  const [, problem, hint] = problems.find(([pattern]) => pattern.test(key)) ?? []
  if (problem !== undefined)
    throw usage(`${what} ${problem}; it was not used.`, hint ?? 'Copy the whole of it again.')
  return key
}

/** Tells two keys apart without revealing them: a keyed digest of a fixed text, cut to 64 bits. */
export function accountOfKey(key: string): string {
  return createHmac('sha256', key).update('payroll account').digest('hex').slice(0, 16)
}
