/**
 * Why there is no complete response. `connect`: the connection failed. `wrong-origin`: the address is not the one
 * the key belongs to. `timeout`, `reset`: the connection was opened and then lost. `protocol`, `encoding`,
 * `too-large`: a response came that cannot be read.
 */
export type LostReason =
  | 'connect'
  | 'wrong-origin'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'encoding'
  | 'too-large'

/** There is no complete response. Carries no request, header or foreign error: nothing that could contain a key. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly reason: LostReason
  /** Whether a byte of the request may have left. */
  readonly sent: boolean
  /** The status, when the response headers arrived. */
  readonly status: number | undefined
  /** The system's own code: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, … */
  readonly systemCode: string | undefined
  /** Host and port of the proxy that refused; `systemCode` is then its status, or the error code without one. */
  readonly proxy: string | undefined

  constructor(
    reason: LostReason,
    details: { sent: boolean; status?: number; cause?: string; proxy?: string },
  ) {
    super(`connection lost: ${reason}`)
    this.reason = reason
    this.sent = details.sent
    this.status = details.status
    this.systemCode = details.cause
    this.proxy = details.proxy
  }
}

/**
 * Whether the system's code of a failed connection says that a certificate is not trusted, is out of date or belongs to
 * another name. The codes are those of Node and OpenSSL: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`.
 */
export function isCertificateError(code = ''): boolean {
  return /CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF_SIGNATURE|INVALID_CA/.test(code)
}
