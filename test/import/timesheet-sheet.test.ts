import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { payDateOf } from '../../src/commands/kit/pay-day.ts'
import { settlePeriod } from '../../src/commands/timesheets/tax-period.ts'
import type { JsonObject } from '../../src/files/json/path.ts'
import { countries } from '../../src/model/countries/countries.ts'
import { taxPeriodOf } from '../../src/model/standards/tax-period.ts'
import { dayAfter } from '../../src/text/day.ts'
import { atTerminal, endedWith, freshHome, payroll, type Run } from '../payroll.ts'
import { hostile, sheet, person as somebody } from '../reading/hostile.ts'
import { showList } from './list-shapes.ts'
import { sheetOf } from './week-sheet.ts'

const heading = 'Staff no,Name,Week ending,Hrs,Pay rate p/h,Rate code,VAT'

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

describe('an import of timesheets in JSON', () => {
  const week = { subcontractorRef: 'SANDBOX-UK-05', endDate: '2026-05-31' }
  const line = { rateId: 'STD', rate: '17.30', units: '37.5' }

  async function importJson(name: string, records: readonly object[], ...options: string[]) {
    const at = await sheetOf(heading)
    const file = join(at.home, name)
    const isList = name.endsWith('.json')
    const rows = isList ? JSON.stringify(records) : records.map((each) => JSON.stringify(each)).join('\n')
    writeFileSync(file, rows)
    const run = await payroll(['timesheets', 'import', file, '--yes', ...options], at)
    const sheets = await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)
    return { run, sheets: sheets.json() }
  }

  test.each(['week.ndjson', 'week.json'])(
    'fills a record of %s in as a row of a sheet, and sends only the fields of a timesheet',
    async (name) => {
      const record = { ...week, approved: 'Yes', personName: 'Eilidh Fakenham-Test', rates: [line] }
      const { run, sheets } = await importJson(name, [record], '--pay-date', '2026-06-12')
      expect(run, run.err).toMatchObject({ code: 0 })
      expect(sheets).toMatchObject([
        {
          startDate: '2026-05-25',
          taxYear: '2026/27',
          taxPeriodConfig: 'Week 10',
          rates: [{ units: '37.5' }],
        },
      ])
      for (const field of ['approved', 'personName']) expect(sheets[0]).not.toHaveProperty(field)
    },
  )

  test.each<[string, object, number]>([
    ['nobody on the service has this reference', { subcontractorRef: 'NOBODY', rates: [line] }, 3],
    ['the service has no such payment rate', { rates: [{ ...line, rateId: 'zzz' }] }, 3],
    ['300 hours: a week has 168', { rates: [{ ...line, units: '300' }] }, 3],
    ['under this reference', { personName: 'Somebody Else', rates: [line] }, 3],
    ['not marked as approved', { approved: 'No', rates: [line] }, 3],
  ])('sends nothing of a record of which a sheet would say: %s', async (says, more, code) => {
    const { run, sheets } = await importJson('week.ndjson', [{ ...week, ...more }])
    expect([run.code, sheets]).toEqual([code, []])
    expect(run.err).toContain(says)
  })
})

test('what a list shows of all timesheets can be imported again, unless the id is of another one, or it was changed since', async () => {
  const at = await sheetOf(heading)
  const listed = await payroll(['timesheets', 'list', '-o', 'ndjson'], at)
  const file = join(at.home, 'listed.ndjson')
  const again = async (text: string) => {
    writeFileSync(file, text)
    return payroll(['timesheets', 'import', file, '--update', '--yes'], at)
  }
  const run = await again(listed.out)
  expect([run.code, run.json()], run.err).toMatchObject([0, { rows: 120, unchanged: 120 }])
  const [one = '', other = ''] = listed.out.split('\n')
  const { id } = JSON.parse(other)
  expect(await again(JSON.stringify({ ...JSON.parse(one), id }))).toMatchObject(
    endedWith(3, 'the id in the row is that of SANDBOX-UK-02'),
  )
  expect(
    await payroll(['timesheets', 'update', id, '--set', 'rates[0].units=12', '--yes'], at),
  ).toMatchObject({
    code: 0,
  })
  expect(await again(other)).toMatchObject(
    endedWith(9, 'somebody changed it after the record in the file was read'),
  )
})

