import { describe, expect, test } from 'vitest'
import { everyField } from '../every-field.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const path = '/svc/candidates'

describe('Create Candidate', () => {
  test('keeps every field: the list answers all of them in the form of an Irish answer', async () => {
    const { call } = await freshSandbox()
    const sent = everyField('uk')
    await call('POST', path, sent)
    const { json } = await call('GET', path)
    expect(json).toStrictEqual({
      data: [
        {
          ...sent.generalSetting,
          registrationStatus: 'REGISTRATION_COMPLETE',
          bank: sent.bankSetting,
          setting: sent.payrollSetting,
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: 'ACTIVE',
          dateLeft: null,
          reason: null,
        },
      ],
      totalDocs: 1,
    })
  })

  test('requires no field', async () => {
    const { call } = await freshSandbox()
    expect((await call('POST', path, {})).status).toBe(201)
    const [candidate] = (await call('GET', path)).json.data
    expect(candidate).toMatchObject({
      surname: null,
      address: [],
      setting: { openingBalance: { tax: null } },
    })
  })
})

describe('the other UK operations', () => {
  test('get and update answer the candidate in an envelope', async () => {
    const { call } = await freshSandbox()
    await call('POST', path, everyField('uk'))
    const [listed] = (await call('GET', path)).json.data
    const got = await call('GET', `${path}/${listed.id}`)
    expect(got.json).toStrictEqual({ data: { candidate: listed, success: true }, success: true })
    const changed = await call('PUT', `${path}/${listed.id}`, { payrollSetting: { taxCode: 'BR' } })
    const { setting } = listed
    expect(changed.json.data.candidate).toStrictEqual({ ...listed, setting: { ...setting, taxCode: 'BR' } })
  })

  test('lists the oldest first, whatever was updated since', async () => {
    const { call } = await freshSandbox()
    for (const agencyRef of ['A', 'B', 'C']) await call('POST', path, { generalSetting: { agencyRef } })
    const [first] = (await call('GET', path)).json.data
    await call('PUT', `${path}/${first.id}`, { generalSetting: { title: 'Dr' } })
    const refs = (await call('GET', path)).json.data.map((one: { agencyRef: string }) => one.agencyRef)
    expect(refs).toEqual(['A', 'B', 'C'])
  })
})

describe('the two countries', () => {
  test('know nothing of each other: an id of one is 404 for the other', async () => {
    const { call } = await freshSandbox()
    const irish = (await call('POST', '/svc/candidates/ireland', {})).json.data.candidate.id
    await call('POST', path, {})
    const uk = (await call('GET', path)).json.data[0].id
    const answers = [
      await call('GET', `${path}/${irish}`),
      await call('PUT', `${path}/${irish}`, {}),
      await call('GET', `${path}/ireland/${uk}`),
      await call('PUT', `${path}/ireland/${uk}`, {}),
      await call('GET', `${path}/nobody`),
    ]
    const refusal = { success: false, error: { code: 'NOT_FOUND', message: 'No record has this id' } }
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, json: refusal })
    expect((await call('GET', path)).json.totalDocs).toBe(1)
    expect((await call('GET', `${path}/ireland`)).json.totalDocs).toBe(1)
  })

  test('take "ireland" for a path and not for an id', async () => {
    const { call } = await freshSandbox()
    expect((await call('GET', '/svc/candidates/ireland')).json).toEqual({ data: [], totalDocs: 0 })
    expect((await call('POST', '/svc/candidates/ireland', {})).json.success).toBe(true)
  })
})
