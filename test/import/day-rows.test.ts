import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endedWith, payroll } from '../payroll.ts'
import { showList } from './list-shapes.ts'
import { sheetOf } from './week-sheet.ts'

const heading = 'Staff no,Date worked,Hours,Rate code,Rate'
const payDay = ['--yes', '--pay-date', '2026-06-05']

/** Imports these lines, and gives the run and the timesheets that there are afterwards. */
async function importDays(headings: string, lines: readonly string[], ...options: string[]) {
  const at = await sheetOf(headings, ...lines)
  const run = await payroll([...at.argv, ...payDay, ...options], at)
  return { ...at, run, sheets: await sheetsOf(at) }
}

async function sheetsOf(at: { readonly home: string }) {
  const run = await payroll(['timesheets', 'list', '--where', 'endDate>=2026-05-31'], at)
  const sheets: any[] = run.json()
  return sheets
    .map(({ subcontractorRef, startDate, endDate, rates }) => [
      ...[subcontractorRef, startDate, endDate],
      ...rates.map((line: any) => `${line.units} at ${line.rate}`),
    ])
    .sort()
}

test('a sheet with one row a day becomes a timesheet for each week of a person, with the hours of each rate added up', async () => {
  const { run, sheets } = await importDays(heading, [
    'SANDBOX-UK-01,25/05/2026,7.5,STD,17.30',
    'SANDBOX-UK-02,25/05/2026,8,STD,14.20',
    'SANDBOX-UK-01,26/05/2026,7.25,STD,17.30',
    'SANDBOX-UK-01,26/05/2026,2,OT150,25.95',
    'SANDBOX-UK-01,31/05/2026,4,STD,17.3',
    'SANDBOX-UK-01,01/06/2026,7.5,STD,17.30',
  ])
  expect(run, run.err).toMatchObject({ code: 0 })
  expect(run.json()).toMatchObject({ rows: 6, created: 6 })
  expect(run.err).toContain('one row a day: the days of each week are added up as one timesheet')
  expect(sheets).toEqual([
    ['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '18.75 at 17.30', '2 at 25.95'],
    ['SANDBOX-UK-01', '2026-06-01', '2026-06-07', '7.5 at 17.30'],
    ['SANDBOX-UK-02', '2026-05-25', '2026-05-31', '8 at 14.20'],
  ])
})

test('a week ending of the sheet wins over Sunday, and the days in it may be weekdays by name', async () => {
  const { run, sheets } = await importDays('Staff no,Week ending,Day,Hours,Rate code,Rate', [
    'SANDBOX-UK-01,19/06/2026,Sat,7.5,STD,17.30',
    'SANDBOX-UK-01,19/06/2026,friday,7.5,STD,17.30',
  ])
  expect(run, run.err).toMatchObject({ code: 0 })
  expect(sheets).toEqual([['SANDBOX-UK-01', '2026-06-13', '2026-06-19', '15 at 17.30']])
})

test('a day of rest, with no hours or 0, is no line and no fault, but a whole week without hours is one', async () => {
  const rest = ['SANDBOX-UK-01,30/05/2026,,STD,17.30', 'SANDBOX-UK-01,31/05/2026,0,STD,17.30']
  const { run, sheets } = await importDays(heading, ['SANDBOX-UK-01,29/05/2026,7.5,STD,17.30', ...rest])
  expect(run, run.err).toMatchObject({ code: 0 })
  expect(sheets).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '7.5 at 17.30']])
  const nothing = await importDays(heading, rest)
  expect(nothing.run).toMatchObject(endedWith(3, 'no hours in the whole week'))
})

