import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { listedPeople } from '../people-service.ts'
import { answering, answerJson, service } from '../service.ts'
import { readRows } from '../workbook.ts'

const slip = (name: string, taxPeriod: number, gross: unknown, more: object = {}) => ({
  id: `${name} ${taxPeriod} ${JSON.stringify(more)}`,
  ...{ subcontractorName: name, taxYear: '2026/27', taxPeriod, gross, ...more },
})

/** The payslips compare of a service with these; `isShort`: one more is never listed. */
async function compare(slips: readonly object[], words = '', isShort = false) {
  const { env } = await answering(200, { data: slips, totalDocs: slips.length + Number(isShort) })
  const periods = words.includes('--period') ? '' : '--period 33 --with 32 '
  return payroll(`payslips compare ${periods}${words}`.trim().split(' '), { env })
}

describe('payslips compare', () => {
  test('has old, new, difference and percent of every amount, to the penny, the greatest change first', async () => {
    const run = await compare([
      slip('Ann Sample', 32, 100.1, { margin: 20 }),
      slip('Ann Sample', 33, 100.3, { margin: 20 }),
      slip('Bea Other', 32, '400.00'),
      slip('Bea Other', 33, '300.00'),
    ])
    const taxYear = '2026/27'
    const [bea, ann] = [
      { name: 'Bea Other', taxYear, state: 'changed' },
      { name: 'Ann Sample', taxYear, state: 'changed' },
    ]
    expect(run.json()).toEqual([
      { ...bea, amount: 'gross', old: 400, new: 300, difference: -100, percent: -25 },
      { ...ann, amount: 'gross', old: 100.1, new: 100.3, difference: 0.2, percent: 0.2 },
      { ...ann, amount: 'margin', old: 20, new: 20, difference: 0, percent: 0, state: 'same' },
    ])
    expect(run.err).toBe('Period 33 of 2026/27 with period 32 of 2026/27: 2 changed.\n')
  })

  const several = [
    slip('Ann', 32, 100, { margin: 20, bonus: 0, expenses: null }),
    slip('Ann', 33, 150, { margin: 20, bonus: 0, expenses: 0 }),
  ]
  const of = (taxYear: string) => ({ taxYear })
  test.each<[what: string, slips: object[], words: string, rows: object[], says?: string]>([
    [
      'has those who joined and those who left apart, behind the others',
      [slip('Ann', 32, 1), slip('Ann', 33, 1), slip('Bea', 33, 2), slip('Cat', 32, 3)],
      '',
      [
        { name: 'Ann', state: 'same' },
        { name: 'Bea', state: 'joined', old: null, new: 2, difference: null, percent: null },
        { name: 'Cat', state: 'left', old: 3, new: null },
      ],
    ],
    [
      'adds up several payslips of one person in a period',
      [slip('Ann', 32, 100), slip('Ann', 33, 60, { agencyName: 'One' }), slip('Ann', 33, 60)],
      '',
      [{ old: 100, new: 120, percent: 20 }],
    ],
    [
      'takes the greatest amount to date of several payslips of one person',
      [
        slip('Ann', 32, 100, { payYTD: 900 }),
        slip('Ann', 33, 60, { payYTD: 960 }),
        slip('Ann', 33, 40, { payYTD: 1000 }),
      ],
      '',
      [
        { amount: 'gross', old: 100, new: 100 },
        { amount: 'payYTD', old: 900, new: 1000 },
      ],
    ],
    [
      'leaves out a payslip that was cancelled, and says so',
      [slip('Ann', 32, 100), slip('Ann', 33, 100, { status: 'CANCELLED' }), slip('Ann', 33, 100)],
      '',
      [{ old: 100, new: 100, state: 'same' }],
      '1 payslip was left out: cancelled, or the like.',
    ],
    [
      'rounds the sum of payslips, and not each of them',
      [
        slip('Ann', 32, 1),
        ...['One', 'Two', 'Three'].map((agencyName) => slip('Ann', 33, 10.005, { agencyName })),
      ],
      '',
      [{ new: 30.02 }],
    ],
    [
      'does not take the number of a week or of a payslip for an amount',
      [
        slip('Ann', 32, 100, { week: 32, payslipNo: 1001, paid: 80 }),
        slip('Ann', 33, 100, { week: 33, payslipNo: 1002, paid: 90 }),
      ],
      '',
      [
        { amount: 'gross', state: 'same' },
        { amount: 'paid', state: 'changed' },
      ],
    ],
    [
      'says how many payslips show no tax period',
      [slip('Ann', 32, 100), slip('Ann', 33, 100), { ...slip('Bea', 33, 100), taxPeriod: 'November' }],
      '',
      [{ name: 'Ann' }],
      '1 payslip was not compared: no tax period is shown.',
    ],
    [
      'says which lists it does not compare',
      [
        slip('Ann', 32, 100, { deductions: [{ amount: 5 }] }),
        slip('Ann', 33, 100, { deductions: [{ amount: 50 }], notes: [] }),
      ],
      '',
      [{ amount: 'gross', state: 'same' }],
      'deductions is a list, and was not compared.',
    ],
    [
      'reads an amount that is written with commas and the sign of the money',
      [slip('Ann', 32, '1,080.00'), slip('Ann', 33, '£1,188.00')],
      '',
      [{ name: 'Ann', old: 1080, new: 1188, percent: 10 }],
    ],
    [
      'tells people apart by their reference where the payslips say it',
      [slip('Ann', 32, 1, { subcontractorRef: 'UK-1' }), slip('Ann', 33, 1, { subcontractorRef: 'UK-2' })],
      '',
      [
        { name: 'Ann (UK-2)', state: 'joined' },
        { name: 'Ann (UK-1)', state: 'left' },
      ],
    ],
    [
      'says of an amount that it is the same, beside one of the same person that changed',
      several,
      '',
      [
        { amount: 'gross', state: 'changed' },
        { amount: 'margin', state: 'same' },
        { amount: 'bonus', state: 'same' },
        { amount: 'expenses', state: 'same' },
      ],
      ': 1 changed.',
    ],
    ['hides what is the same too', several, '--by 20', [{ amount: 'gross' }]],
    [
      'hides smaller changes, and says how many',
      [slip('Ann', 32, 100), slip('Ann', 33, 119), slip('Bea', 32, 100), slip('Bea', 33, 120)],
      '--by 20',
      [{ name: 'Bea' }],
      '1 amount not listed: the same, or a smaller change.',
    ],
    [
      'counts as a smaller change only an amount that changed',
      [slip('Ann', 32, 100, { margin: 20 }), slip('Ann', 33, 101, { margin: 20 })],
      '--by 5',
      [],
      '2 amounts not listed',
    ],
    [
      'compares the first week of a year with the last of the year before, and each country apart',
      [
        ...[slip('Ann', 52, 10, of('2025/26')), slip('Ann', 52, 99), slip('Ann', 1, 20)],
        ...[slip('Úna', 52, 30, of('2025')), slip('Úna', 1, 40, of('2026'))],
      ],
      '--period 1 --with 52',
      [
        { name: 'Ann', taxYear: '2026/27', old: 10, new: 20 },
        { name: 'Úna', taxYear: '2026', old: 30, new: 40 },
      ],
    ],
  ])('%s', async (_, slips, words, rows, says = '') => {
    const { json, err } = await compare(slips, words)
    expect([json(), err]).toMatchObject([rows, expect.stringContaining(says)])
  })

  test('at a terminal is a table with pence of what differs, and says how much is the same', async () => {
    const value = { timesheetValue: 500 }
    const slips = [slip('Ann', 32, 100, value), slip('Ann', 33, 120.5, value)]
    const { env } = await answering(200, { data: slips, totalDocs: 2 })
    const argv = ['payslips', 'compare', '--period', '33', '--with', '32']
    const run = await atTerminal(argv, { env, columns: 80 }).ended
    expect(run.out).toMatch(/Person\s+Amount\s+Old\s+New\s+Difference\s+Percent/)
    expect(run.out).not.toContain('Timesheet value')
    expect(run.err).toContain('1 amount not listed: the same.')
    expect(run.out).toMatch(/Ann\s+Gross\s+100\.00\s+120\.50\s+20\.50\s+20\.50/)
  })

  test('at a terminal says how many have one period alone, for which the table may have no room', async () => {
    const amounts = { timesheetValue: 123456.5, employerNationalInsuranceContribution: 12345.5 }
    const joined = Array.from({ length: 12 }, (_, at) => slip(`Newcomer Sample ${at + 10}`, 33, 2, amounts))
    const others = [32, 33].map((period) => slip('Ann', period, 9000 * period, amounts))
    const slips = [...others, ...joined, slip('Cat', 32, 3, amounts)]
    const { env } = await answering(200, { data: slips, totalDocs: slips.length })
    const argv = ['payslips', 'compare', '--period', '33', '--with', '32', '--no-pager']
    const { out, err } = await atTerminal(argv, { env, columns: 80 }).ended
    expect(out).not.toContain('only now')
    const wide = await atTerminal(argv, { env, columns: 200 }).ended
    expect(wide.out).toMatch(/Newcomer Sample 10 .* only now/)
    expect(wide.out).toMatch(/Cat .* only before/)
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      ': 1 changed, 12 only in period 33 of 2026/27, 1 only in period 32 of 2026/27.',
    )
  })

  test.each([
    ['--period 40 --with 32', 5, 'There are no payslips for period 40 of 2026/27 (UK).'],
    ['--period 32 --with 32', 2, 'are the same period'],
    ['--period 32', 2, 'Name both'],
  ])('%s is exit %i, and says why', async (words, code, says) => {
    const slips = [slip('Ann', 32, 100), { ...slip('Bea', 32, 100), taxPeriod: 'November' }]
    expect(await compare(slips, words)).toMatchObject(endedWith(code, says))
  })

  test('of payslips that show no tax period is not said to have none, and of no tax year names none', async () => {
    const slips = [{ id: '1', subcontractor_name: 'Ann', gross: '1.00' }]
    const says =
      'Nothing was compared. But not all that was asked for could be seen: 1 payslip was not compared: no tax period is shown.'
    expect(await compare(slips)).toMatchObject(endedWith(10, says))
    const yearless = await compare([{ id: '1', taxPeriod: 7, subcontractorName: 'Ann' }])
    expect(yearless).toMatchObject(endedWith(5, 'There are no payslips for period 33.'))
  })

  test('of a list that is short prints nothing and ends with 10', async () => {
    const run = await compare([slip('Ann', 32, 1), slip('Ann', 33, 2)], '', true)
    expect(run).toMatchObject({ code: 10, out: '' })
  })
})

