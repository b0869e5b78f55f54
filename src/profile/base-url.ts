import { usage } from '../errors.ts'

/**
 * The address of the service, "{base_url}" of the interface: https, or http on this computer only, with no
 * user, query or fragment. A path is kept, slashes at its end are not. Throws a usage failure that shows
 * the host at most: the rest may hold a password, or be a key put in the wrong place.
 *
 * @param what what the message calls it
 */
export function checkBaseUrl(text: string, what = 'The base URL'): URL {
  const written = text.trim()
  // The parser would turn backslashes into slashes and drop tabs and line breaks without a word.
  // Nearly every address is ASCII, and the second expression costs a millisecond to compile.
  const plain =
    /^https?:\/\/[!-[\]-~]{1,2000}$/i.test(written) ||
    /^https?:\/\/[^\s\\\p{Cc}\p{Cf}]{1,2000}$/iu.test(written)
  if (!plain || !URL.canParse(written))
    throw usage(`${what} is not a web address.`, 'Write it like https://payroll.example.com')

  const url = new URL(written)
  url.pathname = url.pathname.replace(/\/+$/, '')
  const bare = `${url.protocol}//${url.host}`
  if (/^[^/]*\/\/[^/]*@/.test(written)) {
    throw usage(
      `${what} holds a user name or a password.`,
      `Write ${bare} and store the key with payroll auth login.`,
    )
  }
  if (/[?#]/.test(written))
    throw usage(`${what} holds a query or a fragment.`, 'Leave out what follows the ? or #.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usage(`${what} is not encrypted: http is for this computer only.`, `Write https://${url.host}`)
  }
  return url
}

/** Reads what the parser made of it: `127.1`, `0x7f000001` and `[0::1]` arrive here in their usual form. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** What a key is bound to: scheme, host and port, `https://payroll.example.com`. */
export function originOf(baseUrl: string): string {
  return checkBaseUrl(baseUrl).origin
}
