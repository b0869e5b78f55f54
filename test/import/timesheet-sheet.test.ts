import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countries } from '../../src/api/contract/countries/countries.ts'
import { taxWeekOf } from '../../src/verbs/import-timesheets.ts'
import { atTerminal, freshHome, payroll, type Run } from '../payroll.ts'

const heading = 'Staff no,Name,Week ending,Hrs,Pay rate p/h,Rate code,VAT'

/** Imports these lines of a sheet into a sandbox with people, and gives what there is afterwards. */
async function importLines(
  lines: readonly string[],
  { options = [], headings = heading }: { options?: readonly string[]; headings?: string } = {},
) {
  const home = freshHome()
  const sandbox = (...argv: string[]) => payroll(['--profile', 'sandbox', ...argv], { home })
  await sandbox('sandbox', 'seed')
  const file = join(home, 'week.csv')
  writeFileSync(file, `${[headings, ...lines].join('\n')}\n`)
  const run = await sandbox('timesheets', 'import', file, '--yes', ...options)
  const sheets = await sandbox('timesheets', 'list', '--where', 'endDate=2026-05-31')
  const rates: { id: string; code: string }[] = (await sandbox('payment-rates', 'list')).json()
  const idOf = (code: string) => rates.find((rate) => rate.code === code)?.id
  return { run, sheets: sheets.json(), idOf, home }
}