describe('an import of a sheet of timesheets', () => {
  test.each([
    ['2025-06-05', 'the pay date 5 June 2025 is before the first day of the work: is its year right?'],
    ['2027-06-04', 'the pay date 4 June 2027 is more than three months after the work: is its year right?'],
    ['2026-05-29', undefined],
    ['2026-08-28', undefined],
  ])('doubts a pay date of %s, and --strict refuses it: %s', async (date, says) => {
    const lines = ['SANDBOX-UK-01,,31/05/2026,37.5,17.30,STD,S']
    const { run } = await importLines(lines, { options: ['--pay-date', date, '--strict'] })
    if (says === undefined) expect(run, run.err).toMatchObject({ code: 0 })
    else expect(run).toMatchObject(endedWith(3, says))
  })

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

  test('leaves out hours that are not marked as approved, with all of their timesheet, and sends the others: exit 9', async () => {
    const { run, sheets, home } = await importLines(
      [
        'SANDBOX-UK-01,,31/05/2026,37.5,17.30,STD,S,Y',
        'SANDBOX-UK-01,,31/05/2026,4,25.95,OT150,S,Pending',
        'SANDBOX-UK-02,,31/05/2026,30,17.30,STD,S,N',
        'SANDBOX-UK-03,,31/05/2026,30,17.30,STD,S,',
        'SANDBOX-UK-04,,31/05/2026,30,17.30,STD,S,Approved',
      ],
      { headings: `${heading},Approved?` },
    )
    expect([run.code, run.json()]).toMatchObject([9, { rows: 5, created: 1, invalid: 4 }])
    expect(sheets.map(({ subcontractorRef }: any) => subcontractorRef)).toEqual(['SANDBOX-UK-04'])
    expect(sheets[0]).not.toHaveProperty('approved')
    const rejects = readFileSync(join(home, 'week.rejects.csv'), 'utf8')
    expect(rejects.match(/not marked as approved/g)).toHaveLength(3)
  })

  test('an import of a sheet says before it sends what the hours and the pay come to, in each currency, and keeps the keys of a dry run', async () => {
    const at = await sheetOf(
      heading,
      'SANDBOX-UK-01,,31/05/2026,1000.5,17.35,STD,S',
      'SANDBOX-UK-01,,31/05/2026,4.25,25.95,OT150,S',
      'SANDBOX-IE-01,,31/05/2026,20,15.00,STD,IE-S',
      'SANDBOX-UK-02,,31/05/2026,10,,STD,S',
    )
    const says = '3 timesheets, 1,034.75 hours, £17,468.97 and €300.00 without 1 line that has no pay rate'
    const argv = [...at.argv, '--pay-date', '2026-06-05']
    const shown = await atTerminal([...argv, '--dry-run'], { ...at, columns: 120 }).ended
    expect(shown.out).toContain(`week.csv, 4 rows:\n  ${says}\n`)
    const keys = ['rows', 'ready', 'invalid', 'warnings', 'columns', 'invalidCount', 'warningCount']
    expect(Object.keys((await payroll([...argv, '--dry-run'], at)).json())).toEqual(keys)
  })

  test('an import of a sheet doubts pay below the minimum wage on the first day of the week, whatever the unit of the rate', async () => {
    const at = await sheetOf(
      heading,
      'SANDBOX-UK-01,,31/05/2026,37.5,11.90,STD,S',
      'SANDBOX-UK-02,,31/05/2026,37.5,17.30,STD,S',
      'SANDBOX-IE-01,,31/05/2026,20,14.00,,IE-S',
    )
    const { warnings } = (
      await payroll([...at.argv, '--dry-run', '--json', '--pay-date', '2026-06-05'], at)
    ).json()
    const low = warnings.filter(({ message }: any) => message.includes('minimum'))
    expect(low).toMatchObject([
      {
        row: 2,
        path: 'rates[0].rate',
        message: expect.stringMatching(/^column E \(.*\): £11\.90 is below the minimum of £12\.71/),
      },
      {
        row: 4,
        path: 'rates[0].rate',
        message: expect.stringMatching(/€14\.00 is below the minimum of €14\.15/),
      },
    ])
  })

  test('an import of a sheet tells the history of two weeks of one person, whose answers were lost, that both were created', async () => {
    const rows = ['SANDBOX-UK-01,24/05/2026,37.5,17.30,STD,S', 'SANDBOX-UK-01,31/05/2026,20,17.30,STD,S']
    const at = await sheetOf('Staff no,Week ending,Hrs,Pay rate p/h,Rate code,VAT', ...rows)
    at.intercept(async ({ method }, response, carryOut) => {
      if (method !== 'POST') return false
      await carryOut()
      response.destroy()
      return true
    })
    const run = await payroll([...at.argv, '--yes', '--json', '--settle', '0'], at)
    expect(run.json()).toMatchObject({ rows: 2, created: 2 })
    const history = (await payroll(['history', '--json'], at)).json()
    expect(history).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }])
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
    expect(err).toMatch(
      /5 rows:\s+3 timesheets, [^\n]+\s+3 {2}to create \(2 timesheets\)\s+2 {2}to put right/,
    )
    expect(err.replace(/\s+/g, ' ')).toContain(
      'it is not sent, because row 6 of the same timesheet is wrong: row 5',
    )
  })

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
    expect(rejects[1]).toContain('row 3 of the same timesheet is wrong')
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
        'write the reference of the person, because a name counts only once somebody at a terminal said who it is: Amélie Sample (SANDBOX-UK-01)?',
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

  test('an import of a sheet knows the day of a start that the list shows as a midnight of summer', async () => {
    const at = await sheetOf(heading, 'SANDBOX-UK-01,,31/05/2026,8,17.30,STD,')
    const starts = { dateOfJoining: '2026-05-31T23:00:00.000Z' }
    showList(at, (items) =>
      items.map((item) => (item.agencyRef === 'SANDBOX-UK-01' ? { ...item, ...starts } : item)),
    )
    const run = await payroll([...at.argv, '--yes'], at)
    expect(run.code).toBe(3)
    expect(lineAbout(run, 2)).toContain('starts on 1 June 2026, after this week')
  })

  test('an import of a sheet takes holiday that is left over after the last day, and asks of other hours', async () => {
    const at = await sheetOf(
      heading,
      'SANDBOX-UK-01,,31/05/2026,210,17.30,HOLIDAY,',
      'SANDBOX-UK-02,,31/05/2026,8,17.30,STD,',
      'SANDBOX-UK-03,,31/05/2026,8,17.30,STD,',
    )
    const rate = { code: 'HOLIDAY', description: 'Holiday pay', type: 'RATE', units: 'HOURLY' }
    writeFileSync(join(at.home, 'rate.json'), JSON.stringify({ ...rate, status: 'ACTIVE' }))
    const made = await payroll(['payment-rates', 'create', '--file', join(at.home, 'rate.json'), '--yes'], at)
    expect(made.code).toBe(0)
    const back = { dateOfJoining: '2026-05-04', dateLeft: '2025-10-31' }
    showList(at, (items) =>
      items.map((item) => {
        if (item.agencyRef === 'SANDBOX-UK-03') return { ...item, ...back }
        return /UK-0[12]$/.test(String(item.agencyRef)) ? { ...item, dateLeft: '2026-05-20' } : item
      }),
    )
    const run = await payroll([...at.argv, '--yes', '--pay-date', '5/6/2026'], at)
    expect(run.code).toBe(3)
    expect([2, 4].map((row) => lineAbout(run, row))).toEqual(['', ''])
    expect(lineAbout(run, 3)).toContain('left on 20 May 2026, before this week')
  })

  test('an import of a sheet says once of hours and of a week that they cannot be read', async () => {
    const { run } = await importLines(['SANDBOX-UK-01,,46118,"0,375",17.30,STD,'])
    expect(run.code).toBe(3)
    expect(lineAbout(run, 2)).toContain('expected a number, such as 37.5')
    expect(lineAbout(run, 2)).toContain('the day number of a spreadsheet')
    expect(lineAbout(run, 2)).not.toMatch(/no hours|no week ending/)
  })

  test('an import of a sheet doubts long weeks and a second line at one rate', async () => {
    const { run } = await importLines(
      [
        'SANDBOX-UK-01,,31/05/2026,65,17.30,STD,',
        'SANDBOX-UK-03,,31/05/2026,8,17.30,STD,',
        'SANDBOX-UK-03,,31/05/2026,7,17.30,STD,',
      ],
      { options: ['--dry-run', '--pay-date', '5/6/2026'] },
    )
    expect(run.json()).toMatchObject({
      ...{ rows: 3, ready: 3 },
      warnings: [
        { row: 2, message: expect.stringContaining('65 hours: more than 60 in a week') },
        { row: 4, message: expect.stringContaining('row 3 has hours at the same rate') },
        { row: 0, message: 'tax period: 2026/27 Week 9 (3 rows), by the pay date 5 June 2026' },
      ],
    })
  })

  test.each([
    ['20,17.30', '20,17.3'],
    ['20.0,17.30', '20,17.30'],
    ['020,17.30', '20,17.30'],
  ])('an import of a sheet refuses a line that is there twice, written %s and %s', async (one, other) => {
    const rows = [one, other].map((cells) => `SANDBOX-UK-01,,31/05/2026,${cells},STD,`)
    const { run, sheets } = await importLines(rows)
    expect([run.code, sheets]).toEqual([3, []])
    expect(lineAbout(run, 3)).toContain('the same person, week, rate and hours are in row 2 already')
  })

  test('a rate of ten times the hourly rate of the person is doubted, and double time is not', async () => {
    const rows = ['01,,31/05/2026,8,214.00,STD,', '02,,31/05/2026,8,30.00,STD,']
    const { run } = await importLines(rows.map((row) => `SANDBOX-UK-${row}`))
    expect(lineAbout(run, 2)).toContain('£214.00 an hour, and the hourly rate of Amélie Sample is £21.40')
    expect(lineAbout(run, 3)).toBe('')
  })

  test('what is hardly meant holds a row back in a script: another name, negative hours, 1730 an hour, a week of another decade', async () => {
    const rows = ['01,,31/05/2026,8,-3,STD,', '02,,31/05/2026,8,0,STD,', '03,,31/05/2026,8,1730,STD,']
    const others = ['04,,31/05/2026,8,,,', '05,,31/05/2046,8,17.30,STD,']
    // A day has more hours than one.
    const last = [
      '06,,31/05/2026,5,620,DAY,',
      '07,Somebody Else,31/05/2026,8,17.30,STD,',
      '08,,31/05/2026,-8,17.30,STD,',
    ]
    const { run } = await importLines(
      [...rows, ...others, ...last].map((row) => `SANDBOX-UK-${row}`),
      { options: ['--dry-run', '--pay-date', '2026-06-05'] },
    )
    const texts = (remarks: any[]) =>
      remarks
        .filter(({ row }) => row > 0)
        .map(({ row, message }: any) => `${row} ${message.replace(/^column . \(.*?\): /, '')}`)
    const { warnings, invalid } = run.json()
    expect(texts(invalid)).toEqual([
      '2 negative pay rate',
      '4 more than 500 an hour',
      '6 more than a year ahead: is the date right?',
      expect.stringContaining('8 the service has'),
      expect.stringMatching(/^9 negative hours: .* --update$/),
    ])
    expect(texts(warnings)).toEqual(
      expect.arrayContaining(['3 a pay rate of 0', '5 neither a pay rate nor a rate code says what is paid']),
    )
  })

  test.each([
    ['with a title', 'Ref,Name,W/E,Hours,Rate', ['SANDBOX-UK-01,"Sample, Ms Amélie",31/05/2026,8,14.20']],
    [
      'in two columns',
      'Ref,First name,Surname,W/E,Hours,Rate',
      ['SANDBOX-UK-01,amelie,SAMPLE,31/05/2026,8,14.20'],
    ],
  ])('a name is compared %s', async (_, names, [line = '']) => {
    const right = await sheetOf(names, line)
    expect((await payroll([...right.argv, '--yes'], right)).code).toBe(0)
    const wrong = await sheetOf(names, line.replace(/sample/i, 'Else'))
    expect(await payroll([...wrong.argv, '--yes'], wrong)).toMatchObject(endedWith(3, 'under this reference'))
  })

  test.each([
    [
      'rows of their own, with totals between',
      [
        'Ref,Hours,Rate',
        'Week ending 24/05/2026,,',
        'SANDBOX-UK-01,37.5,14.20',
        'SANDBOX-UK-01 Total,37.5,',
        'W/E: 31/05/2026,,',
        'SANDBOX-UK-01,20,14.20',
        'Grand total,57.5,',
      ],
    ],
    [
      'a row above each table with its headings',
      [
        'Example Staffing,,',
        'W/E:,24/05/2026,',
        'Ref,Hours,Rate',
        'SANDBOX-UK-01,37.5,14.20',
        'W/E:,31/05/2026,',
        'Ref,Hours,Rate',
        'SANDBOX-UK-01,20,14.20',
      ],
    ],
  ])('two weeks of one sheet are said by %s', async (_, [headings = '', ...lines]) => {
    const at = await sheetOf(headings, ...lines)
    expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(
      endedWith(0, '31/05/2026: it is the week of the rows below'),
    )
    const there = await payroll(['timesheets', 'list', '--where', 'endDate>=2026-05-20'], at)
    const weeks = there.json().map(({ endDate, rates }: any) => [endDate, rates[0].units])
    expect(weeks).toEqual([
      ['2026-05-24', '37.5'],
      ['2026-05-31', '20'],
    ])
  })

  test('a row of a sheet that says its weeks once has its week in the file of rejected rows', async () => {
    const at = await sheetOf(
      'Week ending 24/05/2026,,',
      'Ref,Hours,Rate',
      'NOBODY,37.5,14.20',
      'SANDBOX-UK-01,30,14.20',
      'Week ending 31/05/2026,,',
      'SANDBOX-UK-02,oops,14.20',
    )
    expect((await payroll([...at.argv, '--yes', '--ready-only'], at)).code).toBe(9)
    const rejects = join(at.home, 'week.rejects.csv')
    const right = readFileSync(rejects, 'utf8').replace('NOBODY', 'SANDBOX-UK-03').replace('oops', '20')
    writeFileSync(rejects, right)
    expect((await payroll(['timesheets', 'import', rejects, '--yes'], at)).code).toBe(0)
    const there = await payroll(['timesheets', 'list', '--where', 'endDate>=2026-05-20'], at)
    const weeks = there
      .json()
      .map(({ subcontractorRef, endDate, rates }: any) => [subcontractorRef, endDate, rates[0].units])
    expect(weeks).toEqual([
      ['SANDBOX-UK-01', '2026-05-24', '30'],
      ['SANDBOX-UK-03', '2026-05-24', '37.5'],
      ['SANDBOX-UK-02', '2026-05-31', '20'],
    ])
  })

  test('a row above the first week of a sheet has none', async () => {
    const at = await sheetOf(
      'Ref,Hours,Rate',
      'SANDBOX-UK-01,37.5,14.20',
      'Week ending 31/05/2026,,',
      'SANDBOX-UK-02,30,14.20',
    )
    expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(
      endedWith(3, 'row 2: cell A3 (Week ending): '),
    )
  })

  test('a day that cannot be added up is not shown with the week of a row above', async () => {
    const at = await sheetOf(
      'Ref,Mon,Tue,Wed,Rate',
      'Week ending 31/05/2026,,,,',
      'SANDBOX-UK-01,8,x,8,14.20',
    )
    const { out } = await payroll([...at.argv, '--dry-run', '-o', 'table'], at)
    expect(out.replace(/\s+/g, ' ')).toContain('C3 is not a number of hours: row 3 Doubtful')
  })

  test('an import of a sheet whose hours may be hours and minutes is not sent with --strict', async () => {
    const at = await sheetOf('Ref,W/E,Hours,Rate', 'SANDBOX-UK-01,31/05/2026,7.30,17.30')
    expect(await payroll([...at.argv, '--strict', '--yes'], at)).toMatchObject(
      endedWith(3, /^Error: The file is doubtful, and --strict/),
    )
  })

  test('the hours of a day that are added up may be hours and minutes too', async () => {
    const at = await sheetOf('Ref,W/E,Mon,Tue,Wed,Rate', 'SANDBOX-UK-01,31/05/2026,7.30,8,8,17.30')
    const run = await payroll([...at.argv, '--dry-run'], at)
    expect(run.out).toContain('column C (Mon): 7.30 in C2 is read as a decimal, and not as hours and minutes')
  })

  test.each([
    ['a Monday among Sundays', 'W/E', ['31/05/2026', '31/05/2026', '01/06/2026'], true],
    ['a Monday among first days that are Tuesdays', 'W/C', ['26/05/2026', '26/05/2026', '25/05/2026'], true],
    ['as many Mondays as Sundays', 'W/E', ['31/05/2026', '31/05/2026', '01/06/2026', '01/06/2026'], false],
    ['Sundays of several weeks', 'W/E', ['31/05/2026', '24/05/2026', '17/05/2026'], false],
  ])(
    'of a sheet with %s (%s: %j), the last week is doubted for its weekday with a pay date too: %s',
    async (_, name, days, isDoubted) => {
      const at = await sheetOf(
        `Staff no,${name},Hours,Rate`,
        ...days.map((day, at) => `SANDBOX-UK-0${at + 1},${day},8,17.30`),
      )
      const run = await payroll([...at.argv, '--dry-run', '--pay-date', '5 June 2026'], at)
      const doubts = run.json().warnings.filter(({ message }: any) => message.includes('the week ends on a'))
      expect(doubts.map(({ row }: any) => row)).toEqual(isDoubted ? [4] : [])
      if (isDoubted)
        expect(doubts[0].message).toMatch(
          /^column B \(W\/[EC]\): the week ends on a \w+day, and in 2 other rows on a \w+day: is the day right\?$/,
        )
    },
  )

  test('at a terminal a row with the name of somebody else is asked about', async () => {
    const at = await sheetOf(heading, 'SANDBOX-UK-02,Somebody Else,31/05/2026,8,17.30,STD,')
    const terminal = atTerminal(at.argv, at)
    await terminal.type('Create 1 timesheet, 1 of them doubtful,', 'n\r')
    expect((await terminal.ended).err.replace(/\s+/g, ' ')).toContain('under this reference')
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

  test('the tax week goes by the day of pay, which an option says, or the profile, and is said', async () => {
    const line = 'SANDBOX-UK-01,,2027-04-05,8,17.30,STD,'
    const at = await sheetOf(heading, line, line.replace('UK-01', 'UK-02'))
    const without = await payroll([...at.argv, '--dry-run', '--json'], at)
    expect(without.json().warnings).toContainEqual({
      ...{ row: 0, path: '' },
      message: expect.stringMatching(
        /^tax period: 2026\/27 Week 53 \(2 rows\), by the last day of the week, because no pay date is known/,
      ),
    })
    const home = { home: at.home, env: { PAYROLL_API_KEY: at.env.PAYROLL_API_KEY } }
    const set = (...words: string[]) =>
      payroll(['profiles', 'set', 'acme', '--base-url', at.env.PAYROLL_BASE_URL, ...words], home)
    await set()
    const unset = await payroll([...at.argv, '--dry-run', '--profile', 'acme'], home)
    expect(unset.out).toContain('or keep the weekday with payroll profiles set acme --pay-day friday')
    await set('--pay-day', 'friday')
    const other = await payroll([...at.argv, '--dry-run', '--json', '--profile', 'acme'], home)
    expect(other.json().warnings).toContainEqual({
      ...{ row: 0, path: '' },
      message: 'tax period: 2027/28 Week 1 (2 rows), by the Friday after each week, on which it is paid',
    })
    expect(await payroll([...at.argv, '--yes', '--pay-date', '9 April 2027'], at)).toMatchObject(
      endedWith(0, 'tax period: 2027/28 Week 1 (2 rows), by the pay date 9 April 2027'),
    )
  })

  test.each([
    // The last day alone: the work is paid in the next year.
    ['Tax week', '1', [], '2027/28', 'Week 1', undefined],
    ['Tax month', '1', [], '2027/28', 'Month 1', undefined],
    ['Tax week,Tax year', '1,2027/28', [], '2027/28', 'Week 1', undefined],
    ['Tax week,Tax year', '1,2027', [], '2027/28', 'Week 1', undefined],
    ['Tax week', '53', [], '2026/27', 'Week 53', undefined],
    ['Tax week', '1', ['--pay-date', '2027-04-09'], '2027/28', 'Week 1', undefined],
    [
      ...(['Tax week,Tax year', '1,2026/27', [], '2026/27', 'Week 1'] as const),
      'week 1 of 2026/27 is far from tax week 52, which has 4 April 2027, the last day',
    ],
    [
      ...(['Tax week', '53', ['--pay-date', '2027-04-09'], '2026/27', 'Week 53'] as const),
      'week 53 would be of 2026/27, which is not the tax year of the pay date 9 April 2027: that is 2027/28',
    ],
  ] as const)(
    'the week of a sheet at the turn of a tax year is sent with its own year: %s %s %j',
    async (headings, cells, options, taxYear, taxPeriodConfig, doubt) => {
      const at = await sheetOf(`${heading},${headings}`, `SANDBOX-UK-01,,2027-04-04,8,17.30,STD,,${cells}`)
      const run = await payroll([...at.argv, '--yes', ...options], at)
      const list = await payroll(['timesheets', 'list', '--where', 'endDate=2027-04-04'], at)
      expect(list.json()).toMatchObject([{ taxYear, taxPeriodConfig }])
      expect(lineAbout(run, 2)).toContain(doubt ?? '')
      expect(run.err.includes('tax year of') || run.err.includes('far from')).toBe(doubt !== undefined)
      // A year that only the number of a week says is told.
      const isGuess = options.length === 0 && !headings.includes('year') && taxYear === '2027/28'
      const says = `taken for ${taxPeriodConfig.toLowerCase()} of ${taxYear}, because no pay date is known`
      expect(run.err.includes(says)).toBe(isGuess)
    },
  )

  test('hours that a later sheet corrects do not move to another tax year without a word', async () => {
    const heading = 'Staff no,Week ending,Hours,Rate'
    const at = await sheetOf(heading, 'SANDBOX-UK-01,2027-03-28,37.5,17.30')
    const paid = (day: string) => ['--yes', '--pay-date', day]
    expect((await payroll([...at.argv, ...paid('2027-04-02')], at)).code).toBe(0)
    // Nobody edited the row.
    expect(await payroll([...at.argv, ...paid('2027-04-09')], at)).toMatchObject(
      endedWith(9, 'this import created it with other values'),
    )
    writeFileSync(at.argv[2] ?? '', `${heading}\nSANDBOX-UK-01,2027-03-28,38.5,17.30\n`)
    const correcting = (day: string) => payroll([...at.argv, '--update', ...paid(day), '--dry-run'], at)
    expect((await correcting('2027-04-09')).out).toContain(
      'moves from 2026/27 to 2027/28 with all its hours: were they paid in 2026/27?',
    )
    expect((await correcting('2027-04-02')).out).not.toContain('moves from')
  })

  test('hours of days whose minimum wage is not known are said once not to have been held against it', async () => {
    const line = 'SANDBOX-UK-01,,2027-04-11,8,17.30,STD,'
    const at = await sheetOf(heading, line, line.replace('UK-01', 'UK-02'))
    const run = await payroll([...at.argv, '--yes', '--quiet', '--pay-date', '2027-04-16'], at)
    expect(run.err.match(/pay in the UK was not held against the minimum wage.*/g)).toEqual([
      'pay in the UK was not held against the minimum wage: payroll has none for 5 April 2027. To add it: payroll help facts import',
    ])
    const known = await sheetOf(heading, line.replace('2027-04-11', '2027-03-28'))
    const other = await payroll([...known.argv, '--yes', '--pay-date', '2027-04-02'], known)
    expect([other.code, other.err.includes('held against the minimum')]).toEqual([0, false])
  })

  test('a tax year in which the pay date is not has no tax week that could be filled in', async () => {
    const at = await sheetOf(`${heading},Tax year`, 'SANDBOX-UK-01,,2027-04-04,8,17.30,STD,,2026/27')
    expect(await payroll([...at.argv, '--yes', '--pay-date', '2027-04-09'], at)).toMatchObject(
      endedWith(3, '2026/27 is not the tax year of the pay date 9 April 2027: that is 2027/28'),
    )
    const next = await sheetOf(`${heading},Tax year`, 'SANDBOX-UK-01,,2027-04-04,8,17.30,STD,,2027/28')
    expect(await payroll([...next.argv, '--yes'], next)).toMatchObject(
      endedWith(3, 'the last day: that is 2026/27. Add --pay-date with the day of pay'),
    )
    expect(await payroll([...next.argv, '--yes', '--pay-date', '2027-04-09'], next)).toMatchObject(
      endedWith(0, 'tax period: 2027/28 Week 1 (1 row), by the pay date 9 April 2027'),
    )
  })

  test('somebody who is paid by the month has a tax month', async () => {
    const at = await sheetOf(heading, 'SANDBOX-UK-01,,31/05/2026,8,17.30,STD,')
    await payroll(['candidates', 'update', 'SANDBOX-UK-01', '--set', 'payFrequency=MONTHLY', '--yes'], at)
    expect((await payroll([...at.argv, '--yes', '--pay-date', '2026-06-30'], at)).code).toBe(0)
    expect((await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)).json()).toMatchObject(
      [{ taxYear: '2026/27', taxPeriodConfig: 'Month 3' }],
    )
  })

  test('columns with a tax year and a tax month are held against the dates, and sent', async () => {
    const { run, sheets } = await importLines(['SANDBOX-UK-01,31/05/2026,8,17.30,2019/20,8'], {
      headings: 'Staff no,W/E,Units,Rate,Tax year,Tax month',
      options: ['--pay-date', '2026-06-05'],
    })
    expect([run.code, sheets]).toMatchObject([0, [{ taxYear: '2019/20', taxPeriodConfig: 'Month 8' }]])
    expect(run.err).toContain(
      'month 8 of 2019/20 is far from tax month 2, which has the pay date 5 June 2026',
    )
    expect(run.err).toContain('2019/20 is not the tax year of the pay date 5 June 2026: that is 2026/27')
  })

  test('hours that come of units say what was multiplied', async () => {
    const { run } = await importLines([
      'SANDBOX-UK-01,,31/05/2026,22.5,100,DAY,',
      'SANDBOX-UK-01,,31/05/2026,15,17.30,STD,',
    ])
    expect(run.err).toMatch(
      /183\.75 hours in 2 rows: a week has 168 \(22\.5 DAY of 7\.5 hours and 15 STD of 1 hour: are they hours already\?\)/,
    )
  })
})

