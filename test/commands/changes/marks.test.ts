import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintsOf } from '../../../src/commands/changes/marks.ts'

const place = { profile: 'production', address: 'https://payroll.example' }

test.each([
  ['a short text', 'York'],
  ['letters of several bytes', 'Aoife Ní Shampla 🙂'],
])('a fingerprint is the HMAC with SHA-256 (RFC 2104) of %s, cut to 128 bits', (_, text) => {
  const key = createHmac('sha256', 'a fake secret')
    .update(JSON.stringify(['payroll marks', place.profile, place.address]))
    .digest()
  const whole = createHmac('sha256', key).update(`field\0id 1\0city\0${text}`).digest()
  const fingerprint = fingerprintsOf('a fake secret', place)
  expect(fingerprint('field', 'id 1', 'city', text)).toBe(whole.toString('base64url').slice(0, 22))
  expect(fingerprint.ofField('id 1', 'city', text)).toEqual(whole.subarray(0, 16))
  const parts = fingerprint.ofParts()
  for (const part of ['field\0id 1\0', Buffer.from(`city\0${text}`)]) parts.add(part)
  expect(parts.end()).toBe(whole.toString('base64url').slice(0, 22))
})

test('the fingerprints of two fields, two people or two keys without a value have nothing in common, nor with an empty text', () => {
  const { ofField } = fingerprintsOf('a fake secret', place)
  const all = [
    ofField('id 1', 'city', undefined),
    ofField('id 1', 'email', undefined),
    ofField('id 2', 'city', undefined),
    ofField('id 1', 'city', '""'),
    fingerprintsOf('another fake secret', place).ofField('id 1', 'city', undefined),
  ]
  expect(new Set(all.map((each) => each.toString('hex'))).size).toBe(all.length)
})
