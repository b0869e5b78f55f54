/**
 * Why there is no whole answer. `connect`: no connection came about. `wrong-origin`: the address is not the one
 * the key belongs to. `timeout`, `reset`: the connection stood and gave out. `protocol`, `encoding`,
 * `too-large`: an answer came that cannot be taken in.
 */
export type LostReason =
  | 'connect'
  | 'wrong-origin'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'encoding'
  | 'too-large'

/** No whole answer came. Carries no request, no header and no foreign error: nothing that could hold a key. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly reason: LostReason
  /** Whether a byte of the request may have left. */
  readonly sent: boolean
  /** The status, when the head of an answer came. */
  readonly status: number | undefined
  /** The system's own code: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, … */
  readonly systemCode: string | undefined
  /** Host and port of the proxy that let nothing through; `systemCode` is then its status, or why it gave none. */
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