const lineAbout = ({ err }: Run, row: number) =>
  err
    .split('\n')
    .filter((line) => line.includes(`row ${row}:`))
    .join('\n')

test.each([
  ['2026-04-05', 'uk', '2025/26', 53, 12],
  ['2026-04-06', 'uk', '2026/27', 1, 1],
  ['2026-04-12', 'uk', '2026/27', 1, 1],
  ['2026-04-13', 'uk', '2026/27', 2, 1],
  ['2026-05-05', 'uk', '2026/27', 5, 1],
  ['2026-05-06', 'uk', '2026/27', 5, 2],
  ['2027-01-05', 'uk', '2026/27', 40, 9],
  ['2026-12-31', 'ireland', '2026', 53, 12],
  ['2026-01-01', 'ireland', '2026', 1, 1],
  ['2026-01-08', 'ireland', '2026', 2, 1],
] as const)(
  'the tax period of %s, of somebody paid in the %s, is that of %s, week %i and month %i',
  (date, id, taxYear, week, month) => {
    const country = countries.find((each) => each.id === id)
    expect(country && taxPeriodOf(country, date)).toEqual({ taxYear, week, month })
  },
)

test.each([
  ['friday', '2026-05-31', '2026-06-05'],
  // A week that ends on the pay day is paid a week later.
  ['friday', '2026-05-29', '2026-06-05'],
  ['sunday', '2026-05-30', '2026-05-31'],
] as const)('on a %s, a week that ended on %s is paid on %s', (weekday, last, paid) => {
  expect(payDateOf({ weekday }, last)).toBe(paid)
})

