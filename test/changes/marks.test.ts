import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintsOf } from '../../src/changes/marks.ts'

test.each([
  ['a short text', 'York'],
  ['an empty text', ''],
  ['letters of several bytes', 'Aoife Ní Shampla 🙂'],
  ['a text longer than the buffer of short ones', 'ß'.repeat(20_000)],
  ['a text at its limit', '€'.repeat(Math.floor((16 * 1024) / 3))],
])('a fingerprint is the HMAC with SHA-256 (RFC 2104) of %s, cut to 22 characters', (_, text) => {
  const place = { profile: 'production', address: 'https://payroll.example' }
  const key = createHmac('sha256', 'a fake secret')
    .update(JSON.stringify(['payroll marks', place.profile, place.address]))
    .digest()
  const whole = createHmac('sha256', key).update(`field\0${text}`).digest('base64url')
  const fingerprint = fingerprintsOf('a fake secret', place)
  expect(fingerprint('field', text)).toBe(whole.slice(0, 22))
  expect(fingerprint.ofParts(['field\0', Buffer.from(text)])).toBe(whole.slice(0, 22))
})