test.each([
  [
    'a row that is there twice',
    'SANDBOX-UK-01,25/05/2026,7.5,STD,17.30',
    'rate and hours are in row 2 already',
  ],
  [
    'more than 24 hours in a day',
    'SANDBOX-UK-01,25/05/2026,17,STD,17.30',
    'row 3: column C (Hours): 24.5 hours on 25 May 2026: a day has 24',
  ],
  ['a date that cannot be read', 'SANDBOX-UK-01,31/06/2026,7.5,STD,17.30', 'Date worked'],
])('in a script %s sends nothing of that week', async (_, line, says) => {
  const { run, sheets } = await importDays(heading, ['SANDBOX-UK-01,25/05/2026,7.5,STD,17.30', line])
  expect(run, run.err).toMatchObject(endedWith(3, says))
  expect(sheets).toEqual([])
})

test.each([
  ['Mon', '26/05/2026', '26 May 2026 is a Tuesday'],
  ['Tue', '02/06/2026', '2 June 2026 is not in the week ending 31 May 2026'],
])('a weekday or week that is not that of the date is wrong: %s %s', async (day, date, says) => {
  const { run, sheets } = await importDays('Staff no,Week ending,Date worked,Day,Hours,Rate code,Rate', [
    `SANDBOX-UK-01,31/05/2026,${date},${day},7.5,STD,17.30`,
  ])
  expect(run).toMatchObject(endedWith(3, says))
  expect(sheets).toEqual([])
})

test('a day after the last one of a leaver is asked about, and the days before are paid', async () => {
  const at = await sheetOf(heading, 'SANDBOX-UK-01,26/05/2026,7.5,STD,17.30')
  showList(at, (items) =>
    items.map((item) => (item.agencyRef === 'SANDBOX-UK-01' ? { ...item, dateLeft: '2026-05-26' } : item)),
  )
  expect(await payroll([...at.argv, ...payDay], at)).toMatchObject({ code: 0 })
  writeFileSync(at.argv[2] ?? '', `${heading}\nSANDBOX-UK-01,27/05/2026,7.5,STD,17.30\n`)
  expect(await payroll([...at.argv, ...payDay], at)).toMatchObject(
    endedWith(3, 'left on 26 May 2026, before this day'),
  )
})

test('a row of the whole week beside rows of its days is doubted, since both would be paid', async () => {
  const { run } = await importDays(
    'Staff no,Week ending,Day,Hours,Rate code,Rate',
    ['SANDBOX-UK-01,31/05/2026,Mon,7.5,STD,17.30', 'SANDBOX-UK-01,31/05/2026,,37.5,STD,17.30'],
    '--strict',
  )
  expect(run).toMatchObject(
    endedWith(3, 'row 2 has hours at the same rate for this person and week: both are paid'),
  )
})

test('a column called Date is asked about, and may be the day; the same sheet again creates nothing, and a day that changed changes the sum', async () => {
  const lines = ['SANDBOX-UK-01,25/05/2026,7.5,STD,17.30', 'SANDBOX-UK-01,26/05/2026,8,STD,17.30']
  const at = await importDays('Staff no,Date,Hours,Rate code,Rate', lines)
  expect(at.run).toMatchObject(endedWith(3, 'can mean Week ending, From or Day worked'))
  const map = join(at.home, 'map.json')
  writeFileSync(map, JSON.stringify({ Date: 'Day worked' }))
  const argv = [...at.argv, ...payDay, '--map', map]
  expect(await payroll(argv, at)).toMatchObject({ code: 0 })
  const again = await payroll(argv, at)
  expect(again, again.err).toMatchObject({ code: 0 })
  expect(again.json()).toMatchObject({ created: 0, createdEarlier: 2 })
  const file = at.argv[2] ?? ''
  writeFileSync(file, readFileSync(file, 'utf8').replace('26/05/2026,8,', '26/05/2026,6,'))
  const held = await payroll(argv, at)
  expect(held).toMatchObject(endedWith(9, 'this import created it with other values'))
  expect(await payroll([...argv, '--update', '--missing-lines', 'remove'], at)).toMatchObject({ code: 0 })
  expect(await sheetsOf(at)).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '13.5 at 17.30']])
})

