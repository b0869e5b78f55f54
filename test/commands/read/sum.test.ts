import { describe, expect, test } from 'vitest'
import { asTyped, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

/** A service whose payslips are these. */
async function payslips(items: readonly object[]) {
  const { env } = await service((_, response) =>
    answerJson(response, 200, { data: items, totalDocs: items.length }),
  )
  return (words: readonly string[]) => payroll(['payslips', 'list', ...words, '--json'], { env })
}

const slip = (id: string, taxPeriod: number, gross: unknown, margin: unknown = 20) => ({
  id,
  subcontractorName: `Person ${id}`,
  taxYear: '2026/27',
  taxPeriod,
  gross,
  margin,
})

describe('list --sum', () => {
  test('adds up the amounts of the table to the penny, which floating point does not', async () => {
    const list = await payslips([
      slip('a', 1, 0.1),
      slip('b', 1, 0.2),
      slip('c', 2, '1,000.70'),
      slip('d', 2, '£1.15'),
      // As accountants write a minus, and as check reads it.
      slip('e', 2, '(5.00)'),
    ])
    const { code, json } = await list(['--sum', 'gross'])
    expect([code, json()]).toEqual([0, [{ by: null, count: 5, sum: { gross: 997.15 } }]])
  })

  test.each([
    ['status!=cancelled', { status: 'CANCELLED' }],
    ['state!=voided', { state: 'Voided' }],
    ['deletedAt=', { deletedAt: '2026-11-20' }],
  ])('says that an item in a total will not be paid, and --where %s leaves it out', async (condition, is) => {
    const list = await payslips([slip('a', 1, 100), { ...slip('b', 1, 100), ...is }])
    const { code, json, err } = await list(['--sum', 'gross'])
    expect([code, json()]).toEqual([0, [{ by: null, count: 2, sum: { gross: 200 } }]])
    expect(err).toContain('1 item in these totals is cancelled, or the like.')
    const without = await list(['--sum', 'gross', '--where', condition])
    expect([without.json(), without.err]).toEqual([[{ by: null, count: 1, sum: { gross: 100 } }], ''])
  })

  test('gives a total for each value of --by, in order, of the fields that are named, after --where', async () => {
    const list = await payslips([slip('a', 10, 5), slip('b', 9, 7), slip('c', 10, 1.5), slip('d', 8, 100)])
    const { json } = await list(['--sum', 'gross,margin', '--by', 'tax period', '--where', 'taxPeriod>=9'])
    expect(json()).toEqual([
      { by: 9, count: 1, sum: { gross: 7, margin: 20 } },
      { by: 10, count: 2, sum: { gross: 6.5, margin: 40 } },
    ])
  })

  test('says how many items have no amount, and counts nothing for them', async () => {
    const list = await payslips([slip('a', 1, 5, null), slip('b', 1, 7)])
    const { json, err } = await list(['--sum', 'margin'])
    expect(json()).toEqual([{ by: null, count: 2, sum: { margin: 20 } }])
    expect(err).toContain('1 item has no margin.')
  })

  const ofAnn = (id: string, subcontractorRef: string) => ({
    ...slip(id, 1, 5),
    ...{ subcontractorName: 'Ann Sample', subcontractorRef },
  })
  test.each([
    [
      'pounds and euros are',
      [slip('a', 1, 5), { ...slip('b', 1, 7), taxYear: '2026' }],
      ['gross', '--by', 'taxPeriod'],
      'Pounds and euros are added up in one total here. Add --where taxYear=<year>.',
      [['--by', 'taxYear'], ['--where', 'taxYear=2026'], ['taxPeriod']],
    ],
    [
      'two people of one name are',
      [ofAnn('a', 'UK-1'), ofAnn('b', 'uk-1'), ofAnn('c', 'UK-2')],
      ['--by', 'Person'],
      'Ann Sample is the name of several people, in one total here. Use --by subcontractorRef.',
      [[], ['--by', 'subcontractorRef'], ['--by', 'Person', '--where', 'subcontractorRef=UK-1']],
    ],
    [
      'one period of several tax years is',
      [slip('a', 1, 5), { ...slip('b', 1, 7), taxYear: '2025/26' }],
      ['--by', 'Tax period'],
      'Periods of several tax years are added up here. Add --where taxYear=<year>.',
      [[], ['--by', 'taxYear'], ['--by', 'taxPeriod', '--where', 'taxYear=2026/27']],
    ],
  ])('says where %s in one total, and how to part them', async (_, slips, words, says, parted) => {
    const list = await payslips(slips)
    expect((await list(['--quiet', '--sum', ...words])).err).toContain(says)
    for (const others of parted) expect((await list(['--sum', ...others])).err).not.toMatch(/euros|several/)
  })

  test.each([
    'pending',
    // No thousand begins with a zero: it is half of one.
    '0,500',
    '-0,500',
    '0.500,00',
    // 2.50 as on a price tag.
    '2€50',
  ])(
    'ends with 10 and names the item where an amount is no number: the total would not be right: %s',
    async (gross) => {
      const list = await payslips([slip('a', 1, 5), slip('b', 1, gross)])
      const { code, out, error } = await list(['--sum', 'gross'])
      expect([code, out]).toEqual([10, ''])
      expect(error().message).toBe('The gross of b is not a number, so the total would not be right.')
    },
  )

  test('adds up what the service has of the amounts of the table, and is exit 2 where it has none', async () => {
    const named = await payslips([{ id: 'a', gross: 5 }])
    expect((await named(['--sum'])).json()).toEqual([{ by: null, count: 1, sum: { gross: 5 } }])
    const otherwise = await payslips([{ id: 'a', grossPay: 5 }])
    expect(await otherwise(['--sum'])).toMatchObject({ code: 2, out: '' })
    expect((await otherwise(['--sum', 'grossPay'])).json()).toEqual([
      { by: null, count: 1, sum: { grossPay: 5 } },
    ])
  })

  test('adds up every line of a timesheet', async () => {
    const rates = (...units: readonly string[]) => ({ rates: units.map((each) => ({ units: each })) })
    const data = [
      { id: '1', taxYear: '2025/26', taxPeriodConfig: 'Week 1', ...rates('37.5', '4') },
      { id: '2', taxYear: '2026/27', taxPeriodConfig: 'Week 1', ...rates('8.25') },
    ]
    const { env } = await service((_, response) => answerJson(response, 200, { data, totalDocs: 2 }))
    const { json } = await payroll(asTyped`timesheets list --sum rates.units --json`, { env })
    expect(json()).toEqual([{ by: null, count: 2, sum: { units: 49.75 } }])
    const byPeriod = await payroll(asTyped`timesheets list --sum rates.units --by taxPeriodConfig --quiet`, {
      env,
    })
    expect(byPeriod.err).toContain('Periods of several tax years are added up here')
    expect((await payroll(asTyped`timesheets list --sum units`, { env })).code).toBe(2)
  })

  test.each([
    [['--by', 'taxPeriod'], '--by needs --sum'],
    [['--sum', 'wage'], 'There is no field wage'],
    [['--sum', 'gross,employer.gross'], 'two totals would have one name'],
    [['--sum', 'gross', '--by', 'wage'], 'There is no field wage'],
    [['--sum', '--sort', 'gross'], 'cannot be'],
  ])('payslips list %j is exit 2', async (words, says) => {
    const list = await payslips([slip('a', 1, 5)])
    const { code, out, error } = await list(words)
    expect([code, out]).toEqual([2, ''])
    expect(error().message).toContain(says)
  })

  test.each(['accountNumber', 'agencyRef', 'mobile', 'DOB', 'workingPatternId'])(
    'candidates list --sum %s is exit 2: a total of these would mean nothing',
    async (field) => {
      const { code, out, err } = await payroll(['candidates', 'list', '--sum', field, '--profile', 'sandbox'])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`--sum ${field}: it holds no amounts and no hours`)
    },
  )

  test('timesheets list --sum without a field, which has no amounts in its table, is exit 2', async () => {
    const { code, err } = await payroll(asTyped`timesheets list --sum --profile sandbox`)
    expect([code, err]).toEqual([2, expect.stringContaining('payroll explain timesheets')])
  })
})
