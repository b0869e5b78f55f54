/** Whether a host name, as `URL` gives it, is this computer. Nothing is looked up (RFC 6761, 1122, 4291). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Other texts that also reach this computer: names below localhost, an IPv4 address in IPv6, and `any address`. */
const alsoHere = /^(.+\.localhost|0\.0\.0\.0|\[::\]|\[::ffff:(7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/

/** Scheme, host and port of an address, the same for all its spellings. It is for comparing, never for sending. */
export function canonicalOrigin(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  const name = hostname.replace(/\.$/, '')
  const isHere = isLoopback(name) || alsoHere.test(name)
  return `${protocol}//${isHere ? '127.0.0.1' : name}${port === '' ? '' : `:${port}`}`
}

/** One operation of the service of one company: what the journal of an import belongs to. */
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
