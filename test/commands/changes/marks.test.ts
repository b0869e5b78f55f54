import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintsOf } from '../../../src/commands/changes/marks.ts'

const place = { profile: 'production', address: 'https://payroll.example' }

test('a fingerprint is the HMAC with SHA-256 (RFC 2104), cut to 128 bits; of a field it is a hash with that of its person', () => {
  const text = 'Aoife Ní Shampla 🙂'
  const key = createHmac('sha256', 'a fake secret')
    .update(JSON.stringify(['payroll marks', place.profile, place.address]))
    .digest()
  const hmac = (words: string) => createHmac('sha256', key).update(words)
  const fingerprint = fingerprintsOf('a fake secret', place)
  const whole = hmac(`person\0${text}`).digest('base64url')
  expect(fingerprint('person', text)).toBe(whole.slice(0, 22))
  const ofField = createHash('sha256').update(`${hmac('fields\0id 1').digest('hex')}\0city\0${text}`)
  expect(fingerprint.ofPerson('id 1')('city', text)).toEqual(ofField.digest().subarray(0, 16))
})

test('the fingerprints of two fields, two people or two keys without a value have nothing in common, nor with an empty text', () => {
  const { ofPerson } = fingerprintsOf('a fake secret', place)
  const all = [
    ofPerson('id 1')('city', undefined),
    ofPerson('id 1')('email', undefined),
    ofPerson('id 2')('city', undefined),
    ofPerson('id 1')('city', '""'),
    fingerprintsOf('another fake secret', place).ofPerson('id 1')('city', undefined),
  ]
  expect(new Set(all.map((each) => each.toString('hex'))).size).toBe(all.length)
})