test('another day of as many hours is not taken for the one that was sent', async () => {
  const days = [25, 26].map((day) => `${heading}\nSANDBOX-UK-01,${day}/05/2026,8,STD,17.30\n`)
  const at = await importDays(heading, ['SANDBOX-UK-01,25/05/2026,8,STD,17.30'])
  const run = async (day: string, name: string, ...options: string[]) => {
    const file = join(at.home, name)
    writeFileSync(file, day)
    return payroll(['timesheets', 'import', file, ...payDay, ...options], at)
  }
  const [monday = '', tuesday = ''] = days
  expect(await run(monday, 'week.csv')).toMatchObject({ code: 0 })
  expect(await run(monday, 'week.csv', '--update')).toMatchObject({ code: 0 })
  expect(await run(tuesday, 'week.csv')).toMatchObject(
    endedWith(9, 'this import created it with other values'),
  )
  const says = 'as many hours for it, which may be of other days. The sheet has only 1 day of it'
  expect(await run(tuesday, 'week.csv', '--update')).toMatchObject(endedWith(9, says))
  expect(await run(tuesday, 'tuesday.csv')).toMatchObject(endedWith(9, says))
  expect(await run(tuesday, 'tuesday.csv')).toMatchObject(endedWith(9, says))
  const all = await run(tuesday, 'tuesday.csv', '--update', '--missing-lines', 'remove')
  expect(all, all.err).toMatchObject({ code: 0 })
})

test.each([[[]], [['--missing-lines', 'keep']]])(
  'a day that is corrected alone does not replace the hours of its week: %s',
  async (options) => {
    const days = [25, 26, 27, 28, 29].map((day) => `SANDBOX-UK-01,${day}/05/2026,8,STD,17.30`)
    const at = await importDays(heading, days)
    const file = at.argv[2] ?? ''
    const update = () => payroll([...at.argv, ...payDay, '--update', ...options], at)
    writeFileSync(file, `${heading}\nSANDBOX-UK-01,26/05/2026,6,STD,17.30\n`)
    const run = await update()
    expect(run).toMatchObject(
      endedWith(9, 'changed: 40 → 6 hours, STD at 17.30. The sheet has only 1 day of it'),
    )
    expect(await update()).toMatchObject({ code: 9 })
    writeFileSync(file, [heading, ...days].join('\n').replace('26/05/2026,8', '26/05/2026,6'))
    expect(await update()).toMatchObject({ code: 0 })
    expect(await sheetsOf(at)).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '38 at 17.30']])
  },
)

test.each([
  ['Start,Finish', '09:00,5:30 pm'],
  ['Clocked in,Clocked out', '0900,1730'],
  ['Start time,End time', '9.00,17.30'],
])(
  'times of a shift, with words and breaks, are not asked about, and not imported: %s',
  async (names, times) => {
    const { run, sheets } = await importDays(
      `Staff no,Date worked,${names},Break (mins),Hours,Rate code,Rate`,
      [`SANDBOX-UK-01,25/05/2026,${times},60,7.5,STD,17.30`, 'SANDBOX-UK-01,26/05/2026,OFF,-,,0,STD,17.30'],
    )
    expect(run, run.err).toMatchObject({ code: 0 })
    expect(sheets).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '7.5 at 17.30']])
  },
)

test('two shifts of a day may be as long where their times are others, and a shift may not be there twice', async () => {
  const shifts = 'Staff no,Date worked,Start,Finish,Hours,Rate code,Rate'
  const early = 'SANDBOX-UK-01,25/05/2026,06:00,10:00,4,STD,17.30'
  const late = 'SANDBOX-UK-01,25/05/2026,14:00,18:00,4,STD,17.30'
  const { run, sheets } = await importDays(shifts, [early, late])
  expect(run, run.err).toMatchObject({ code: 0 })
  expect(sheets).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '8 at 17.30']])
  const twice = await importDays(shifts, [early, late, early])
  expect(twice.run).toMatchObject(
    endedWith(3, 'row 4: column E (Hours): the same person, day, rate and hours'),
  )
})

