import { describe, expect, test } from 'vitest'
import { endedWith } from '../payroll.ts'
import { hostile } from './hostile.ts'

const slip = (
  of: Readonly<Record<string, unknown>>,
  taxPeriod: unknown,
  amounts: object = { gross: 100 },
) => ({ id: JSON.stringify([of, taxPeriod, amounts]), taxYear: '2026/27', taxPeriod, ...of, ...amounts })
const named = (subcontractorName: string) => ({ subcontractorName })
const ref = (subcontractorRef: string) => ({ subcontractorRef })

const compare = async (payslips: readonly Readonly<Record<string, unknown>>[], words = '') =>
  (await hostile({ payslips })).run(`payslips compare --period 3 --with 2 --json ${words}`.trim())

const ordinary = [slip(ref('B-2'), 2), slip(ref('B-2'), 3)]

describe('payslips compare', () => {
  test('does not take A-1-1 and A-11 for one person', async () => {
    const run = await compare([
      slip(ref('A-1-1'), 2, { gross: 500 }),
      slip(ref('A-11'), 2, { gross: 600 }),
      slip(ref('A-1-1'), 3, { gross: 1100 }),
    ])
    expect(run.json()).toMatchObject([
      { name: 'A-1-1', old: 500, new: 1100, state: 'changed' },
      { name: 'A-11', state: 'left' },
    ])
  })

  test('takes a reference and the id of one person for one, where the lists of people show it', async () => {
    const payslips = [
      slip({ ...named('Ann Sample'), ...ref('A-1') }, 2, { gross: 500 }),
      slip({ ...named('Ann Sample'), ...ref('101') }, 3, { gross: 600 }),
    ]
    const people = [{ id: '101', agencyRef: 'A-1', forename: 'Ann', surname: 'Sample' }]
    const words = 'payslips compare --period 3 --with 2 --json'
    const { run } = await hostile({ payslips, uk: people })
    expect((await run(words)).json()).toMatchObject([{ old: 500, new: 600, state: 'changed' }])
    // Another person of the name stays another.
    const two = await hostile({ payslips, uk: [...people, { ...people[0], id: '102', agencyRef: '101' }] })
    expect((await two.run(words)).json()).toMatchObject([{ state: 'joined' }, { state: 'left' }])
  })

  test('of a payslip without a name and a reference prints nothing, and is exit 10', async () => {
    const run = await compare([...ordinary, slip({}, 3)])
    expect(run).toMatchObject({
      ...endedWith(10, '1 payslip in these periods has neither a name nor'),
      out: '',
    })
  })

  test.each(['!!!', '???'])('knows a person whose name is %s by its signs', async (sign) => {
    const run = await compare([...ordinary, slip(named(sign), 2), slip(named(`${sign}!`), 3)])
    expect(run.json()).toMatchObject([{ name: 'B-2' }, { state: 'joined' }, { state: 'left' }])
  })

  test('says that several payslips of one name were added up, which may be of two people', async () => {
    const run = await compare([
      slip(named('Ann'), 2, { gross: 100 }),
      slip(named('Ann'), 3, { gross: 60 }),
      slip(named('Ann'), 3, { gross: 70 }),
    ])
    expect(run.json()).toMatchObject([{ old: 100, new: 130 }])
    expect(run.err).toContain('2 payslips of period 3 have the name Ann and no reference')
  })

  test.each([
    ['without pence', '500', '5000', 500, 5000],
    ['with a blank', '£ 500.00', '£ 600.00', 500, 600],
    ['with a comma', '500,00', '1.600,25', 500, 1600.25],
    ['in brackets', '(5.00)', '-£6.00', -5, -6],
    ['beyond the pence of a double', 0.29, 1.005, 0.29, 1.01],
    ['of which a double is short', 1.15, 4.35, 1.15, 4.35],
    ['as text with many decimals', '33.33333', '8.285', 33.33, 8.29],
  ])('reads an amount that is written %s', async (_, before, now, old, is) => {
    const run = await compare([
      slip(named('Ann'), 2, { gross: before }),
      slip(named('Ann'), 3, { gross: now }),
    ])
    expect([run.code, run.json()]).toMatchObject([0, [{ amount: 'gross', old, new: is }]])
  })

  test('reads amounts that nest, and adds pence without a loss', async () => {
    const pay = (gross: number) => ({ pay: { gross } })
    const many = Array.from({ length: 10 }, (_, at) => slip(ref('A-1'), 3, { ...pay(0.1), note: at }))
    const run = await compare([slip(ref('A-1'), 2, pay(1)), ...many])
    expect(run.json()[0]).toMatchObject({ amount: 'pay.gross', old: 1, new: 1, difference: 0 })
  })

  test.each<[string, unknown]>([
    ['TBC', 'TBC'],
    ['a mask', '****'],
    ['an exponent', '1e3'],
    ['a hexadecimal number', '0x10'],
  ])('says whose amount cannot be read: %s', async (_, gross) => {
    const run = await compare([...ordinary, slip(ref('A-1'), 2), slip(ref('A-1'), 3, { gross })])
    expect(run).toMatchObject(endedWith(10, 'gross of A-1 is not an amount'))
    expect(run.json()).toMatchObject([{ name: 'A-1', old: 100, new: null }, { name: 'B-2' }])
  })

  test('of payslips without an amount is exit 10, and does not say that all is the same', async () => {
    const run = await compare([slip(ref('A-1'), 2, {}), slip(ref('A-1'), 3, {})])
    expect(run).toMatchObject(endedWith(10, 'no amount of A-1 can be read'))
  })

  const ofYear = (taxYear: string, period: number) => ({
    ...slip(ref('A-1'), period),
    ...{ id: `${taxYear} ${period}`, taxYear },
  })

  test('does not add up two people of one reference, and says that it has two names', async () => {
    const of = (name: string, taxPeriod: number, gross: number) =>
      slip({ ...ref('A-1'), ...named(name) }, taxPeriod, { gross })
    const run = await compare([of('Ann Lee', 2, 500), of('Bob Ray', 2, 600), of('LEE, Mrs Ann', 3, 1100)])
    expect(run.json()).toMatchObject([
      { old: 500, new: 1100, state: 'changed' },
      { old: 600, state: 'left' },
    ])
    expect(run.err).toContain('the reference of Bob Ray (A-1) is that of another name too')
    // A name that changed between two periods is one person's.
    const married = await compare([of('Ann Lee', 2, 500), of('Ann Roe', 3, 500)])
    expect([married.json().length, married.json()[0].state]).toEqual([1, 'same'])
  })

  test('takes one name in two spellings for one person where no payslip has a reference', async () => {
    const run = await compare([
      slip(named('Ann-Marie Sample'), 2),
      slip(named('Ann-Marie Sample'), 3),
      slip(named('Annmarie Sample'), 3),
    ])
    expect(run.json()).toMatchObject([{ old: 100, new: 200, state: 'changed' }])
    expect(run.err).not.toContain('the reference of')
  })

  test('does not compare with another year, unless it is asked to', async () => {
    const payslips = [ofYear('2025/26', 2), ofYear('2025/26', 3), ofYear('2026/27', 2)]
    expect(await compare(payslips)).toMatchObject({
      ...endedWith(5, 'no payslips for period 3 of 2026/27'),
      out: '',
    })
    expect(await compare(payslips)).toMatchObject(endedWith(5, 'Of an earlier year: --tax-year'))
    expect(await compare(payslips, '--tax-year 2025/26')).toMatchObject({ code: 0 })
    expect(await compare(payslips, '--tax-year 2024/25')).toMatchObject({ code: 5 })
    expect(await compare([ofYear('2026/27', 3), ofYear('2025/26', 2)])).toMatchObject({ code: 5 })
    const ofPeriod2 = await compare([ofYear('2026/27', 2), ofYear('2025/26', 2)])
    expect(ofPeriod2).toMatchObject(endedWith(5, 'To list the periods: payroll payslips list'))
  })

  test('takes a higher period from the year before, and from no earlier one', async () => {
    const run = (earlier: string) => compare([ofYear('2026/27', 3), ofYear(earlier, 52)], '--with 52')
    expect((await run('2025/26')).json()).toMatchObject([{ name: 'A-1', state: 'same' }])
    expect(await run('2024/25')).toMatchObject(endedWith(5, 'of the year before 2026/27'))
  })

  test('compares no week with a month', async () => {
    const mixed = [slip(ref('A-1'), 'Week 2'), slip(ref('A-1'), 'Month 3')]
    const both = [
      ...mixed,
      slip(ref('B-2'), 'Week 3', { gross: 7 }),
      slip(ref('B-2'), 'Week 2', { gross: 7 }),
    ]
    expect((await compare(both)).json()).toMatchObject([
      { name: 'B-2', state: 'same' },
      { name: 'A-1', state: 'joined' },
      { name: 'A-1', state: 'left' },
    ])
  })

  test('compares weeks or months of one number as they are asked for', async () => {
    const { run } = await hostile({
      payslips: [
        ...[slip(ref('A-1'), 'Month 2'), slip(ref('A-1'), 'Month 3', { gross: 120 })],
        ...[slip(ref('B-2'), 'Week 2'), slip(ref('B-2'), 'Week 3')],
        slip(ref('C-3'), 'Week 2'),
      ],
    })
    const compared = async (period: string, other: string) =>
      (await run(['payslips', 'compare', '--period', period, '--with', other, '--json'])).json()
    expect(await compared('month 3', '2')).toMatchObject([{ name: 'A-1', old: 100, new: 120 }])
    expect(await compared('w3', 'w2')).toMatchObject([
      { name: 'B-2', state: 'same' },
      { name: 'C-3', state: 'left' },
    ])
    expect(await run(['payslips', 'compare', '--period', 'month 3', '--with', 'week 2'])).toMatchObject(
      endedWith(2, 'A week cannot be compared with a month.'),
    )
    for (const wrong of ['0', '57', 'year 3', 'week'])
      expect(await run(['payslips', 'compare', '--period', wrong, '--with', '2'])).toMatchObject(
        endedWith(2, `--period ${wrong} is not a tax period.`),
      )
  })

  test('reads the legacy list, which has shorter names', async () => {
    const old = (period: number, gross: number) => ({
      id: `${period}`,
      taxYear: '2026/27',
      period,
      subcontractor: 'Ann',
      gross,
    })
    const run = await compare([old(2, 1), old(3, 2)], '--legacy')
    expect([run.code, run.json()]).toMatchObject([0, [{ name: 'Ann', old: 1, new: 2 }]])
  })
})
