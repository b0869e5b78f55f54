import { usage } from '../errors.ts'
import { isLoopback } from '../loopback.ts'

/** An https address, or one on this computer. Throws a usage failure that shows no more of another than its host. */
export function checkBrowserAddress(text: string, what: string): URL {
  const isPlain = /^https?:\/\/[!-~]{1,4000}$/i.test(text) && URL.canParse(text)
  if (!isPlain)
    throw usage(`${what} is not a web address.`, 'Write it like https://login.example.com/authorize')
  const url = new URL(text)
  if (url.username || url.password) throw usage(`${what} contains a user name or a password.`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw usage(`${what} is not encrypted: http is for this computer only.`)
  return url
}
