import { describe, expect, test } from 'vitest'
import { sandboxCountries } from '../../src/sandbox/countries/countries.ts'
import { seed } from '../../src/sandbox/seed.ts'
import { freshSandbox } from './fresh-sandbox.ts'

async function withPayslips(payslips: number) {
  const sandbox = await freshSandbox()
  seed(sandbox.database, { now: sandbox.now, payslips })
  const list = async (query: string, version = 'v2') =>
    (await sandbox.call('GET', `/svc/${version}/payslips${query}`)).json
  return { ...sandbox, list }
}

describe('the payslips', () => {
  test('are answered by v2 as a page, with money as numbers', async () => {
    const { list } = await withPayslips(120)
    const [id, agencyName] = ['00000000-0000-4000-8001-000000000001', 'Example Agency Ltd']
    const of = { id, taxYear: '2026/27', taxPeriod: 1, agencyName, subcontractorName: 'Amélie Sample' }
    // 30 hours at 21.40, less a margin of 20.00.
    const money = { timesheetValue: 642, margin: 20, gross: 622 }
    expect(await list('?size=1')).toStrictEqual({ totalDocs: 120, data: [{ ...of, ...money }] })
  })

  test('are the same in v1, in the legacy shape', async () => {
    const { list } = await withPayslips(45)
    const legacy = await list('?page=2&size=20', 'v1')
    const { data, totalDocs } = await list('?page=2&size=20')
    const items = data.map(({ taxPeriod, agencyName, subcontractorName, ...same }: any) => ({
      ...same,
      period: taxPeriod,
      agency: agencyName,
      subcontractor: subcontractorName,
    }))
    expect(legacy).toEqual({ items, meta: { totalDocs } })
    expect(items).toHaveLength(20)
  })

  test('are one for a person and a week, in whole pence, and add up', async () => {
    const { list } = await withPayslips(200)
    const rows = [...(await list('?size=100')).data, ...(await list('?size=100&page=2')).data]
    const weeks = rows.map(({ subcontractorName, taxYear, taxPeriod }) =>
      [subcontractorName, taxYear, taxPeriod].join(),
    )
    expect(new Set(weeks).size).toBe(200)
    for (const { timesheetValue, margin, gross } of rows) {
      for (const money of [timesheetValue, margin, gross]) {
        expect(JSON.stringify(money)).toMatch(/^[1-9]\d*(\.\d{1,2})?$/)
      }
      expect(Math.round(gross * 100)).toBe(Math.round(timesheetValue * 100) - Math.round(margin * 100))
    }
  })

  test('count the weeks of the tax year of their country', async () => {
    const people = Object.values(sandboxCountries).flatMap((country) => country.people)
    const { list } = await withPayslips(people.length * 54)
    const weekOf = async (number: number) => {
      const { taxYear, taxPeriod } = (await list(`?size=1&page=${number}`)).data[0]
      return `${taxYear} ${taxPeriod}`
    }
    // The first of the UK people and the first of the Irish people, by the Friday of the week.
    const [uk, ireland] = [1, 21]
    expect(await weekOf(uk)).toBe('2026/27 1')
    expect(await weekOf(uk + people.length * 51)).toBe('2026/27 52')
    expect(await weekOf(uk + people.length * 52)).toBe('2027/28 1')
    // 10 April is the 100th day of 2026.
    expect(await weekOf(ireland)).toBe('2026 15')
    expect(await weekOf(ireland + people.length * 38)).toBe('2027 1')
  })

  test('pay what the timesheets of the seed say', async () => {
    const { call, list } = await withPayslips(120)
    const timesheets = (await call('GET', '/svc/time-sheets?size=100')).json.data
    const payslips = (await list('?size=100')).data
    timesheets.forEach(({ rates: [{ rate, units }], taxYear }: any, index: number) => {
      const pence = Math.round(Number(rate) * 100)
      expect(Math.round(payslips[index].timesheetValue * 100)).toBe(Math.round(pence * Number(units)))
      expect(payslips[index].taxYear).toBe(taxYear)
    })
    expect(timesheets).toHaveLength(100)
  })
})
