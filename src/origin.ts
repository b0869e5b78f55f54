/**
 * Whether a host name, as `URL` gives it (`127.1` arrives as `127.0.0.1`), is this computer by its text alone: RFC 6761,
 * 6.3 for localhost, RFC 1122, 3.2.1.3 for 127.0.0.0/8, RFC 4291, 2.5.3 for ::1. No name server is asked.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Other texts that also reach this computer: names below localhost, an IPv4 address in IPv6, and `any address`. */
const alsoHere = /^(.+\.localhost|0\.0\.0\.0|\[::\]|\[::ffff:(7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/

/**
 * Scheme, host and port under the one name that all spellings of an address share: `http://127.0.0.1:4010` for
 * `http://localhost:4010`, no dot at the end of a name. Tells whether two addresses are one service: for what forbids or
 * serialises writes. A key is never sent by it.
 */
export function canonicalOrigin(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  const name = hostname.replace(/\.$/, '')
  const isHere = isLoopback(name) || alsoHere.test(name)
  return `${protocol}//${isHere ? '127.0.0.1' : name}${port === '' ? '' : `:${port}`}`
}

/** A service of one company, and one of its operations: what a journal of an import is about. */
export interface ServicePlace {
  /** Scheme, host and port, in the spelling of `canonicalOrigin`. */
  readonly origin: string
  /** The path of the base URL; empty if it has none. */
  readonly base: string
  /** The digest of the API key; undefined if the service needs no key. */
  readonly account: string | undefined
  /** The id of the create operation. */
  readonly operation: string
}