describe('an import of a sheet of timesheets', () => {
  test('an import of a sheet makes one timesheet of the rows of one person and week, and counts every row', async () => {
    const { run, sheets, idOf } = await importLines([
      'SANDBOX-UK-01,Amélie Sample,31/05/2026,37.5,17.30,STD,S',
      'SANDBOX-IE-01,,31/05/2026,20,15.00,STD,IE-S',
      'sandbox-uk-01,"SAMPLE, Amelie",31/05/2026,4,25.95,OT150,S',
    ])
    expect(run.json()).toMatchObject({ rows: 3, created: 3 })
    expect(sheets).toHaveLength(2)
    expect(sheets).toContainEqual(
      expect.objectContaining({
        subcontractorRef: 'SANDBOX-UK-01',
        startDate: '2026-05-25',
        endDate: '2026-05-31',
        taxYear: '2026/27',
        taxPeriodConfig: 'Week 8',
        rates: [
          expect.objectContaining({ rateId: idOf('STD'), rate: '17.30', units: '37.5' }),
          expect.objectContaining({ rateId: idOf('OT150'), rate: '25.95', units: '4' }),
        ],
      }),
    )
    // Ireland counts its tax year from 1 January.
    expect(sheets).toContainEqual(
      expect.objectContaining({
        subcontractorRef: 'SANDBOX-IE-01',
        taxYear: '2026',
        taxPeriodConfig: 'Week 22',
      }),
    )
  })

  test('an import of a sheet asks at a terminal which column has the hours, and holds a total below it against them', async () => {
    const home = freshHome()
    const at = { home, env: { PAYROLL_PROFILE: 'sandbox' } }
    await payroll(['sandbox', 'seed'], at)
    const file = join(home, 'week.csv')
    const rows = ['SANDBOX-UK-01,31/05/2026,37.5,17.30,STD', 'SANDBOX-UK-02,31/05/2026,20,17.30,STD']
    writeFileSync(
      file,
      ['Staff no,Week ending,Booked,Pay rate p/h,Rate code', ...rows, 'TOTAL,,60,,', ''].join('\n'),
    )
    const terminal = atTerminal(['timesheets', 'import', file], at)
    await terminal.type('Column C (Booked): what is it?', 'hour')
    await terminal.type('❯ Hours', '\r')
    await terminal.type('Create 2 timesheets', 'n\r')
    expect((await terminal.ended).err.replace(/\s+/g, ' ')).toContain(
      'column C (Booked): the total says 60, and the rows add up to 57.5',
    )
  })

  test('the preview of a sheet counts rows, says how many timesheets they are, and names the rows that are held with another', async () => {
    const home = freshHome()
    const at = { home, env: { PAYROLL_PROFILE: 'sandbox' } }
    await payroll(['sandbox', 'seed'], at)
    const file = join(home, 'week.csv')
    const rows = [
      'UK-01,,31/05/2026,37.5,17.30,STD,',
      'UK-01,,31/05/2026,4,25.95,OT150,',
      'UK-02,,31/05/2026,8,17.30,STD,',
    ]
    const wrong = ['UK-03,,31/05/2026,37.5,17.30,STD,', 'UK-03,,31/05/2026,4,25.95,NOPE,']
    writeFileSync(file, [heading, ...[...rows, ...wrong].map((row) => `SANDBOX-${row}`), ''].join('\n'))
    const { err } = await atTerminal(['timesheets', 'import', file], at).ended
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

  test('an import of a sheet finds what is wrong with people, weeks, hours and codes before anything is sent', async () => {
    const { run, sheets } = await importLines([
      'SANDBOX-UK-99,,31/05/2026,8,17.30,STD,',
      'Amélie Sample,,31/05/2026,8,17.30,STD,',
      ',Amélie Sample,31/05/2026,8,17.30,STD,',
      'SANDBOX-UK-02,,31/05/2026,400,17.30,STD,',
      'SANDBOX-UK-03,,31/05/2026,,17.30,STD,',
      'SANDBOX-UK-04,,31/05/2026,8,17.30,STD,IE-S',
      'SANDBOX-UK-05,,31/05/1999,8,17.30,STD,',
      'SANDBOX-UK-06,,31/05/2026,8,17.30,STD,',
      'SANDBOX-UK-06,,31/05/2026,8,17.30,STD,',
      'SANDBOX-UK-07,,,8,17.30,STD,',
      'SANDBOX-UK-08,,31/05/2026,400,100,DAY,',
    ])
    expect([run.code, run.out, sheets]).toEqual([3, '', []])
    for (const [row, says] of [
      [2, 'nobody on the service has this reference'],
      [3, 'this is a name: write the reference of the person. Amélie Sample (SANDBOX-UK-01)?'],
      [4, 'a person is found by reference, and by name only at a terminal: Amélie Sample (SANDBOX-UK-01)?'],
      [5, '400 hours: a week has 168'],
      [6, 'no hours'],
      [7, 'IE-S is a VAT code of Ireland'],
      [8, 'after this week'],
      [10, 'the same person, week, rate and hours are in row 9 already'],
      [11, 'no week ending'],
      [12, '3000 hours: a week has 168'],
    ] as const) {
      expect(lineAbout(run, row)).toContain(says)
    }
  })

  test('an import of a sheet refuses a rate in the currency of the other country, and sends nothing', async () => {
    const { run, sheets } = await importLines([
      'SANDBOX-IE-01,,31/05/2026,8,£17.30,STD,',
      'SANDBOX-UK-01,,31/05/2026,8,17.30 EUR,STD,',
      'SANDBOX-UK-02,,31/05/2026,8,£17.30,STD,',
      'SANDBOX-IE-02,,31/05/2026,8,€17.30,STD,',
    ])
    expect([run.code, sheets]).toEqual([3, []])
    expect(lineAbout(run, 2)).toContain('it is in pounds, and pay here is in euros')
    expect(lineAbout(run, 3)).toContain('it is in euros, and pay here is in pounds')
    expect(lineAbout(run, 4) + lineAbout(run, 5)).toBe('')
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
      ready: 3,
      warnings: [
        { row: 2, message: expect.stringContaining('65 hours: more than 60 in a week') },
        { row: 3, message: expect.stringContaining('under this reference') },
        { row: 5, message: expect.stringContaining('row 4 has hours at the same rate') },
      ],
    })
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
