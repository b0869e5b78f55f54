import { usage } from '../errors.ts'

/** Larger than any key, smaller than what a server refuses as a header. */
const longest = 4096

const faults: readonly [RegExp, string][] = [
  [/^$/, 'is empty'],
  [/[\r\n]/, 'contains a line break'],
  [/[\t ]/, 'contains a space or a tab'],
  [/[^\x21-\x7e]/, 'contains a character that no key has, perhaps copied by mistake'],
]

/**
 * The key as it may stand in a header: printable ASCII without blanks, at most 4 KiB. One line break at the end
 * is dropped, for that is how keys leave files and pipes. Throws a usage failure that holds no part of it.
 *
 * @param what what the message calls it
 */
export function checkKey(text: string, what = 'The key'): string {
  const key = text.replace(/\r?\n$/, '')
  const fault = key.length > longest ? 'is longer than 4096 characters' : faultOf(key)
  if (fault !== undefined) throw usage(`${what} ${fault}; it was not used.`, 'Copy the whole key again.')
  return key
}

function faultOf(key: string): string | undefined {
  return faults.find(([pattern]) => pattern.test(key))?.[1]
}

/** Enough of a key to tell it from another: its last four characters, and of a short key nothing. */
export function maskKey(key: string): string {
  return key.length < 12 ? '****' : `****${key.slice(-4)}`
}
