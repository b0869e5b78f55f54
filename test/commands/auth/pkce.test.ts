import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import { expect, test } from 'vitest'

test('the challenge of a verifier is that of RFC 7636, Appendix B', async () => {
  expect(await calculatePKCECodeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a verifier has 43 to 128 of the characters of RFC 7636, and no two are alike', () => {
  const verifiers = Array.from({ length: 100 }, generateRandomCodeVerifier)
  for (const verifier of verifiers) expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
  expect(new Set(verifiers).size).toBe(100)
})
