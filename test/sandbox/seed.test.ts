import { isValidIBAN } from 'ibantools'
import { describe, expect, test } from 'vitest'
import { countries, countryIds } from '../../src/model/countries/countries.ts'
import type { Operation } from '../../src/model/records/operation.ts'
import { candidatesByCountry, operations } from '../../src/model/resources/operations.ts'
import { sandboxCountries } from '../../src/sandbox/countries/countries.ts'
import { seed } from '../../src/sandbox/seed.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const sandboxes = countries.map(({ id, operationSuffix }) => ({
  id,
  operationSuffix,
  ...sandboxCountries[id],
}))
const peopleCount = sandboxes.reduce((sum, { people }) => sum + people.length, 0)
const documentCount = sandboxes.reduce((sum, { documents }) => sum + documents.length, 0)

const everything = {
  ...Object.fromEntries(
    sandboxes.map(({ operationSuffix, people }) => [`candidates${operationSuffix}`, people.length]),
  ),
  paymentRates: 4,
  timesheets: 3 * peopleCount,
  payslips: 120,
  documents: documentCount,
}
const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, 0]))

async function seeded() {
  const sandbox = await freshSandbox()
  const { database, now, call } = sandbox
  const added = seed(database, { now })
  return { database, now, added, get: async (path: string) => (await call('GET', `/svc/${path}`)).json, call }
}

describe('seed', () => {
  test('adds the people of each country and what a payroll has of them, and says so', async () => {
    const { added, call } = await seeded()
    expect(added).toEqual(everything)
    expect(added).toMatchObject({ candidates: 20, candidatesIreland: 20 })
    const totalOf = async ({ path }: Operation) => (await call('GET', path)).json.totalDocs
    for (const { id, people } of sandboxes)
      expect([id, await totalOf(candidatesByCountry[id].list)]).toEqual([id, people.length])
    const { paymentRates, timesheets, payslips } = operations
    const totals = [
      await totalOf(paymentRates.list),
      await totalOf(timesheets.list),
      await totalOf(payslips.list),
    ]
    expect(totals).toEqual([4, everything.timesheets, 120])
  })

  test('adds nobody twice, and only who is missing', async () => {
    const { call, database, now } = await freshSandbox()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'SANDBOX-UK-07' } })
    expect(seed(database, { now }).candidates).toBe(19)
    expect(seed(database, { now })).toEqual(nothing)
    expect((await call('GET', '/svc/candidates')).json.totalDocs).toBe(20)
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
    const { call, get, database, now } = await seeded()
    const [timesheet] = (await get('time-sheets')).data
    await call('PUT', `/svc/time-sheets/${timesheet.id}`, { rates: [] })
    const documents = `employees/${(await get('candidates')).data[0].id}/documents`
    await call('DELETE', `/svc/${documents}/${(await get(documents)).data[0].id}`)
    expect(seed(database, { now })).toEqual({ ...nothing, documents: 1 })
    expect((await get(documents)).totalDocs).toBe(2)
    expect((await get(`time-sheets/${timesheet.id}`)).data.rates).toEqual([])
  })

  test('adds documents that can be read, and timesheets of rates and people that are there', async () => {
    const { get, database } = await seeded()
    const employees = countryIds.flatMap((id) => database.tables.candidates.all(id))
    const texts = []
    for (const { id } of employees) {
      for (const document of (await get(`employees/${id}/documents`)).data) {
        const { content } = (await get(`employees/${id}/documents/${document.id}`)).data
        texts.push(Buffer.from(content, 'base64').toString())
      }
    }
    expect(texts).toHaveLength(documentCount)
    for (const text of texts) expect(text).toMatch(/a sample of the sandbox, about no real person\.\n$/)

    const refs = employees.map(({ body }: any) => body.generalSetting.agencyRef)
    const vatCodes = (await get('vat-code')).data.map(({ id }: { id: string }) => id)
    for (const { body } of database.tables.timesheets.all('') as any[]) {
      expect(refs).toContain(body.subcontractorRef)
      const [rate] = body.rates
      expect((await get(`payment-rate/${rate.rateId}`)).data.code).toBe('STD')
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
    expect(database.tables.candidates.countRecords('uk')).toBe(0)
    expect(database.tables.payslips.countRecords('')).toBe(0)
  })

  test('adds records that the service itself would take', async () => {
    const { call, database } = await seeded()
    for (const [path, table, country] of [
      ...countryIds.map((id) => [candidatesByCountry[id].create.path, 'candidates', id] as const),
      ['/svc/payment-rate', 'paymentRates', ''],
      ['/svc/time-sheets', 'timesheets', ''],
    ] as const) {
      for (const { body } of database.tables[table].all(country)) {
        expect(await call('POST', path, body)).toMatchObject({ status: 201 })
      }
    }
  })

  test('adds people whom nobody can take for real ones', async () => {
    const { get, database } = await seeded()
    const uk = (await get('candidates?size=100')).data
    const irish = (await get('candidates/ireland?size=100')).data
    for (const { body } of countryIds.flatMap((id) => database.tables.candidates.all(id))) {
      const person: any = body.generalSetting
      expect(person.email).toMatch(/@example\.com$/)
      expect(person.mobile).toMatch(/^07700 900\d{3}$/)
      expect(person.address).toEqual(['1 Example Street'])
    }
    for (const person of uk) {
      expect(person.NINumber).toMatch(/^QQ\d{6}[A-D]$/)
      expect(person.bank.IBANReference).toMatch(/^GB\d\dNWBK601613000000\d\d$/)
      expect(person.bank.accountNumber).toBe(person.bank.IBANReference.slice(-8))
    }
    for (const person of irish) expect(person.bank.IBANReference).toMatch(/^IE\d\dAIBK931152000000\d\d$/)
    const accounts = [...uk, ...irish].map(({ bank }) => bank.IBANReference)
    expect([new Set(accounts).size, accounts.every((each) => isValidIBAN(each))]).toEqual([40, true])
    const keys = (people: { agencyRef: string; mobile: string }[]) =>
      new Set(people.flatMap(({ agencyRef, mobile }) => [agencyRef, mobile]))
    expect(keys([...uk, ...irish]).size).toBe(80)
  })
})