/** What becomes of the tax period of a row, and what is said of it. */
function settled(
  says: { readonly year?: string; readonly week?: string; readonly month?: string },
  paid: string,
  frequency = 'WEEKLY',
) {
  const record = { taxYear: says.year ?? null, taxPeriodConfig: null }
  const said: string[] = []
  const say = (_: string, message: string) => void said.push(message)
  const [country = expect.unreachable()] = countries
  const of = { country, frequency, payDay: { date: paid }, last: dayAfter(paid, -5) }
  const written = { week: says.week ?? null, month: says.month ?? null }
  settlePeriod(record, written, of, { wrong: say, doubt: say, hold: say })
  return [`${record.taxYear} ${record.taxPeriodConfig}`, said.join()]
}

test.each([
  ['FORTNIGHTLY', '2027-04-05', 'Week 54'],
  ['FOUR_WEEKLY', '2027-04-05', 'Week 56'],
  ['QUARTERLY', '2027-04-05', 'Month 12'],
  // 20 November 2026 is in week 33 of the year.
  ['WEEKLY', '2026-11-20', 'Week 33'],
  ['FORTNIGHTLY', '2026-11-20', 'Week 34'],
  ['FOUR_WEEKLY', '2026-11-20', 'Week 36'],
])('for somebody who is paid %s, %s is in %s', (frequency, paid, period) => {
  expect(settled({}, paid, frequency)).toEqual([`2026/27 ${period}`, ''])
  expect(settled({ week: '36' }, '2026-11-20', 'FOUR_WEEKLY')).toEqual(['2026/27 Week 36', ''])
})