const ann = { id: '1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
const ben = { id: '2', agencyRef: 'UK-2', forename: 'Ben', surname: 'Sample' }
const other = { id: '3', agencyRef: 'UK-3', forename: 'Ann', surname: 'Sample' }

const paid = (id: string, of: Record<string, string>) => ({ id, taxYear: '2026/27', taxPeriod: 1, ...of })
const named = [paid('a', { subcontractorName: 'Ann Sample' }), paid('b', { subcontractorName: 'Ben Sample' })]

/** The payslips that a command finds, of a service with these people and payslips. */
async function listed(
  words: string | readonly string[],
  people: readonly object[],
  payslips: readonly object[],
  irish: readonly object[] = [],
) {
  const { env } = await service(({ url }, response) => {
    const items = listedPeople(url, (country) => (country === 'uk' ? people : irish)) ?? payslips
    answerJson(response, 200, { data: items, totalDocs: items.length })
  })
  return payroll(['payslips', ...(typeof words === 'string' ? words.split(' ') : words)], { env })
}

describe('payroll payslips list <person>', () => {
  test.each([
    ['the reference', ['uk-1']],
    ['the name', ['Ann', 'Sample']],
    ['the name in one word of the shell', ['Ann Sample']],
    ['the name as on a form', ['SAMPLE, Ann']],
    ['a part of the name that one person has', ['ann']],
  ])('finds a person by %s', async (_, words) => {
    const { code, json, err } = await listed(['list', ...words], [ann, ben], named)
    expect([code, json(), err]).toMatchObject([
      0,
      [{ id: 'a' }],
      expect.stringContaining('for the name Ann Sample'),
    ])
  })

  test('holds payslips that show a reference against that, and says nothing of names', async () => {
    const subcontractorName = 'Ann Sample'
    const slips = [
      paid('a', { subcontractorName, subcontractorRef: 'UK-1' }),
      paid('b', { subcontractorName, subcontractorRef: 'UK-3' }),
    ]
    const { code, json, err } = await listed('list UK-1', [ann, other], slips)
    expect([code, json(), err]).toMatchObject([0, [{ id: 'a' }], ''])
  })

  test('takes somebody who is paid in two countries under one reference for one person', async () => {
    const slips = [paid('a', { subcontractorName: 'Ann Sample' }), paid('b', { subcontractorRef: 'UK-1' })]
    const { code, json } = await listed('list UK-1', [ann], slips, [{ ...ann, id: 'ann-in-ireland' }])
    expect([code, json()]).toMatchObject([0, [{ id: 'a' }, { id: 'b' }]])
    // Or somebody who came back under it.
    const twice = await listed('list UK-1', [{ ...ann, id: 'before' }, ann], slips)
    expect([twice.code, twice.json()]).toMatchObject([0, [{ id: 'a' }, { id: 'b' }]])
  })

  test('shows nothing of another person who has the reference in another country', async () => {
    const rival = { ...ben, agencyRef: 'UK-1' }
    const of = (id: string, more: object) => paid(id, { subcontractorRef: 'UK-1', ...more })
    const slips = [of('a', { subcontractorName: 'Ann Sample' }), of('b', { subcontractorName: 'Ben Sample' })]
    const both = await listed('list UK-1', [ann], slips, [rival])
    expect(both).toMatchObject(endedWith(6, /1: UK-1, Ann Sample.*\n.*2: UK-1, Ben Sample/))
    const { code, json } = await listed('list 1', [ann], slips, [rival])
    expect([code, json()]).toMatchObject([0, [{ id: 'a' }]])
    const untold = await listed('list 1', [ann], [...slips, of('c', {})], [rival])
    expect(untold).toMatchObject({
      ...endedWith(2, 'What is listed under UK-1 may be of Ann Sample (UK-1) and Ben Sample (UK-1).'),
      out: '',
    })
  })

  test('reads the legacy list too', async () => {
    const slips = [paid('a', { subcontractor: 'Ann Sample' }), paid('b', { subcontractor: 'Ben Sample' })]
    const { json } = await listed('list UK-2 --legacy', [ann, ben], slips)
    expect(json()).toMatchObject([{ id: 'b' }])
  })

  test.each([
    ['--limit 1', 'a'],
    ['--where id=c', 'c'],
  ])('goes together with %s', async (words, id) => {
    const slips = [...named, paid('c', { subcontractorName: 'Ann Sample' })]
    expect((await listed(`list UK-1 ${words}`, [ann, ben], slips)).json()).toMatchObject([{ id }])
  })

  test.each([
    ['several people fit it', [ann, ben], 'sample', 6, 'sample can mean 2 records.'],
    [
      'two people have the reference',
      [
        { ...ann, id: 'p1' },
        { ...ben, agencyRef: 'UK-1', id: 'p2' },
      ],
      'UK-1',
      6,
      'p1: UK-1, Ann Sample, a UK candidate\n  p2: UK-1, Ben Sample',
    ],
    [
      'the reference of each is the id of the other',
      [
        { ...ann, agencyRef: '102', id: '105' },
        { ...ben, agencyRef: '105', id: '102' },
      ],
      '102',
      6,
      'To say which: id:<id>, or reference:<reference>',
    ],
    ['two people have the whole name and payslips show no reference', [ann, other], 'UK-1', 2, 'UK-3'],
    ['nobody fits it', [ann, ben], 'cara', 5, 'Nobody has the id, the reference or the name "cara"'],
    ['one page is asked for', [ann, ben], 'UK-1 --page 1', 2, 'cannot be combined with --page'],
  ])('lists nothing where %s', async (_, people, words, exit, says) => {
    const { code, out, err } = await listed(`list ${words}`, people, named)
    expect([code, out, err]).toEqual([exit, '', expect.stringContaining(says)])
  })
})

test('payroll payslips export <person> writes the payslips of that person alone', async () => {
  const { code, out } = await listed('export UK-1', [ann, ben], named)
  expect([code, out]).toEqual([0, 'id,taxYear,taxPeriod,subcontractorName\na,2026/27,1,Ann Sample\n'])
})

test('payroll payslips export to a workbook has amounts that Excel adds up and days that it sorts, also where they came as text', async () => {
  const path = join(freshHome(), 'payslips.xlsx')
  const slips = [slip('Ann Sample', 1, '1234.50', { id: '007', net: '1000.25', payDate: '2026-04-10' })]
  expect((await listed(['export', '--out', path], [ann], slips)).code).toBe(0)
  const sheet = strFromU8(unzipSync(readFileSync(path))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  // 2026-04-10 is day 46122 of Excel.
  for (const number of ['1234.5', '1000.25', '46122']) expect(sheet).toContain(`<v>${number}</v>`)
  const [{ cells = [] } = {}] = await readRows(readFileSync(path))
  expect(cells).toEqual(['id', 'taxYear', 'taxPeriod', 'subcontractorName', 'gross', 'net', 'payDate'])
})

test('payroll payslips export <person> is exit 2 with --since-last, which remembers the payslips of everybody', async () => {
  const { code, out, err } = await listed('export UK-1 --since-last nightly', [ann, ben], named)
  expect([code, out, err]).toEqual([2, '', expect.stringContaining('--since-last')])
})
