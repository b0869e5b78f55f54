import { describe, expect, test } from 'vitest'
import { everyRateField } from '../every-field.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const path = '/svc/payment-rate'

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('VAT codes are there in a new sandbox, in the form the document shows', async () => {
  const { call } = await freshSandbox()
  const { json } = await call('GET', '/svc/vat-code')
  expect(json.totalDocs).toBe(json.data.length)
  expect(json.data[0]).toStrictEqual({
    id: expect.any(String),
    incrementId: 1,
    description: 'Standard',
    VATRate: '20%',
    VATCode: 'S',
    author: null,
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: null,
  })
  const rates = json.data.map((code: { VATRate: string }) => code.VATRate)
  expect(rates).toEqual(expect.arrayContaining(['20%', '5%', '0%', '23%', '13.5%', '9%']))
})

describe('Create new Payment Rate', () => {
  test('numbers the rates in the order they were made', async () => {
    const { call } = await freshSandbox()
    for (const code of ['A', 'B']) await call('POST', path, { code })
    const { json } = await call('GET', path)
    expect(json.totalDocs).toBe(2)
    expect(json.data).toMatchObject([
      { code: 'A', incrementId: 1 },
      { code: 'B', incrementId: 2 },
    ])
  })

  test('answers null for what was never given, the VAT code too', async () => {
    const { call } = await freshSandbox()
    const { json } = await call('POST', path, { internal: 'kept' })
    const empty = {
      code: null,
      hoursPerUnit: null,
      defaultVATCode: null,
      includeInPayeUmbrellaCalculation: null,
    }
    expect(json.data).toMatchObject({ ...empty, internal: 'kept' })
    expect(json.data).not.toHaveProperty('includeInPayeCalculation')
  })

  test('refuses a VAT code that is not known, and keeps nothing', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('POST', path, { ...everyRateField, defaultVATCode: 'no-such-code' })
    expect([status, json.success]).toEqual([400, false])
    expect(json.error.details).toEqual([{ path: 'defaultVATCode', message: 'must be the id of a VAT code' }])
    expect((await call('GET', path)).json.totalDocs).toBe(0)
  })
})

describe('the other payment rate operations', () => {
  test('update changes the named fields and updatedAt, and nothing else', async () => {
    const { call } = await freshSandbox()
    const { data } = (await call('POST', path, everyRateField)).json
    const change = { hoursPerUnit: 8, includeInPayeCalculation: false }
    const { status, json } = await call('PUT', `${path}/${data.id}`, change)
    const changed = { ...data, hoursPerUnit: '8', includeInPayeUmbrellaCalculation: false }
    const updatedAt = '2026-04-06T08:00:02.000Z'
    expect([status, json]).toStrictEqual([200, { data: { ...changed, updatedAt }, success: true }])
  })

  test('update refuses an unknown VAT code and an unknown id', async () => {
    const { call } = await freshSandbox()
    const { id } = (await call('POST', path, everyRateField)).json.data
    expect((await call('PUT', `${path}/${id}`, { defaultVATCode: '' })).status).toBe(400)
    expect((await call('PUT', `${path}/unknown`, { code: 'X' })).status).toBe(404)
    expect((await call('GET', `${path}/${id}`)).json.data.defaultVATCode).toBeNull()
  })
})