test.each([
  [{ week: '22' }, '2026/27 Week 22', 'week 22 is far from tax week 9, which has the pay date 5 June 2026'],
  [{ week: '10' }, '2026/27 Week 10', ''],
  [{ week: '60' }, '2026/27 Week 9', 'there is no tax week 60'],
  [{ month: '2' }, '2026/27 Month 2', ''],
  [{ month: '13' }, '2026/27 Week 9', 'there is no tax month 13'],
  [{ year: '2026' }, '2026/27 Week 9', ''],
  [{ year: '26-27' }, '2026/27 Week 9', ''],
  [{ year: 'this year' }, 'this year Week 9', 'expected a tax year, as 2026/27'],
])('a tax period %j in a sheet is held against the dates: %s, %s', (written, period, says) => {
  expect(settled(written, '2026-06-05')).toEqual([period, says])
})

test('an id that looks like the reference of somebody else names nobody where timesheets have references', async () => {
  const people = [1, 2, 3, 4].map((number) =>
    somebody(number, { id: `${5 - number}`, agencyRef: `000${number}` }),
  )
  const { run } = await hostile({
    uk: people,
    timesheets: ['0001', '0002', '0003'].map((of) => sheet(of, '2026-11-16', '2026-11-22')),
  })
  const file = join(freshHome(), 'week.csv')
  const importing = (name: string) => {
    writeFileSync(file, `Reference,Week ending,Hours,Rate\n${name},2026-11-22,37,20\n`)
    return run(`timesheets import ${file} --dry-run --pay-date 2026-11-27`)
  }
  expect((await importing('0004')).err).not.toContain('names people')
  expect(await importing('4')).toMatchObject(endedWith(3, 'Ann Sample1 (0001) has the id 4'))
  // Shown as numbers, in the week of the sheet and with the ids of others.
  const shown = {
    uk: people,
    timesheets: [1, 2, 3].map((of) => ({
      ...sheet('', '2026-11-16', '2026-11-22'),
      id: `s${of}`,
      subcontractorRef: of,
    })),
  }
  writeFileSync(file, 'Reference,Week ending,Hours,Rate\n0004,2026-11-22,37,20\n')
  const words = `timesheets import ${file} --dry-run --pay-date 2026-11-27 --json`
  expect((await (await hostile(shown)).run(words)).json()).toMatchObject({ ready: 1, invalid: [] })
})

