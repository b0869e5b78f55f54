import { describe, expect, test } from 'vitest'
import { everyField, everyFieldResponse } from '../every-field.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const path = '/svc/candidates/ireland'
const response = everyFieldResponse()

describe('Create Ireland candidate', () => {
  test('answers 201 with the candidate in its envelope, every field in the form the document shows', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('POST', path, everyField('ireland'))
    expect(status).toBe(201)
    expect(json).toStrictEqual({ data: { candidate: response, success: true }, success: true })
  })

  test('answers null, [] and empty objects for what was never given', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('POST', path, {})
    const { candidate } = json.data
    expect(status).toBe(201)
    expect(Object.keys(candidate).sort()).toEqual(Object.keys(response).sort())
    expect(Object.keys(candidate.setting).sort()).toEqual(Object.keys(response.setting).sort())
    expect(Object.keys(candidate.bank).sort()).toEqual(Object.keys(response.bank).sort())
    expect(candidate).toMatchObject({
      surname: null,
      annualSalary: null,
      shareCodeVerified: null,
      address: [],
    })
    expect(candidate.registrationStatus).toBeNull()
    expect(candidate.pensionSetting).toMatchObject({ optState: null, optOutDate: null })
    expect(candidate.setting).toMatchObject({
      payrollApproveNeeded: null,
      holidayPayRate: null,
      taxRateCutOffPoints: [],
      cutOffPoints: { type: null, values: [] },
      openingBalance: { gross: null, ssp: null },
    })
  })

  test('keeps the fields that the document does not know, at the mirrored place', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', path, {
      referrer: 'top',
      generalSetting: { nickname: 'Sí', pensionSetting: { fund: 'X' } },
      bankSetting: { branch: { city: 'Cork' } },
      payrollSetting: { payPoint: 7 },
    })
    const { candidate } = json.data
    expect(candidate).toMatchObject({ referrer: 'top', nickname: 'Sí', pensionSetting: { fund: 'X' } })
    expect(candidate.bank.branch).toEqual({ city: 'Cork' })
    expect(candidate.setting.payPoint).toBe(7)
  })

  test('lets no unknown field take the place of what the service itself answers', async () => {
    const { call } = await freshSandbox()
    const general = { id: 'mine', status: 'LEFT', dateLeft: '2026-01-01', reason: 'x', bank: 1, setting: 2 }
    const body = JSON.stringify({ surname: 'Top', pensionSetting: 3, generalSetting: general })
    const { json } = await call('POST', path, body.replace('"id"', '"__proto__":{"polluted":1},"id"'))
    const { candidate } = json.data
    expect(candidate).toMatchObject({ status: 'ACTIVE', dateLeft: null, reason: null, surname: null })
    expect(candidate.id).not.toBe('mine')
    expect(candidate.bank).toMatchObject({ bankName: null })
    expect(candidate.setting).toMatchObject({ ppsNumber: null })
    expect(candidate.pensionSetting).toMatchObject({ optState: null })
    expect(candidate.polluted).toBeUndefined()
  })

  test('computes the cut-off points from the yearly amounts when the request has none', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', path, {
      payrollSetting: {
        taxRateCutOffPoints: [],
        cutOffPoints: null,
        yearlyRateCutOff: '44000.00',
        annual_zeroPointFive: '12012.00',
        annual_two: '28700.00',
        annual_fourPointFive: '70044.00',
      },
    })
    const { setting } = json.data.candidate
    expect(setting.taxRateCutOffPoints).toEqual([
      { index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' },
      { index: 2, yearlyRateCutOff: '44000.00', taxRatePercent: '40' },
    ])
    expect(setting.cutOffPoints).toEqual({
      type: 'ORDINARY',
      values: [
        { index: 1, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' },
        { index: 2, uscRatePercent: 2, yearlyUSCRateCutOff: '28700.00' },
        { index: 3, uscRatePercent: 3, yearlyUSCRateCutOff: '70044.00' },
        { index: 4, uscRatePercent: 8 },
      ],
    })
  })

  test.each([
    ['TRUE', true],
    ['yes', true],
    ['Required', true],
    ['false', false],
    ['NOT_AVAILABLE', false],
    ['', false],
  ])('answers payrollApproveNeeded %j as %j', async (sent, answer) => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', path, { payrollSetting: { payrollApproveNeeded: sent } })
    expect(json.data.candidate.setting.payrollApproveNeeded).toBe(answer)
  })

  test('answers a nullable number as a number and a nullable flag as a boolean', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', path, {
      generalSetting: { shareCodeVerified: null, registrationStatus: 'PAUSED', document: null },
      payrollSetting: { holidayPayRate: null },
    })
    expect(json.data.candidate).toMatchObject({ shareCodeVerified: false, document: null })
    expect(json.data.candidate.registrationStatus).toBe('PAUSED')
    expect(json.data.candidate.setting.holidayPayRate).toBe(0)
  })

  test('keeps money and decimal text to the last digit', async () => {
    const { call } = await freshSandbox()
    const decimals = { yearlyRateCutOff: '44000.10', annual_two: '0028700.00', totalTax: 0.1, totalUSC: 1e-7 }
    const { json } = await call('POST', path, { payrollSetting: decimals })
    expect(json.data.candidate.setting).toMatchObject(decimals)
  })
})

describe('the other Irish operations', () => {
  test('get and list answer the very record that create answered', async () => {
    const { call } = await freshSandbox()
    const created = await call('POST', path, everyField('ireland'))
    const got = await call('GET', `${path}/${created.json.data.candidate.id}`)
    const listed = await call('GET', path)
    expect(got.status).toBe(200)
    expect(got.json).toStrictEqual(created.json)
    expect(listed.json).toStrictEqual({ data: [created.json.data.candidate], totalDocs: 1 })
  })

  test('update replaces the named fields, goes into objects, and replaces lists whole', async () => {
    const { call } = await freshSandbox()
    const created = await call('POST', path, everyField('ireland'))
    const { id } = created.json.data.candidate
    const changed = await call('PUT', `${path}/${id}`, {
      generalSetting: { surname: 'Changed', address: ['One line'], pensionSetting: { memberId: null } },
      payrollSetting: { openingBalance: { gross: 99 } },
    })
    const expected = structuredClone(created.json)
    expected.data.candidate.surname = 'Changed'
    expected.data.candidate.address = ['One line']
    expected.data.candidate.pensionSetting.memberId = null
    expected.data.candidate.setting.openingBalance.gross = 99
    expect(changed.status).toBe(200)
    expect(changed.json).toStrictEqual(expected)
    expect((await call('GET', `${path}/${id}`)).json).toStrictEqual(expected)
  })

  test('remembers across updates what the answer never returns', async () => {
    const { call, database } = await freshSandbox()
    const sent = everyField('ireland')
    const { id } = (await call('POST', path, sent)).json.data.candidate
    await call('PUT', `${path}/${id}`, { generalSetting: { title: 'Dr' } })
    sent.generalSetting.title = 'Dr'
    expect(database.tables.candidates.find('ireland', id)?.body).toStrictEqual(sent)
  })
})
