import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { importFixture } from './import-fixture.ts'

const header =
  'Code,Description,Type,Units,Hours per unit,Status,Taxable,Subject to NI,Pensionable,Show on the payslip'
const rate = (code: string, description: string) =>
  `${code},${description},RATE,HOURLY,1,ACTIVE,yes,yes,yes,yes`

/** A service with the rate STD, and an import of a CSV of rates. */
async function office(...lines: readonly string[]) {
  const at = await importFixture()
  const run = (...argv: string[]) => payroll(['payment-rates', ...argv], at)
  const importRates = (path: string, ...argv: string[]) =>
    run('import', path, '--settle', '0', '--json', ...argv)
  const first = at.save('first.csv', header, rate('STD', 'Standard hours'))
  expect((await importRates(first)).code).toBe(0)
  const file = at.save('rates.csv', ...lines)
  at.received.length = 0
  return {
    ...at,
    file,
    run,
    import: (...argv: string[]) => importRates(file, ...argv),
    rates: async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await run('list', '--json')).json().map(({ code, description }: any) => [code, description]),
      ),
  }
}

describe('payment-rates import', () => {
  test('creates the rates whose code is not there, and leaves one that differs alone and says so', async () => {
    const at = await office(header, rate('std', 'Other'), rate('NIGHT', 'Night shift'))
    const run = await at.import()
    expect([run.code, run.json()]).toMatchObject([0, { rows: 2, created: 1, existing: 1 }])
    expect(run.err).toContain('1 payment rate that the service has already is not as the file says: --update')
    expect(await at.rates()).toEqual({ STD: 'Standard hours', NIGHT: 'Night shift' })
    expect((await at.import()).json()).toMatchObject({ created: 0, createdEarlier: 1 })
    expect(at.posted()).toHaveLength(1)
  })

  test('takes VAT codes as people write them, and names one that the service does not have', async () => {
    const at = await office(
      `${header},Default VAT code`,
      `${rate('NIGHT', 'Night shift')},s`,
      `${rate('DAY', 'Day shift')},`,
    )
    const [standard] = (await payroll(['vat-codes', 'list', '--where', 'VATCode=S', '--json'], at)).json()
    expect((await at.import()).json()).toMatchObject({ created: 2 })
    expect(at.posted().map(({ body }) => JSON.parse(body).defaultVATCode)).toEqual([standard.id, undefined])
    expect((await at.import('--update', '--dry-run')).json()).toMatchObject({ update: 0, changeCount: 0 })
    at.save('rates.csv', 'Rate code,VAT code', 'NIGHT,Q')
    const wrong = await at.import('--update')
    expect([wrong.code, wrong.error().issues]).toMatchObject([
      3,
      [
        {
          path: 'row 2, defaultVATCode',
          message: expect.stringContaining('the service has no such VAT code'),
        },
      ],
    ])
    expect(at.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('--update changes the columns of the file alone, and plans them in words of rates', async () => {
    const at = await office('Code,Description', 'STD,Standard')
    const planned = await at.import('--update', '--dry-run')
    expect(planned.json()).toMatchObject({
      update: 1,
      changes: [{ reference: 'STD', path: 'description', from: 'Standard hours', to: 'Standard' }],
    })
    const run = await at.import('--update')
    expect(run.err).toContain('Changes: Description: 1 payment rate.')
    expect(run.json()).toMatchObject({ updated: 1 })
    const list = (await at.run('list', '--json')).json()
    expect(list).toMatchObject([{ description: 'Standard', units: 'HOURLY', includeNICalculation: true }])
  })

  test('reads the export of the rates again, and has nothing to change', async () => {
    const at = await office()
    const exported = join(at.home, 'exported.xlsx')
    await at.run('export', '--out', exported)
    const again = await at.run('import', exported, '--update', '--dry-run', '--json')
    expect(again.json()).toMatchObject({ rows: 1, unchanged: 1, update: 0 })
  })
})
