import type { Failure } from '../../errors.ts'
import { type ConnectionLost, isCertificateError, type LostReason } from '../http/attempt.ts'
import { type Call, failure, isWrite, unknownOutcome } from './call-failure.ts'

/** Why there is no complete response to a request that was sent. */
const connectionErrors: Readonly<Record<Exclude<LostReason, 'connect' | 'wrong-origin'>, string>> = {
  timeout: 'The service did not answer in time',
  reset: 'The connection was lost before the whole answer arrived',
  protocol: 'The server did not answer with valid HTTP',
  encoding: 'The answer has a compression that payroll does not support',
  'too-large': 'The answer is larger than 32 MiB, so it was not read to its end',
}

/** The failure of a request without a complete response. */
export function connectionFailure(call: Call, lost: ConnectionLost): Failure {
  const { sent, status, systemCode, proxy } = lost
  if (proxy !== undefined) return proxyFailure(call, proxy, systemCode)
  const earlier = isWrite(call) ? [] : (call.doubts ?? [])
  // Where earlier attempts of a read had no answer, too little time was left for the last one to connect.
  const ranOut = lost.reason === 'connect' && systemCode === undefined && earlier.includes('timeout')
  const reason = ranOut ? 'timeout' : lost.reason
  if (reason === 'connect' || reason === 'wrong-origin' || (!sent && !ranOut)) {
    return failure(call, 'temporary', earlier.length > 0 ? undefined : 'not-sent', {
      message: `No connection to ${call.origin}: ${describeConnectError(systemCode)}.`,
      hint: hintOf(systemCode) ?? 'Run the same command again when it is reachable.',
      passing: !isCertificateError(systemCode),
    })
  }
  if (isWrite(call)) {
    if (status === undefined) return unknownOutcome(call, connectionErrors[reason], status)
    const what = reason === 'timeout' ? 'The whole answer did not arrive in time' : connectionErrors[reason]
    return unknownOutcome(call, `${what} (${status})`, status)
  }
  if (reason === 'timeout' || reason === 'reset') {
    return failure(call, 'temporary', undefined, {
      message: `${connectionErrors[reason]}.`,
      status,
      hint: 'Run the same command again.',
    })
  }
  return failure(call, 'invalid-response', undefined, { message: `${connectionErrors[reason]}.`, status })
}

/** The failure of a request that the proxy refused. `proxy` does not contain its password. */
function proxyFailure(call: Call, proxy: string, code: string | undefined): Failure {
  // RFC 9110 has 407; some answer a wrong name or password with 401.
  if (code === '407' || code === '401') {
    const wants =
      code === '407' ? 'requires a user name and a password' : 'refused the user name or the password'
    return failure(call, 'usage', 'not-sent', {
      message: `The proxy ${proxy} ${wants} (${code}).`,
      hint: 'Set them in HTTPS_PROXY: http://name:password@host:port',
    })
  }
  const status = /^\d{3}$/.test(code ?? '')
  const why = status ? `it refused to connect to ${call.origin} (${code})` : describeConnectError(code)
  return failure(call, 'temporary', 'not-sent', {
    message: `No connection through the proxy ${proxy}: ${why}.`,
    hint: 'Check HTTPS_PROXY. If the service is reached without a proxy, add it to NO_PROXY.',
    passing: !isCertificateError(code),
  })
}

function describeConnectError(code: string | undefined): string {
  if (code === undefined) return 'the connection timed out'
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'the host name is unknown'
  if (code === 'EAI_AGAIN') return 'the host name cannot be looked up right now'
  return isCertificateError(code) ? `its certificate is not trusted (${code})` : code
}

function hintOf(code: string | undefined): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') {
    return 'The certificate has expired: ask the people who run the service to renew it. If it has not, correct the clock of this computer.'
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return 'The certificate is not valid yet: check the clock of this computer.'
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate belongs to another name: check the base address: payroll profiles show'
  }
  if (isCertificateError(code)) {
    return 'If the certificate comes from your own authority, name its file in NODE_EXTRA_CA_CERTS.'
  }
  return code === 'ENOTFOUND' ? 'Check the base address: payroll profiles show' : undefined
}
