import { describe, expect, it } from 'vitest'
import { seed } from '../../src/sandbox/seed.ts'
import { freshSandbox } from './fresh-sandbox.ts'

const lists = ['/svc/candidates', '/svc/candidates/ireland', '/svc/payment-rate']

describe('seed', () => {
  it('adds twenty people of each country and some payment rates, and says so', async () => {
    const { call, database, now } = await freshSandbox()
    expect(seed(database, { now })).toEqual({ candidates: 20, candidatesIreland: 20, paymentRates: 4 })
    const totals = []
    for (const path of lists) totals.push((await call('GET', path)).json.totalDocs)
    expect(totals).toEqual([20, 20, 4])
  })

  it('adds nobody twice, and only who is missing', async () => {
    const { call, database, now } = await freshSandbox()
    const generalSetting = { agencyRef: 'SANDBOX-UK-07' }
    await call('POST', '/svc/candidates', { generalSetting })
    expect(seed(database, { now }).candidates).toBe(19)
    expect(seed(database, { now })).toEqual({ candidates: 0, candidatesIreland: 0, paymentRates: 0 })
    expect((await call('GET', '/svc/candidates')).json.totalDocs).toBe(20)
  })

  it('adds the same people every time', async () => {
    const bodies = []
    for (let n = 0; n < 2; n++) {
      const { database, now } = await freshSandbox()
      seed(database, { now })
      bodies.push(database.tables.candidates.all('uk').map(({ body }) => body))
    }
    expect(bodies[0]).toEqual(bodies[1])
  })

  it('adds records that the service itself would take', async () => {
    const { call, database, now } = await freshSandbox()
    seed(database, { now })
    for (const [path, table, variant] of [
      ['/svc/candidates', 'candidates', 'uk'],
      ['/svc/candidates/ireland', 'candidates', 'ireland'],
      ['/svc/payment-rate', 'payment_rates', ''],
    ] as const) {
      for (const { body } of database.tables[table].all(variant)) {
        expect(await call('POST', path, body)).toMatchObject({ status: 201 })
      }
    }
  })

  it('adds people whom nobody can take for real ones', async () => {
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
