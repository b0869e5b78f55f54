import { describe, expect, test } from 'vitest'
import { authorizationText, presentKey, readAuthorization } from '../../../src/credentials/authorization.ts'

const key = 'CANARYkey0000'

describe('how a key is presented', () => {
  test.each([
    ['{token}', 'Authorization', key],
    ['Bearer {token}', 'Authorization', `Bearer ${key}`],
    ['X-Api-Key: {token}', 'X-Api-Key', key],
    ['X-Api-Key:{token}', 'X-Api-Key', key],
    ['authorization: ApiKey id=7;key={token}', 'authorization', `ApiKey id=7;key=${key}`],
  ])('%s', (text, header, value) => {
    const form = readAuthorization(text)
    expect(presentKey(form, key)).toEqual({ header, value, key })
    expect(readAuthorization(authorizationText(form))).toEqual(form)
  })

  test.each([
    ['Bearer', 'exactly once'],
    ['{token} {token}', 'exactly once'],
    [`Bearer ${key}`, 'exactly once'],
    ['Bearer {token}\r\nX-Other: 1', 'a character that no header has'],
    ['Bearer\t{token}', 'a character that no header has'],
    ['Bearer\u00A0{token}', 'a character that no header has'],
    [`${'x'.repeat(600)}{token}`, 'too long'],
    ['X Api Key: {token}', 'the name of a header'],
    [': {token}', 'the name of a header'],
    ['Host: {token}', 'another purpose'],
    ['content-length: {token}', 'another purpose'],
    ['Cookie: {token}', 'another purpose'],
    ['If-Match: {token}', 'another purpose'],
  ])('is refused as %j, which is not repeated: it may be the key', (text, says) => {
    const read = () => readAuthorization(text)
    expect(read).toThrow(says)
    expect(read).not.toThrow('CANARY')
  })
})
