import { describe, expect, test } from 'vitest'
import { seed } from '../../src/sandbox/seed.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const lists =
  '/svc/candidates /svc/candidates/ireland /svc/payment-rate /svc/time-sheets /svc/v2/payslips'.split(' ')

const nothing = {
  candidates: 0,
  candidatesIreland: 0,
  paymentRates: 0,
  timesheets: 0,
  payslips: 0,
  documents: 0,
}

describe('seed', () => {
  test('adds twenty people of each country and what a payroll has of them, and says so', async () => {
    const { call, database, now } = await freshSandbox()
    expect(seed(database, { now })).toEqual({
      candidates: 20,
      candidatesIreland: 20,
      paymentRates: 4,
      timesheets: 120,
      payslips: 120,
      documents: 5,
    })
    const totals = []
    for (const path of lists) totals.push((await call('GET', path)).json.totalDocs)
    expect(totals).toEqual([20, 20, 4, 120, 120])
  })

  test('adds nobody twice, and only who is missing', async () => {
    const { call, database, now } = await freshSandbox()
    const generalSetting = { agencyRef: 'SANDBOX-UK-07' }
    await call('POST', '/svc/candidates', { generalSetting })
    expect(seed(database, { now }).candidates).toBe(19)
    expect(seed(database, { now })).toEqual(nothing)
    expect((await call('GET', '/svc/candidates')).json.totalDocs).toBe(20)
  })

  test('adds the same people every time', async () => {
    const bodies = []
    for (let n = 0; n < 2; n++) {
      const { database, now } = await freshSandbox()
      seed(database, { now })
      bodies.push(database.tables.candidates.all('uk').map(({ body }) => body))
    }
    expect(bodies[0]).toEqual(bodies[1])
  })

  test('adds as many payslips as are asked for, and later the difference', async () => {
    const { call, database, now } = await freshSandbox()
    expect(seed(database, { now, payslips: 7 }).payslips).toBe(7)
    expect(seed(database, { now, payslips: 1000 })).toEqual({ ...nothing, payslips: 993 })
    expect(seed(database, { now, payslips: 10 })).toEqual(nothing)
    const pages = []
    for (let page = 1; page <= 10; page++) {
      pages.push(...(await call('GET', `/svc/v2/payslips?size=100&page=${page}`)).json.data)
    }

    const whole = await freshSandbox()
    seed(whole.database, { now: whole.now, payslips: 1000 })
    expect(whole.database.tables.payslips.all('').map(({ id, body }) => ({ id, ...body }))).toEqual(pages)
    expect(new Set(pages.map(({ id }) => id)).size).toBe(1000)
  })

  test('adds the timesheets and documents that are missing, and leaves those that were changed', async () => {
    const { call, database, now } = await freshSandbox()
    seed(database, { now })
    const [timesheet] = (await call('GET', '/svc/time-sheets')).json.data
    await call('PUT', `/svc/time-sheets/${timesheet.id}`, { rates: [] })
    const [employee] = (await call('GET', '/svc/candidates')).json.data
    const documents = `/svc/employees/${employee.id}/documents`
    const [document] = (await call('GET', documents)).json.data
    await call('DELETE', `${documents}/${document.id}`)
    expect(seed(database, { now })).toEqual({ ...nothing, documents: 1 })
    expect((await call('GET', documents)).json.totalDocs).toBe(2)
    expect((await call('GET', `/svc/time-sheets/${timesheet.id}`)).json.data.rates).toEqual([])
  })

  test('adds documents that can be read, and timesheets of rates and people that are there', async () => {
    const { call, database, now } = await freshSandbox()
    seed(database, { now })
    const employees = [...database.tables.candidates.all('uk'), ...database.tables.candidates.all('ireland')]
    const texts = []
    for (const { id } of employees) {
      for (const document of (await call('GET', `/svc/employees/${id}/documents`)).json.data) {
        const { content } = (await call('GET', `/svc/employees/${id}/documents/${document.id}`)).json.data
        texts.push(Buffer.from(content, 'base64').toString())
      }
    }
    expect(texts).toHaveLength(5)
    for (const text of texts) expect(text).toMatch(/a sample of the sandbox, about no real person\.\n$/)

    const refs = employees.map(({ body }: any) => body.generalSetting.agencyRef)
    const vatCodes = (await call('GET', '/svc/vat-code')).json.data.map(({ id }: { id: string }) => id)
    for (const { body } of database.tables.timesheets.all('') as any[]) {
      expect(refs).toContain(body.subcontractorRef)
      const [rate] = body.rates
      expect((await call('GET', `/svc/payment-rate/${rate.rateId}`)).json.data.code).toBe('STD')
      expect(vatCodes).toContain(rate.vatID)
      expect([rate.rate, rate.units].join(' ')).toMatch(/^\d+\.\d\d \d+\.\d$/)
    }
  })

  test('adds nothing at all when one of its records cannot be kept', async () => {
    const { database, now } = await freshSandbox()
    // The second payslip has this id.
    const second = '00000000-0000-4000-8001-000000000002'
    database.tables.payslips.insert('elsewhere', {}, now(), second)
    expect(() => seed(database, { now })).toThrow()
    expect(database.tables.candidates.count('uk')).toBe(0)
    expect(database.tables.payslips.count('')).toBe(0)
  })

  test('adds records that the service itself would take', async () => {
    const { call, database, now } = await freshSandbox()
    seed(database, { now })
    for (const [path, table, country] of [
      ['/svc/candidates', 'candidates', 'uk'],
      ['/svc/candidates/ireland', 'candidates', 'ireland'],
      ['/svc/payment-rate', 'paymentRates', ''],
      ['/svc/time-sheets', 'timesheets', ''],
    ] as const) {
      for (const { body } of database.tables[table].all(country)) {
        expect(await call('POST', path, body)).toMatchObject({ status: 201 })
      }
    }
  })

  test('adds people whom nobody can take for real ones', async () => {
    const { call, database, now } = await freshSandbox()
    seed(database, { now })
    const uk = (await call('GET', '/svc/candidates?size=100')).json.data
    const irish = (await call('GET', '/svc/candidates/ireland?size=100')).json.data
    for (const person of [...uk, ...irish]) {
      expect(person.email).toMatch(/@example\.com$/)
      expect(person.mobile).toMatch(/^07700 900\d{3}$/)
      expect(person.address).toEqual(['1 Example Street'])
    }
    for (const person of uk) {
      expect(person.NINumber).toMatch(/^QQ\d{6}[A-D]$/)
      expect(person.bank.IBANReference).toBe('GB29NWBK60161331926819')
    }
    for (const person of irish) expect(person.bank.IBANReference).toBe('IE29AIBK93115212345678')
    const keys = (people: { agencyRef: string; mobile: string }[]) =>
      new Set(people.flatMap(({ agencyRef, mobile }) => [agencyRef, mobile]))
    expect(keys([...uk, ...irish]).size).toBe(80)
  })
})