test.each([
  ['id-1', 'UK-1', '(UK-2) has the id id-2. Write id-2 in its place'],
  ['UK-1', 'id-1', 'by their references in timesheets: Ann Sample2 (UK-2) has the id id-2'],
])(
  'hours of %s are not sent again under %s, nor those of others under such a name',
  async (listed, typed, says) => {
    const { run } = await hostile({
      uk: [somebody(1), somebody(2)],
      timesheets: [sheet(listed, '2026-11-16', '2026-11-22')],
    })
    const file = join(freshHome(), 'week.csv')
    const importing = (name: string, more = '') => {
      writeFileSync(file, `Reference,Week ending,Hours,Rate\n${name},2026-11-22,37,20\n`)
      return run(`timesheets import ${file} --yes --pay-date 2026-11-27 ${more}`.trim())
    }
    // With --update too: a second one would be paid beside the one that is to be corrected.
    for (const more of ['', '--update', '--overlapping']) {
      const twice = await importing(typed, more)
      expect(twice).toMatchObject(endedWith(3, says.replaceAll('2', '1')))
      expect(twice.err).not.toContain('whose days overlap')
    }
    expect((await importing(listed)).err).not.toContain('names people')
    expect(await importing(typed.replace('1', '2'))).toMatchObject(endedWith(3, says))
  },
)