test.each([['Week ending'], ['Date worked']])(
  'start and finish are no hours, and a sheet of %s is told so: exit 3',
  async (day) => {
    const { run, sheets } = await importDays(`Staff no,${day},Start,Finish,Rate code,Rate`, [
      'SANDBOX-UK-01,31/05/2026,09:00,17:00,STD,17.30',
    ])
    expect(run).toMatchObject(endedWith(3, 'row 2, Hours: no column of the sheet has the hours'))
    expect(sheets).toEqual([])
  },
)

test.each([
  [
    'a day of rest before the first day of a person is no work of theirs',
    ['SANDBOX-UK-01,25/05/2026,,STD,17.30', 'SANDBOX-UK-01,27/05/2026,8,STD,17.30'],
    'SANDBOX-UK-01',
    { dateOfJoining: '2026-05-27' },
  ],
  [
    'of two people with one reference the days are of the one who was there in that week',
    ['SANDBOX-UK-01,27/05/2026,8,STD,17.30'],
    'SANDBOX-UK-02',
    { agencyRef: 'SANDBOX-UK-01', dateLeft: '2026-05-01' },
  ],
])('%s', async (_, lines, reference, shown) => {
  const at = await sheetOf(heading, ...lines)
  showList(at, (items) => items.map((item) => (item.agencyRef === reference ? { ...item, ...shown } : item)))
  const run = await payroll([...at.argv, ...payDay], at)
  expect(run, run.err).toMatchObject({ code: 0 })
})

test('a day of rest needs no approval, and a day that was worked does', async () => {
  const approved = 'Staff no,Date worked,Hours,Rate code,Rate,Approved'
  const lines = ['SANDBOX-UK-01,25/05/2026,8,STD,17.30,Yes', 'SANDBOX-UK-01,30/05/2026,,STD,17.30,']
  const { run, sheets } = await importDays(approved, lines)
  expect(run, run.err).toMatchObject({ code: 0 })
  expect(sheets).toEqual([['SANDBOX-UK-01', '2026-05-25', '2026-05-31', '8 at 17.30']])
  const worked = lines.map((line) => line.replace('26,,', '26,2,'))
  expect((await importDays(approved, worked)).sheets).toEqual([])
})

test.each([
  [
    'a word among weekdays that is none',
    'Staff no,Week ending,Day,Hours,Rate code,Rate',
    ['SANDBOX-UK-01,31/05/2026,Mon,7.5,STD,17.30', 'SANDBOX-UK-01,31/05/2026,Monx,7.5,STD,17.30'],
    'row 3: column C (Day): not a day of the week, such as Monday',
  ],
  [
    'a weekday that a short week does not have',
    'Staff no,From,Week ending,Day,Hours,Rate code,Rate',
    ['SANDBOX-UK-01,25/05/2026,29/05/2026,Sun,8,STD,17.30'],
    '24 May 2026 is not in the',
  ],
  [
    'a second tax week in one timesheet',
    'Staff no,Week ending,Hours,Rate code,Rate,Tax week',
    ['SANDBOX-UK-01,31/05/2026,8,STD,17.30,9', 'SANDBOX-UK-01,31/05/2026,2,OT150,25.95,8'],
    'row 3 of the same timesheet has Week 8, and this one Week 9',
  ],
  [
    'breaks without times, for the hours may be with or without them',
    'Staff no,Week ending,Mon,Tue,Break,Rate code,Rate',
    ['SANDBOX-UK-01,31/05/2026,8,8,0.5,STD,17.30'],
    'column E (Break): no field has this heading',
  ],
  [
    'a row of the whole week beside rows of its days, since it is often their sum',
    'Staff no,Week ending,Day,Hours,Rate code,Rate',
    ['Mon,7.5', 'Tue,7.5', ',15'].map((hours) => `SANDBOX-UK-01,31/05/2026,${hours},STD,17.30`),
    'row 2 has hours at the same rate for this person and week: both are paid',
  ],
])('nothing is sent of a sheet with %s: exit 3', async (_, headings, lines, says) => {
  const { run, sheets } = await importDays(headings, lines)
  expect(run).toMatchObject(endedWith(3, says))
  expect(sheets).toEqual([])
})
