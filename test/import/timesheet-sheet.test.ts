import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countries } from '../../src/api/contract/countries/countries.ts'
import { taxWeekOf } from '../../src/verbs/import-timesheets.ts'
import { atTerminal, payroll, type Run } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'

const heading = 'Staff no,Name,Week ending,Hrs,Pay rate p/h,Rate code,VAT'

/** A sandbox with people, and a sheet with these lines. */
async function sheetOf(headings: string, ...lines: readonly string[]) {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(file, `${[headings, ...lines].join('\n')}\n`)
  return { ...at, argv: ['timesheets', 'import', file] }
}

/** Imports these lines of a sheet into it, and gives what there is afterwards. */
async function importLines(
  lines: readonly string[],
  { options = [], headings = heading }: { options?: readonly string[]; headings?: string } = {},
) {
  const at = await sheetOf(headings, ...lines)
  const run = await payroll([...at.argv, '--yes', ...options], at)
  const sheets = await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)
  const rates: { id: string; code: string }[] = (await payroll(['payment-rates', 'list'], at)).json()
  const idOf = (code: string) => rates.find((rate) => rate.code === code)?.id
  return { run, sheets: sheets.json(), idOf, home: at.home }
}

describe('an import of a sheet of timesheets', () => {
  test('an import of a sheet makes one timesheet of the rows of one person and week, and counts every row', async () => {
    const { run, sheets, idOf } = await importLines([
      'SANDBOX-UK-01,Amélie Sample,31/05/2026,37.5,17.30,STD,S',
      'SANDBOX-IE-01,,31/05/2026,20,15.00,STD,IE-S',
      'sandbox-uk-01,"SAMPLE, Amelie",31/05/2026,4,25.95,OT150,S',
    ])
    expect(run.json()).toMatchObject({ rows: 3, created: 3 })
    const [irish, british] = sheets.toSorted((a: any, b: any) =>
      a.subcontractorRef.localeCompare(b.subcontractorRef),
    )
    expect(sheets).toHaveLength(2)
    expect(british).toMatchObject({
      ...{ subcontractorRef: 'SANDBOX-UK-01', startDate: '2026-05-25', endDate: '2026-05-31' },
      ...{ taxYear: '2026/27', taxPeriodConfig: 'Week 8' },
      rates: [
        { rateId: idOf('STD'), rate: '17.30', units: '37.5' },
        { rateId: idOf('OT150'), rate: '25.95', units: '4' },
      ],
    })
    // Ireland counts its tax year from 1 January.
    expect(irish).toMatchObject({
      subcontractorRef: 'SANDBOX-IE-01',
      taxYear: '2026',
      taxPeriodConfig: 'Week 22',
    })
  })

  test('an import of a sheet asks at a terminal which column has the hours, and holds a total below it against them', async () => {
    const rows = ['SANDBOX-UK-01,31/05/2026,37.5,17.30,STD', 'SANDBOX-UK-02,31/05/2026,20,17.30,STD']
    const at = await sheetOf('Staff no,Week ending,Booked,Pay rate p/h,Rate code', ...rows, 'TOTAL,,60,,')
    const terminal = atTerminal(at.argv, at)
    await terminal.type('Column C (Booked): what is it?', 'hour')
    await terminal.type('❯ Hours', '\r')
    await terminal.type('Create 2 timesheets', 'n\r')
    expect((await terminal.ended).err.replace(/\s+/g, ' ')).toContain(
      'column C (Booked): the total says 60, and the rows add up to 57.5',
    )
  })

  test('the preview of a sheet counts rows, says how many timesheets they are, and names the rows that are held with another', async () => {
    const at = await sheetOf(
      heading,
      'SANDBOX-UK-01,,31/05/2026,37.5,17.30,STD,',
      'SANDBOX-UK-01,,31/05/2026,4,25.95,OT150,',
      'SANDBOX-UK-02,,31/05/2026,8,17.30,STD,',
      'SANDBOX-UK-03,,31/05/2026,37.5,17.30,STD,',
      'SANDBOX-UK-03,,31/05/2026,4,25.95,NOPE,',
    )
    const { err } = await atTerminal(at.argv, at).ended
    expect(err).toMatch(/5 rows:\s+3 {2}ready, in 2 records\s+2 {2}to put right/)
    expect(err.replace(/\s+/g, ' ')).toContain(
      'it belongs to the same record as row 6, which is wrong: neither is sent without the other: row 5',
    )
  })

  test.each(['Hrs p/w', 'Hours per week', 'Weekly hours', 'Basic hours'])(
    'an import of a sheet reads the hours in a column called %s',
    async (name) => {
      const headings = heading.replace('Hrs', name)
      const { run, sheets } = await importLines(['SANDBOX-UK-01,,31/05/2026,37.5,17.30,STD,'], { headings })
      expect(run.code).toBe(0)
      expect(sheets).toMatchObject([{ rates: [{ units: '37.5' }] }])
    },
  )

  test('an import of a sheet with a wrong row sends no row of that timesheet, and rejects all of them', async () => {
    const { run, sheets, home } = await importLines(
      [
        'SANDBOX-UK-01,,31/05/2026,37.5,17.30,STD,',
        'SANDBOX-UK-01,,31/05/2026,4,25.95,NOPE,',
        'SANDBOX-UK-02,,31/05/2026,8,17.30,STD,',
      ],
      { options: ['--ready-only'] },
    )
    expect([run.code, run.json()]).toEqual([9, expect.objectContaining({ rows: 3, created: 1, invalid: 2 })])
    expect(sheets).toMatchObject([{ subcontractorRef: 'SANDBOX-UK-02' }])
    const rejects = readFileSync(join(home, 'week.rejects.csv'), 'utf8').trimEnd().split('\n')
    expect(rejects).toHaveLength(3)
    expect(rejects[1]).toContain('the same record as row 3')
  })

  test('an import of a sheet finds what is wrong with people, weeks, hours, codes and currencies before anything is sent', async () => {
    const wrong: readonly (readonly [line: string, says: string | undefined])[] = [
      ['SANDBOX-UK-99,,31/05/2026,8,17.30,STD,', 'nobody on the service has this reference'],
      [
        'Amélie Sample,,31/05/2026,8,17.30,STD,',
        'this is a name: write the reference of the person. Amélie Sample (SANDBOX-UK-01)?',
      ],
      [
        ',Amélie Sample,31/05/2026,8,17.30,STD,',
        'a person is found by reference, and by name only at a terminal: Amélie Sample (SANDBOX-UK-01)?',
      ],
      ['SANDBOX-UK-02,,31/05/2026,400,17.30,STD,', '400 hours: a week has 168'],
      ['SANDBOX-UK-03,,31/05/2026,,17.30,STD,', 'no hours'],
      ['SANDBOX-UK-04,,31/05/2026,8,17.30,STD,IE-S', 'IE-S is a VAT code of Ireland'],
      ['SANDBOX-UK-05,,31/05/1999,8,17.30,STD,', 'after this week'],
      ['SANDBOX-UK-06,,31/05/2026,8,17.30,STD,', undefined],
      [
        'SANDBOX-UK-06,,31/05/2026,8,17.30,STD,',
        'the same person, week, rate and hours are in row 9 already',
      ],
      ['SANDBOX-UK-07,,,8,17.30,STD,', 'no week ending'],
      ['SANDBOX-UK-08,,31/05/2026,400,100,DAY,', '3000 hours: a week has 168'],
      ['SANDBOX-IE-01,,31/05/2026,8,£17.30,STD,', 'it is in pounds, and pay here is in euros'],
      ['SANDBOX-UK-10,,31/05/2026,8,17.30 EUR,STD,', 'it is in euros, and pay here is in pounds'],
      ['SANDBOX-UK-09,,31/05/2026,8,£17.30,STD,', ''],
      ['SANDBOX-IE-02,,31/05/2026,8,€17.30,STD,', ''],
    ]
    const { run, sheets } = await importLines(wrong.map(([line]) => line))
    expect([run.code, run.out, sheets]).toEqual([3, '', []])
    for (const [at, [, says]] of wrong.entries()) {
      if (says === '') expect(lineAbout(run, at + 2)).toBe('')
      else if (says !== undefined) expect(lineAbout(run, at + 2)).toContain(says)
    }
  })

  test('an import of a sheet says once of hours and of a week that they cannot be read', async () => {
    const { run } = await importLines(['SANDBOX-UK-01,,46118,"37,5",17.30,STD,'])
    expect(run.code).toBe(3)
    expect(lineAbout(run, 2)).toContain('it has a comma instead of a decimal point')
    expect(lineAbout(run, 2)).toContain('the day number of a spreadsheet')
    expect(lineAbout(run, 2)).not.toMatch(/no hours|no week ending/)
  })

  test('an import of a sheet doubts long weeks, other names and a second line at one rate', async () => {
    const { run } = await importLines(
      [
        'SANDBOX-UK-01,,31/05/2026,65,17.30,STD,',
        'SANDBOX-UK-02,Somebody Else,31/05/2026,8,17.30,STD,',
        'SANDBOX-UK-03,,31/05/2026,8,17.30,STD,',
        'SANDBOX-UK-03,,31/05/2026,7,17.30,STD,',
      ],
      { options: ['--dry-run'] },
    )
    expect(run.json()).toMatchObject({
      ...{ rows: 4, ready: 4 },
      warnings: [
        { row: 2, message: expect.stringContaining('65 hours: more than 60 in a week') },
        { row: 3, message: expect.stringContaining('under this reference') },
        { row: 5, message: expect.stringContaining('row 4 has hours at the same rate') },
      ],
    })
  })

  test('an import of a sheet doubts a pay rate that is none, and a week of another year', async () => {
    const rows = ['01,,31/05/2026,8,-3,STD,', '02,,31/05/2026,8,0,STD,', '03,,31/05/2026,8,1730,STD,']
    const [noRate, nextDecade] = ['04,,31/05/2026,8,,,', '05,,31/05/2046,8,17.30,STD,']
    // A day has more hours than one.
    const all = [...rows, noRate, nextDecade, '06,,31/05/2026,5,620,DAY,']
    const { run } = await importLines(
      all.map((row) => `SANDBOX-UK-${row}`),
      { options: ['--dry-run'] },
    )
    const { warnings } = run.json()
    expect(
      warnings.map(({ row, message }: any) => `${row} ${message.replace(/^column . \(.*?\): /, '')}`),
    ).toEqual([
      '2 negative pay rate',
      '3 a pay rate of 0',
      '4 more than 500 an hour',
      '5 neither a pay rate nor a rate code says what is paid',
      '6 more than a year ahead: is the date right?',
    ])
  })

  test('an import of a sheet refuses a code that several payment rates of the service have', async () => {
    const at = await sheetOf(heading, 'SANDBOX-UK-01,,31/05/2026,8,17.30,twice,')
    for (const description of ['Days', 'Nights'])
      await at.call('POST', '/svc/payment-rate', { code: 'TWICE', description, status: 'ACTIVE' })
    const run = await payroll([...at.argv, '--yes', '--json'], at)
    expect([run.code, run.error().issues[0].message]).toEqual([
      3,
      'column F (Rate code): several payment rates of the service have this code: write the id of one',
    ])
  })

  test('an import of a sheet sends a tax year and week as the sheet has them', async () => {
    const { sheets } = await importLines(['SANDBOX-UK-01,31/05/2026,8,2025/26,52'], {
      headings: 'Payroll no,W/E,Units,Tax year,Tax week',
    })
    expect(sheets).toMatchObject([{ taxYear: '2025/26', taxPeriodConfig: 'Week 52' }])
  })
})

const lineAbout = ({ err }: Run, row: number) =>
  err
    .split('\n')
    .filter((line) => line.includes(`row ${row},`))
    .join('\n')

test.each([
  ['2026-04-05', 'uk', '2025/26', 53],
  ['2026-04-06', 'uk', '2026/27', 1],
  ['2026-04-12', 'uk', '2026/27', 1],
  ['2026-04-13', 'uk', '2026/27', 2],
  ['2026-12-31', 'ireland', '2026', 53],
  ['2026-01-01', 'ireland', '2026', 1],
  ['2026-01-08', 'ireland', '2026', 2],
] as const)(
  'the tax week of %s, of somebody paid in the %s, is that of %s, number %i',
  (date, id, taxYear, week) => {
    const country = countries.find((each) => each.id === id)
    expect(country && taxWeekOf(country, date)).toEqual({ taxYear, week })
  },
)
