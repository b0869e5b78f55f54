import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { ConnectionLost } from '../../../src/api/http/attempt.ts'
import { createRetryPolicy } from '../../../src/api/http/retry.ts'
import { connectionFailure } from '../../../src/api/outcome/interpret-response.ts'

const operation = operations.vatCodes.list

describe.each([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('the certificate error %s', (cause) => {
  const lost = new ConnectionLost('connect', { sent: false, cause })

  test('is not tried again', async () => {
    let attempts = 0
    const policy = createRetryPolicy({ monotonicNow: () => 0, sleep: async () => {}, random: () => 0 })
    await policy.run(
      operation,
      60_000,
      async () => {
        attempts += 1
        return { lost: lost }
      },
      () => {},
    )
    expect(attempts).toBe(1)
  })

  test('is told as one', () => {
    const call = { operation, path: '/svc/vat-codes', origin: 'https://payroll.example.com' }
    const { message } = connectionFailure({ ...call, requestId: undefined }, lost)
    expect(message).toContain(`its certificate is not trusted (${cause})`)
  })
})
