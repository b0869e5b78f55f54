import { describe, expect, test } from 'vitest'
import { freshSandbox } from './fresh-sandbox.ts'

const uk = '/svc/candidates'

describe('the body of a create or an update', () => {
  test.each([
    ['generalSetting', 'x', 'must be an object'],
    ['generalSetting', null, 'must be an object'],
    ['generalSetting', [], 'must be an object'],
    ['generalSetting.surname', 7, 'must be a string'],
    ['generalSetting.surname', null, 'must be a string'],
    ['generalSetting.DOB', 19900101, 'must be a string'],
    ['generalSetting.country', true, 'must be a string'],
    ['generalSetting.address', '1 Example Street', 'must be an array of strings'],
    ['generalSetting.address', ['1 Example Street', 2], 'must be an array of strings'],
    ['generalSetting.annualSalary', '41600', 'must be a number'],
    ['generalSetting.workingPatternId', 1.5, 'must be a whole number'],
    ['generalSetting.allowPortalLogin', 'true', 'must be true or false'],
    ['generalSetting.department', 4, 'must be a string or null'],
    ['generalSetting.pensionSetting.optInDate', 0, 'must be a string'],
    ['payrollSetting.openingBalance.gross', '1', 'must be a number'],
  ])('is refused with 400 when %s is %j', async (path, value, message) => {
    const { call } = await freshSandbox()
    const body = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    const { status, json } = await call('POST', uk, body)
    expect(status).toBe(400)
    expect(json).toStrictEqual({
      success: false,
      error: { code: 'BAD_REQUEST', message: 'Some fields have a wrong type', details: [{ path, message }] },
    })
    expect((await call('GET', uk)).json.totalDocs).toBe(0)
  })

  test('is told all that is wrong at once, and never the values', async () => {
    const { call } = await freshSandbox()
    const body = { generalSetting: { DOB: 1, NINumber: ['QQ123456A'] }, payrollSetting: { taxBasis: 2 } }
    const { json, text } = await call('POST', uk, body)
    const paths = json.error.details.map((detail: { path: string }) => detail.path).sort()
    expect(paths).toEqual(['generalSetting.DOB', 'generalSetting.NINumber', 'payrollSetting.taxBasis'])
    expect(text).not.toContain('QQ123456A')
  })

  test('may have null where the document says nullable, and anything where it says no type', async () => {
    const { call } = await freshSandbox()
    const generalSetting = { department: null, document: null }
    expect((await call('POST', uk, { generalSetting })).status).toBe(201)
    const payrollSetting = { holidayPayRate: null, cutOffPoints: 'as text', taxRateCutOffPoints: ['20'] }
    expect((await call('POST', `${uk}/ireland`, { payrollSetting })).status).toBe(201)
  })

  test('may have anything where the contract only guesses the type', async () => {
    const { call } = await freshSandbox()
    const pensionSetting = { optOutDate: 20260406 }
    expect((await call('POST', uk, { generalSetting: { pensionSetting } })).status).toBe(400)
    const generalSetting = { shareCodeVerified: 'W12345678' }
    expect((await call('POST', `${uk}/ireland`, { generalSetting })).status).toBe(201)
  })

  test('is refused when it has a decimal string as a number', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', `${uk}/ireland`, { payrollSetting: { yearlyRateCutOff: 44000 } })
    expect(json.error.details).toEqual([
      { path: 'payrollSetting.yearlyRateCutOff', message: 'must be a string' },
    ])
  })

  test('is refused when a number is too large for JSON to give back', async () => {
    const { call } = await freshSandbox()
    const { status } = await call('POST', uk, '{"generalSetting":{"annualSalary":1e999}}')
    expect(status).toBe(400)
  })

  test.each(['', '[]', 'null', '"text"', '{', '{"a":NaN}', '{}{}'])(
    'is refused with 400 when it is %j',
    async (body) => {
      const { call } = await freshSandbox()
      const { status, json } = await call('POST', uk, body)
      expect(status).toBe(400)
      expect(json.error.code).toBe('BAD_REQUEST')
    },
  )

  test('is refused with 400 when it is not UTF-8, rather than kept with a damaged name', async () => {
    const { app, call } = await freshSandbox()
    const headers = { authorization: 'sandbox-key', 'content-type': 'application/json' }
    const body = Buffer.from('{"generalSetting":{"surname":"O\xd3"}}', 'latin1')
    expect((await app.request(uk, { method: 'POST', headers, body })).status).toBe(400)
    expect((await call('GET', uk)).json.totalDocs).toBe(0)
  })

  test('is refused with 400 when it is nested too deeply, declared or not', async () => {
    const { call } = await freshSandbox()
    const nested = (levels: number) => `{"extra":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect((await call('POST', uk, nested(63))).status).toBe(201)
    expect((await call('POST', uk, nested(64))).status).toBe(400)
    expect((await call('POST', uk, nested(500_000))).status).toBe(400)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'is refused with 415 as %j',
    async (type) => {
      const { call } = await freshSandbox()
      const { status, json } = await call('POST', uk, '{}', { 'content-type': type })
      expect(status).toBe(415)
      expect(json.error.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('is taken with a charset beside the type, in any case', async () => {
    const { call } = await freshSandbox()
    const { status } = await call('POST', uk, '{}', { 'content-type': 'Application/JSON; charset=utf-8' })
    expect(status).toBe(201)
  })

  test('may be one mebibyte and no more', async () => {
    const { call } = await freshSandbox()
    const sized = (bytes: number) => `{"extra":"${'x'.repeat(bytes - 12)}"}`
    expect((await call('POST', uk, sized(1024 * 1024))).status).toBe(201)
    const { status, json } = await call('POST', uk, sized(1024 * 1024 + 1))
    expect(status).toBe(413)
    expect(json.error.code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('is checked in an update as in a create, and a refused update changes nothing', async () => {
    const { call } = await freshSandbox()
    await call('POST', uk, { generalSetting: { surname: 'Sample' } })
    const [{ id }] = (await call('GET', uk)).json.data
    const { status } = await call('PUT', `${uk}/${id}`, { generalSetting: { surname: 'New', hours: 'many' } })
    expect(status).toBe(400)
    expect((await call('GET', `${uk}/${id}`)).json.data.candidate.surname).toBe('Sample')
  })
})
