/** Whether a code of Node or OpenSSL says that a certificate is not trusted: `CERT_HAS_EXPIRED`. */
export function isCertificateError(code = ''): boolean {
  return (
    !isClientCertificateError(code) && /CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF_SIGNATURE|INVALID_CA/.test(code)
  )
}

/** Whether a failed handshake's code is the server's alert about our certificate (RFC 8446, 6.2). */
export function isClientCertificateError(code = ''): boolean {
  return /^ERR_SSL_.*ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/.test(code)
}

/** Whether a code says that the other side speaks no TLS at all. */
export function isNoTls(code = ''): boolean {
  return /^EPROTO$|^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code)
}

/**
 * The code of an error. Why a handshake was refused may stand only in the message of OpenSSL: of an alert, and of a
 * certificate that is too weak, whose code is UNSPECIFIED.
 */
export function connectionCode({ code, message }: NodeJS.ErrnoException): string | undefined {
  const inCapitals = (words: string) => words.trim().toUpperCase().replace(/\W+/g, '_')
  if (code === 'UNSPECIFIED') return `CERT_${inCapitals(message)}`
  // After sslv3 or ssl/tls.
  const alert = code === 'EPROTO' ? /([a-z\d]+ alert [a-z ]+)/i.exec(message)?.[1] : undefined
  return alert === undefined ? code : `ERR_SSL_${inCapitals(alert)}`
}

const noWay = 'no network leads there'
const tooLate = 'it did not answer in time'
const lost = 'the connection was lost'
const forbidden = 'this computer does not allow the connection'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up right now',
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ETIMEDOUT: tooLate,
  ECONNRESET: lost,
  EPIPE: lost,
  EACCES: forbidden,
  EPERM: forbidden,
}

/** Why there is no connection, as the end of a sentence; undefined for a code that is not known. Without one the time was over. */
export function whyNotConnected(code = 'ETIMEDOUT'): string | undefined {
  if (reasons[code] !== undefined) return reasons[code]
  if (isNoTls(code)) return `what answers there does not speak https (${code})`
  if (code.startsWith('ERR_SSL_')) return `the TLS handshake failed (${code})`
  return isCertificateError(code) ? `its certificate is not trusted (${code})` : undefined
}

/** What to ask for where a certificate is not trusted: the beginning of a sentence. */
export const askForAuthority = 'Ask your IT department for the file of the authority that signed it (PEM)'
