import type { Failure } from '../../errors.ts'
import { isCertificateError } from '../http/certificate-error.ts'
import type { ConnectionLost, LostReason } from '../http/connection-lost.ts'
import { type Call, failure, isWrite, nothingApplied, nothingSent, unknownOutcome } from './call-failure.ts'

/** Why there is no whole answer, of a request that left. */
const connectionErrors: Readonly<Record<Exclude<LostReason, 'connect' | 'wrong-origin'>, string>> = {
  timeout: 'The service did not answer in time',
  reset: 'The connection broke before the answer was there',
  protocol: 'What answered does not speak HTTP as it should',
  encoding: 'The answer is packed in a way that is not understood',
  'too-large': 'The answer is larger than 32 MiB; reading stopped',
}

/** What it means that there is no whole answer. */
export function connectionFailure(call: Call, lost: ConnectionLost): Failure {
  const { reason, sent, status, systemCode, proxy } = lost
  if (proxy !== undefined) return proxyFailure(call, proxy, systemCode)
  if (!sent || reason === 'connect' || reason === 'wrong-origin') {
    return failure(call, 'temporary', 'not-sent', {
      message: `No connection to ${call.origin}: ${noConnection(systemCode)}.`,
      effect: nothingSent,
      hint: hintOf(systemCode) ?? 'Run the same command again when it is reachable.',
      passing: !isCertificateError(systemCode),
    })
  }
  if (isWrite(call)) return unknownOutcome(call, connectionErrors[reason], status)
  if (reason === 'timeout' || reason === 'reset') {
    return failure(call, 'temporary', undefined, {
      message: `${connectionErrors[reason]}.`,
      effect: nothingApplied,
      status,
      hint: 'Run the same command again.',
    })
  }
  return failure(call, 'answer', undefined, { message: `${connectionErrors[reason]}.`, status })
}

/** The proxy let nothing through. Its password is not among what is known here. */
function proxyFailure(call: Call, proxy: string, code: string | undefined): Failure {
  // RFC 9110 has 407; some answer a wrong name or password with 401.
  if (code === '407' || code === '401') {
    const wants = code === '407' ? 'wants credentials' : 'refuses the name or the password that it was given'
    return failure(call, 'usage', 'not-sent', {
      message: `The proxy ${proxy} ${wants} (${code}).`,
      effect: nothingSent,
      hint: 'Put them into HTTPS_PROXY: http://name:password@host:port',
    })
  }
  const status = /^\d{3}$/.test(code ?? '')
  const why = status ? `it refuses the way to ${call.origin} (${code})` : noConnection(code)
  return failure(call, 'temporary', 'not-sent', {
    message: `No way through the proxy ${proxy}: ${why}.`,
    effect: nothingSent,
    hint: 'Check HTTPS_PROXY. A service that is reached without it belongs into NO_PROXY.',
    passing: !isCertificateError(code),
  })
}

function noConnection(code: string | undefined): string {
  if (code === undefined) return 'it did not come about in time'
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'its name is not known'
  if (code === 'EAI_AGAIN') return 'its name cannot be looked up just now'
  return isCertificateError(code) ? `its certificate is not trusted (${code})` : code
}

function hintOf(code: string | undefined): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') {
    return 'The certificate is out of date: whoever runs the service has to renew it. If it is not, the clock of this computer is wrong.'
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
