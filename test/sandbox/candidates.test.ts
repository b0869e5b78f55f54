import { describe, expect, test } from 'vitest'
import { everyField, everyFieldResponse } from '../every-field.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const uk = '/svc/candidates'
const ireland = '/svc/candidates/ireland'
const response = everyFieldResponse()

describe('Create Ireland candidate', () => {
  test('answers 201 with the candidate in its envelope, every field in the form the document shows', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('POST', ireland, everyField('ireland'))
    expect(status).toBe(201)
    expect(json).toStrictEqual({ data: { candidate: response, success: true }, success: true })
  })

  test('answers null, false, [] and empty objects for what was never given', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('POST', ireland, {})
    const { candidate } = json.data
    expect(status).toBe(201)
    expect(Object.keys(candidate).sort()).toEqual(Object.keys(response).sort())
    expect(Object.keys(candidate.setting).sort()).toEqual(Object.keys(response.setting).sort())
    expect(Object.keys(candidate.bank).sort()).toEqual(Object.keys(response.bank).sort())
    const setting = {
      payrollApproveNeeded: false,
      holidayPayRate: null,
      openingBalance: { gross: null, ssp: null },
    }
    const top = {
      surname: null,
      annualSalary: null,
      shareCodeVerified: false,
      address: [],
      registrationStatus: null,
    }
    const pensionSetting = { optState: null, optOutDate: null }
    const cutOffs = { taxRateCutOffPoints: [], cutOffPoints: { type: null, values: [] } }
    expect(candidate).toMatchObject({ ...top, pensionSetting, setting: { ...setting, ...cutOffs } })
  })

  test('keeps the fields that the document does not know, at the mirrored place', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', ireland, {
      referrer: 'top',
      generalSetting: { nickname: 'Sí', pensionSetting: { fund: 'X' } },
      bankSetting: { branch: { city: 'Cork' } },
      payrollSetting: { payPoint: 7 },
    })
    const { candidate } = json.data
    const [bank, setting] = [{ branch: { city: 'Cork' } }, { payPoint: 7 }]
    const own = { referrer: 'top', nickname: 'Sí', pensionSetting: { fund: 'X' } }
    expect(candidate).toMatchObject({ ...own, bank, setting })
  })

  test('lets no unknown field take the place of what the service itself answers', async () => {
    const { call } = await freshSandbox()
    const general = { id: 'mine', status: 'LEFT', dateLeft: '2026-01-01', reason: 'x', bank: 1, setting: 2 }
    const body = JSON.stringify({ surname: 'Top', pensionSetting: 3, generalSetting: general })
    const { json } = await call('POST', ireland, body.replace('"id"', '"__proto__":{"polluted":1},"id"'))
    const { candidate } = json.data
    expect(candidate).toMatchObject({ status: 'ACTIVE', dateLeft: null, reason: null, surname: null })
    const [bank, setting, pensionSetting] = [{ bankName: null }, { ppsNumber: null }, { optState: null }]
    expect(candidate).toMatchObject({ bank, setting, pensionSetting })
    expect(candidate.id).not.toBe('mine')
    expect(candidate.polluted).toBeUndefined()
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
    const { json } = await call('POST', ireland, { payrollSetting: { payrollApproveNeeded: sent } })
    expect(json.data.candidate.setting.payrollApproveNeeded).toBe(answer)
  })

  test('answers a nullable number as a number and a nullable flag as a boolean', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', ireland, {
      generalSetting: { shareCodeVerified: null, registrationStatus: 'PAUSED', document: null },
      payrollSetting: { holidayPayRate: null },
    })
    const { setting, ...candidate } = json.data.candidate
    expect(candidate).toMatchObject({
      shareCodeVerified: false,
      document: null,
      registrationStatus: 'PAUSED',
    })
    expect(setting.holidayPayRate).toBe(0)
  })
})

describe('the other Irish operations', () => {
  test('update replaces the named fields, goes into objects, and replaces lists whole', async () => {
    const { call } = await freshSandbox()
    const created = await call('POST', ireland, everyField('ireland'))
    const { id } = created.json.data.candidate
    const changed = await call('PUT', `${ireland}/${id}`, {
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
    expect((await call('GET', `${ireland}/${id}`)).json).toStrictEqual(expected)
  })

  test('remembers across updates what the answer never returns', async () => {
    const { call, database } = await freshSandbox()
    const sent = everyField('ireland')
    const { id } = (await call('POST', ireland, sent)).json.data.candidate
    await call('PUT', `${ireland}/${id}`, { generalSetting: { title: 'Dr' } })
    sent.generalSetting.title = 'Dr'
    expect(database.tables.candidates.find('ireland', id)?.body).toStrictEqual(sent)
  })
})

describe('the other UK operations', () => {
  test('get and update answer the candidate in an envelope', async () => {
    const { call } = await freshSandbox()
    await call('POST', uk, everyField('uk'))
    const [listed] = (await call('GET', uk)).json.data
    const got = await call('GET', `${uk}/${listed.id}`)
    expect(got.json).toStrictEqual({ data: { candidate: listed, success: true }, success: true })
    const changed = await call('PUT', `${uk}/${listed.id}`, { payrollSetting: { taxCode: 'BR' } })
    const { setting } = listed
    expect(changed.json.data.candidate).toStrictEqual({ ...listed, setting: { ...setting, taxCode: 'BR' } })
  })

  test('lists the oldest first, whatever was updated since', async () => {
    const { call } = await freshSandbox()
    for (const agencyRef of ['A', 'B', 'C']) await call('POST', uk, { generalSetting: { agencyRef } })
    const [first] = (await call('GET', uk)).json.data
    await call('PUT', `${uk}/${first.id}`, { generalSetting: { title: 'Dr' } })
    const refs = (await call('GET', uk)).json.data.map((one: { agencyRef: string }) => one.agencyRef)
    expect(refs).toEqual(['A', 'B', 'C'])
  })
})

describe('the two countries', () => {
  test('know nothing of each other: an id of one is 404 for the other', async () => {
    const { call } = await freshSandbox()
    const irish = (await call('POST', ireland, {})).json.data.candidate.id
    await call('POST', uk, {})
    const ours = (await call('GET', uk)).json.data[0].id
    const answers = [
      await call('GET', `${uk}/${irish}`),
      await call('PUT', `${uk}/${irish}`, {}),
      await call('GET', `${ireland}/${ours}`),
      await call('PUT', `${ireland}/${ours}`, {}),
      await call('GET', `${uk}/nobody`),
    ]
    const refusal = { success: false, error: { code: 'NOT_FOUND', message: 'No record has this id' } }
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, json: refusal })
    expect((await call('GET', uk)).json.totalDocs).toBe(1)
    expect((await call('GET', ireland)).json.totalDocs).toBe(1)
  })
})
