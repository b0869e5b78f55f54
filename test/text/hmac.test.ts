import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hmacWith } from '../../src/text/hmac.ts'

describe('the HMAC of a text', () => {
  const keys = ['', 'a', 'f'.repeat(32), 'k'.repeat(64), 'k'.repeat(65), 'ключ'.repeat(40)]
  const long = ['x'.repeat(5461), 'x'.repeat(5462), 'é'.repeat(20_000)]
  const texts = ['', 'Ann', 'Síle Ní Bhriain', '💷'.repeat(3), ...long]

  test.each(keys)('is what createHmac says, with the key %j', (key) => {
    const hmac = hmacWith(key)
    for (const text of texts)
      for (const encoding of ['hex', 'base64url'] as const)
        expect(hmac(text, encoding)).toBe(createHmac('sha256', key).update(text).digest(encoding))
  })

  test('is written into a buffer, as many bytes as are wanted', () => {
    for (const text of texts) {
      const target = Buffer.alloc(24, 1)
      hmacWith('a').into(text, target, 4, 16)
      const whole = createHmac('sha256', 'a').update(text).digest()
      expect([target.subarray(4, 20).equals(whole.subarray(0, 16)), target[3], target[20]]).toEqual([
        true,
        1,
        1,
      ])
    }
  })

  test('takes a key of bytes', () => {
    const key = Buffer.from([0, 255, 54, 92])
    expect(hmacWith(key)('Ann', 'hex')).toBe(createHmac('sha256', key).update('Ann').digest('hex'))
  })
})
