import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fingerprintsOf } from '../../../src/commands/changes/marks.ts'

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
  const parts = fingerprint.ofParts()
  for (const part of ['field\0', Buffer.from(text)]) parts.add(part)
  expect(parts.end()).toBe(whole.slice(0, 22))
})

describe('the fingerprints of the fields of a person', () => {
  const place = { profile: 'production', address: 'https://payroll.example' }
  const { ofFields } = fingerprintsOf('a fake secret', place)
  const paths = ['generalSetting.city', 'generalSetting.email', 'generalSetting.mobile']
  const of = (identity: string, texts: readonly (string | undefined)[], order = paths) => {
    const all = ofFields({ identity, paths: order, texts }).toString('hex')
    return new Map(order.map((path, at) => [path, all.slice(at * 32, (at + 1) * 32)]))
  }

  test('are 16 bytes of the HMAC of each value', () => {
    const whole = fingerprintsOf('a fake secret', place)('field', 'id 1', 'generalSetting.city', '"York"')
    const hex = Buffer.from(whole, 'base64url').toString('hex')
    expect(of('id 1', ['"York"', undefined, undefined]).get('generalSetting.city')).toBe(hex)
  })

  test('of two fields, two people or two keys without a value have nothing in common, nor with an empty text', () => {
    const other = fingerprintsOf('another fake secret', place)
    const empty = [undefined, undefined, undefined]
    const all = [
      ...of('id 1', empty).values(),
      ...of('id 2', empty).values(),
      ...of('id 1', ['""', '""', '""']).values(),
      ...(other.ofFields({ identity: 'id 1', paths, texts: empty }).toString('hex').match(/.{32}/g) ?? []),
    ]
    expect([all.length, new Set(all).size]).toEqual([12, 12])
  })

  test('are the same wherever a field stands', () => {
    const [one, other] = [
      of('id 1', [undefined, '"a"', undefined]),
      of('id 1', [undefined, '"a"', undefined], paths.toReversed()),
    ]
    expect([...one].sort()).toEqual([...other].sort())
  })
})
