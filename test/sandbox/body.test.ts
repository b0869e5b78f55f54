import { describe, expect, test } from 'vitest'
import { freshSandbox } from './fresh-sandbox.ts'

const [uk, ireland] = ['/svc/candidates', '/svc/candidates/ireland']

const once = async (path: string, body: unknown, headers?: Record<string, string>) =>
  (await freshSandbox()).call('POST', path, body, headers)

describe('the body of a create or an update', () => {
  test.each([
    ['generalSetting', 'x', 'must be an object'],
    ['generalSetting', null, 'must be an object'],
    ['generalSetting', [], 'must be an object'],
    ['generalSetting.surname', 7, 'must be a string'],
    ['generalSetting.surname', null, 'must be a string'],
    ['generalSetting.DOB', 19900101, 'must be a date, as YYYY-MM-DD'],
    ['generalSetting.DOB', '01/01/1990', 'must be a date, as YYYY-MM-DD'],
    ['generalSetting.DOB', '1990-02-29', 'must be a date, as YYYY-MM-DD'],
    ['generalSetting.country', true, 'must be a two-letter country code'],
    ['generalSetting.country', 'Ireland', 'must be a two-letter country code'],
    ['generalSetting.address', '1 Example Street', 'must be an array of strings'],
    ['generalSetting.address', ['1 Example Street', 2], 'must be an array of strings'],
    ['generalSetting.annualSalary', '41600', 'must be a number'],
    ['generalSetting.workingPatternId', 1.5, 'must be a whole number'],
    ['generalSetting.allowPortalLogin', 'true', 'must be true or false'],
    ['generalSetting.department', 4, 'must be a string or null'],
    ['generalSetting.pensionSetting.optInDate', 0, 'must be a UTC time with milliseconds'],
    ['generalSetting.pensionSetting.optInDate', '2026-04-06', 'must be a UTC time with milliseconds'],
    ['payrollSetting.openingBalance.gross', '1', 'must be a number'],
    // A decimal is a string, and not a number.
    ['payrollSetting.yearlyRateCutOff', 44000, 'must be a decimal string', ireland],
    ['payrollSetting.yearlyRateCutOff', '44,000', 'must be a decimal string', ireland],
  ])('is refused with 400 when %s is %j: %s', async (path, value, message, at = uk) => {
    const { call } = await freshSandbox()
    const body = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    const { status, json } = await call('POST', at, body)
    expect(status).toBe(400)
    expect(json).toStrictEqual({
      success: false,
      error: { code: 'BAD_REQUEST', message: 'Some fields have a wrong type', details: [{ path, message }] },
    })
    expect((await call('GET', at)).json.totalDocs).toBe(0)
  })

  test('is told all that is wrong at once, and never the values', async () => {
    const body = { generalSetting: { DOB: 1, NINumber: ['QQ123456A'] }, payrollSetting: { taxBasis: 2 } }
    const { json, text } = await once(uk, body)
    const paths = json.error.details.map((detail: { path: string }) => detail.path).sort()
    expect(paths).toEqual(['generalSetting.DOB', 'generalSetting.NINumber', 'payrollSetting.taxBasis'])
    expect(text).not.toContain('QQ123456A')
  })

  const irishPayroll = { holidayPayRate: null, cutOffPoints: 'as text', taxRateCutOffPoints: ['20'] }
  test.each<[string, string, unknown, number, string?]>([
    [
      'null where the document says nullable',
      uk,
      { generalSetting: { department: null, document: null } },
      201,
    ],
    ['anything where it says no type', ireland, { payrollSetting: irishPayroll }, 201],
    ['a known type alone', uk, { generalSetting: { pensionSetting: { optOutDate: 20260406 } } }, 400],
    [
      'anything where the type is a guess',
      ireland,
      { generalSetting: { shareCodeVerified: 'W12345678' } },
      201,
    ],
    ['no number too large for JSON to give back', uk, '{"generalSetting":{"annualSalary":1e999}}', 400],
    ...['', '[]', 'null', '"text"', '{', '{"a":NaN}', '{}{}'].map(
      (body): [string, string, string, number, string] => [`not ${body}`, uk, body, 400, 'BAD_REQUEST'],
    ),
  ])('may have %s', async (_, path, body, expected, code) => {
    const { status, json } = await once(path, body)
    expect([status, json?.error?.code]).toEqual([expected, code ?? json?.error?.code])
  })

  test('is refused with 400 when it is not UTF-8, rather than kept with a damaged name', async () => {
    const { app, call } = await freshSandbox()
    const headers = { authorization: 'sandbox-key', 'content-type': 'application/json' }
    const body = Buffer.from('{"generalSetting":{"surname":"O\xd3"}}', 'latin1')
    expect((await app.request(uk, { method: 'POST', headers, body })).status).toBe(400)
    expect((await call('GET', uk)).json.totalDocs).toBe(0)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'is refused with 415 as %j',
    async (type) => {
      const { status, json } = await once(uk, '{}', { 'content-type': type })
      expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    },
  )

  test('is taken with a charset beside the type, in any case', async () => {
    const { status } = await once(uk, '{}', { 'content-type': 'Application/JSON; charset=utf-8' })
    expect(status).toBe(201)
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
