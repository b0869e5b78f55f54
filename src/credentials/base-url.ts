import { usage } from '../errors.ts'
import { isLoopback } from '../origin.ts'

/**
 * Checks "{base_url}" of the interface: https, or http on this computer, with neither user, query nor fragment. Throws
 * a usage failure that shows only the host: the rest may hold a password. `what`: the subject of the message.
 */
export function checkBaseUrl(text: string, what = 'The base URL'): URL {
  const address = text.trim()
  // The parser would silently turn backslashes into slashes and drop tabs and line breaks.
  // Most addresses are ASCII, and the second expression takes a millisecond to compile.
  const isPlain = /^[!-[\]-~]{1,2000}$/.test(address) || /^[^\s\\\p{Cc}\p{Cf}]{1,2000}$/u.test(address)
  if (!isPlain || !/^https?:\/\/./i.test(address) || !URL.canParse(address))
    throw usage(`${what} is not a web address.`, 'Write it like https://payroll.example.com')

  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/+$/, '')
  const bare = `${url.protocol}//${url.host}`
  if (/^[^/]*\/\/[^/]*@/.test(address)) {
    throw usage(
      `${what} contains a user name or a password.`,
      `Write ${bare} and store the key with payroll auth login.`,
    )
  }
  if (/[?#]/.test(address))
    throw usage(`${what} contains a query or a fragment.`, 'Leave out the ? or # and everything after it.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usage(`${what} is not encrypted: http is for this computer only.`, `Write https://${url.host}`)
  }
  return url
}

/** Without the slash that a URL without a path gets. */
export const storedUrl = (url: URL): string => url.href.replace(/\/$/, '')

/** Reads an https address, or one on this computer. Throws a usage failure that shows nothing of the address. */
export function checkBrowserAddress(text: string, what: string): URL {
  const url = /^https?:\/\/[!-~]{1,4000}$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url && isLoopback(url.hostname))
  if (url && isSafe && !url.username && !url.password) return url
  throw usage(
    `${what} is not an https address without a user name.`,
    'Write it like https://login.example.com/authorize',
  )
}