test('where one person is named by the id besides, hours are not sent twice', async () => {
  const { run } = await hostile({
    uk: [somebody(1), somebody(2)],
    timesheets: [
      sheet('UK-1', '2026-11-09', '2026-11-15'),
      sheet('UK-2', '2026-11-09', '2026-11-15'),
      sheet('id-2', '2026-11-16', '2026-11-22'),
    ],
  })
  const file = join(freshHome(), 'week.csv')
  const importing = async (name: string) => {
    writeFileSync(file, `Reference,Week ending,Hours,Rate\n${name},2026-11-22,37,20\n`)
    return run(`timesheets import ${file} --dry-run --json --pay-date 2026-11-27`)
  }
  expect((await importing('UK-1')).json()).toMatchObject({ ready: 1, invalid: [] })
  expect((await importing('UK-2')).json()).toMatchObject({
    invalid: [
      {
        message: expect.stringContaining('Ann Sample2 (UK-2) has the id id-2'),
      },
    ],
  })
})

describe('whose hours a row has', () => {
  const week = ['2026-11-16', '2026-11-22'] as const
  const importing = async (
    uk: readonly JsonObject[],
    timesheets: readonly JsonObject[],
    rows: readonly string[],
    more = '',
    who = 'Reference',
  ) => {
    const file = join(freshHome(), 'week.csv')
    writeFileSync(
      file,
      [`${who},Week ending,Hours,Rate`, ...rows.map((of) => `${of},2026-11-22,37,20`)].join('\n'),
    )
    const { run } = await hostile({ uk, timesheets })
    return (
      await run(`timesheets import ${file} --dry-run --json --pay-date 2026-11-27 ${more}`.trim())
    ).json()
  }

  test.each([
    ['of a new timesheet', 3, ''],
    ['of one that is changed', 4, '--update'],
  ])(
    '%s is not guessed where the service takes the reference for the id of somebody else',
    async (_, count, more) => {
      const people = [1, 2, 3, 4].map((number) =>
        somebody(number, { agencyRef: `${number}`, id: `${number === 4 ? 1 : number + 4}` }),
      )
      const timesheets = ['5', '6', '7', '1'].map((of) => sheet(of, ...week, { id: `s${of}` }))
      const message = expect.stringContaining(
        'by their ids in timesheets: Ann Sample1 (1) has the id 5, Ann Sample4 (4) has the id 1',
      )
      expect(await importing(people, timesheets.slice(0, count), ['1'], more)).toMatchObject({
        ready: 0,
        invalid: [{ message }],
      })
    },
  )

  const names = ['Ann Sample1', 'Ann Sample4']
  test.each([
    ['1', names[1], ['2', '3', '4'], 1, []],
    ['1', names[0], ['2', '3', '4'], 0, ['Ann Sample4 (4) has the id 1']],
    ['2', names[0], ['2', '3', '4'], 1, []],
    ['1', names[1], ['1', 'UK-1'], 0, ['Ann Sample1 (1) has the id 2']],
  ])('is told by the name beside it: %s, %s, in a list of %j', async (number, name, of, ready, says) => {
    // Each number is the reference of one and the id of another.
    const people = [1, 2, 3, 4].map((each) =>
      somebody(each, { agencyRef: `${each}`, id: `${(each % 4) + 1}` }),
    )
    const sheets = of.map((each) => ({
      ...sheet(each, '2026-11-09', '2026-11-15', { id: `s${each}` }),
      ...(of.length > 2 && { subcontractorName: `Ann Sample${Number(each) - 1}` }),
    }))
    const all = [...people, somebody(5, { agencyRef: 'UK-1', id: 'id-9' })]
    const { invalid, ...plan } = await importing(all, sheets, [`${number},${name}`], '', 'Reference,Name')
    expect(plan).toMatchObject({ ready })
    for (const text of says) expect(invalid).toMatchObject([{ message: expect.stringContaining(text) }])
  })

  test('is not told by a name between two who share the reference', async () => {
    const people = [somebody(1), somebody(2, { agencyRef: 'UK-1' })]
    expect(await importing(people, [], ['UK-1,Ann Sample2'], '', 'Reference,Name')).toMatchObject({
      ready: 0,
      invalid: [{ message: expect.stringContaining('2 people on the service have this reference') }],
    })
  })

  test('is held where the service has both names, and a number is one of each', async () => {
    const people = [1, 2, 3, 4].map((number) =>
      somebody(number, number > 2 ? { agencyRef: `${number}`, id: `${7 - number}` } : {}),
    )
    const timesheets = ['UK-1', 'id-2'].map((of) => sheet(of, '2026-11-09', '2026-11-15'))
    const message = expect.stringContaining('Ann Sample3 (3) has the id 4, Ann Sample4 (4) has the id 3')
    expect(await importing(people, timesheets, ['3'])).toMatchObject({ ready: 0, invalid: [{ message }] })
  })

  test('is one person under two names of a service that has both: they are not sent twice', async () => {
    const people = [1, 2, 3].map((number) => somebody(number))
    const timesheets = ['UK-1', 'id-2'].map((of) => sheet(of, '2026-11-09', '2026-11-15'))
    expect(await importing(people, timesheets, ['UK-1', 'id-2', 'id-3'])).toMatchObject({
      ready: 3,
      invalid: [],
    })
    expect(await importing(people, timesheets, ['UK-3', 'id-3', 'UK-2'])).toMatchObject({
      ready: 1,
      invalid: [
        {
          row: 3,
          message: expect.stringContaining('in row 2: Ann Sample3 (UK-3) has the id id-3'),
        },
        { row: 4, message: expect.stringContaining('Write id-2 in its place') },
      ],
    })
  })

  test('is seen by a create too: a week that is there under the id of the person', async () => {
    const timesheets = ['id-1', 'id-2'].map((of) => sheet(of, ...week))
    const { run } = await hostile({ uk: [1, 2, 3].map((number) => somebody(number)), timesheets })
    const create = (of: string) =>
      run(
        `timesheets create --set subcontractorRef=${of} --set startDate=2026-11-16 --set endDate=2026-11-22 --strict`,
      )
    expect(await create('UK-1')).toMatchObject(endedWith(3, ': Ann Sample1 (UK-1) has the id id-1'))
    expect((await create('UK-3')).err).not.toContain('overlaps')
  })

  describe('of one record that is written', () => {
    const four = [1, 2, 3, 4].map((number) => somebody(number))
    // 777 is the reference of one and the id of another.
    const mixedUp = [
      ...four.slice(0, 2),
      somebody(3, { agencyRef: '777', id: '500' }),
      somebody(4, { agencyRef: '888', id: '777' }),
    ]
    const open = async (shown: Parameters<typeof hostile>[0]) => {
      const at = await hostile(shown)
      const write = (words: string) => at.run(`timesheets ${words}`)
      const create = (of: string, more = '--strict') =>
        write(
          `create --set subcontractorRef=${of} --set startDate=${week[0]} --set endDate=${week[1]} ${more}`.trim(),
        )
      return { ...at, write, create }
    }

    test('is seen under the id though the reference is listed for another week', async () => {
      const { create } = await open({
        // Somebody who came back has two ids under one reference.
        uk: [...four, somebody(5, { agencyRef: 'UK-2', surname: 'Sample2' })],
        timesheets: [
          sheet('id-5', ...week),
          sheet('UK-1', '2026-11-09', '2026-11-15'),
          sheet('id-1', ...week),
          sheet('id-3', ...week),
        ],
      })
      expect(await create('UK-2')).toMatchObject(endedWith(3, ': Ann Sample2 (UK-2) has the id id-5'))
      expect(await create('UK-1')).toMatchObject(endedWith(3, ': Ann Sample1 (UK-1) has the id id-1'))
      expect((await create('UK-4')).err).not.toContain('overlaps')
    })

    test('is held where the service takes the name for that of somebody else, and the names to write are named', async () => {
      const { create, write, home, env } = await open({
        uk: mixedUp,
        timesheets: ['id-1', 'id-2', '777', '500'].map((of) =>
          sheet(of, '2026-11-09', '2026-11-15', { id: `s-${of}` }),
        ),
      })
      const says =
        'by their ids in timesheets: Ann Sample3 (777) has the id 500, Ann Sample4 (888) has the id 777. Write the reference or the id that only the one who worked has'
      expect(await create('777', '--yes')).toMatchObject(endedWith(3, says))
      expect(await write('update s-500 --id --set subcontractorRef=777 --yes')).toMatchObject(
        endedWith(3, says),
      )
      expect((await write('update s-777 --id --set endDate=2026-11-14 --yes')).err).not.toContain(
        'has the id',
      )
      const argv = ['timesheets', 'create', '--set', 'subcontractorRef=777', '--set', `startDate=${week[0]}`]
      const terminal = atTerminal([...argv, '--set', `endDate=${week[1]}`], { home, env })
      await terminal.type('Send it anyway?', 'n\r')
      expect((await terminal.ended).code).toBe(2)
      for (const of of ['500', '888']) expect((await create(of)).err).not.toContain('has the id')
      expect(
        await importing(
          mixedUp,
          ['id-1', 'id-2'].map((of) => sheet(of, ...week)),
          ['888'],
        ),
      ).toMatchObject({
        ready: 1,
      })
    })

    test('says that the people cannot be read, and sends it', async () => {
      const { create } = await open({
        uk: four,
        timesheets: [sheet('id-1', ...week)],
        refuses: { candidates: 403, 'candidates/ireland': 403 },
      })
      const run = await create('UK-1', '--yes')
      expect(run.err.split('find out from the list of people who UK-1 is')).toHaveLength(2)
    })

    test('prefers the one that counts to one that is rejected, under whichever name', async () => {
      const { create } = await open({
        uk: [somebody(1, { agencyRef: '0012', id: '101' }), ...four.slice(1)],
        timesheets: [
          sheet('101', ...week, { id: 's1', status: 'REJECTED' }),
          sheet('', ...week, { id: 's2', subcontractorRef: 12 }),
          sheet('', ...week, { id: 's3', subcontractorRef: 13 }),
        ],
      })
      const { err } = await create('0012')
      expect(err).toContain('that is on the service (s2)')
      expect(err).not.toContain('rejected')
    })
  })

  test.each(['id-', '10'])(
    'may be of two assignments in one week, each under another name, such as %s1',
    async (id) => {
      const people = [1, 2, 3].map((number) => somebody(number, { id: `${id}${number}` }))
      const sheets = [
        sheet('UK-1', '2026-11-09', '2026-11-15'),
        sheet(`${id}1`, ...week, { assignmentRef: 'X' }),
        sheet(`${id}2`, ...week),
      ]
      const file = join(freshHome(), 'week.csv')
      const { run } = await hostile({ uk: people, timesheets: sheets })
      const importRow = async (assignment: string, more = '') => {
        writeFileSync(
          file,
          `Reference,Assignment,Week ending,Hours,Rate\nUK-1,${assignment},2026-11-22,37,20\n`,
        )
        return (
          await run(`timesheets import ${file} --dry-run --json --pay-date 2026-11-27 ${more}`.trim())
        ).json()
      }
      expect(await importRow('Y')).toMatchObject({ ready: 1, invalid: [] })
      expect(await importRow('X')).toMatchObject({ ready: 0, invalid: [{ row: 2 }] })
      expect(await importRow('X', '--overlapping')).toMatchObject({ ready: 1, invalid: [] })
    },
  )
})
