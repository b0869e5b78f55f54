import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { row, workbook } from '../workbook.ts'

/** A sandbox and a sheet with these lines. */
async function sheetOf(...lines: readonly string[]) {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, 'week.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const codes = (await payroll(['payment-rates', 'list'], at)).json()
  const codeOf = (id: string) => codes.find((rate: any) => rate.id === id)?.code ?? ''
  return {
    ...at,
    argv: ['timesheets', 'import', file, '--pay-date', '2026-06-05'],
    save: (name: string, text: string) => {
      writeFileSync(join(at.home, name), text)
      return join(at.home, name)
    },
    /** Hours, code and rate of each line of the week, by person. */
    async hours(): Promise<Record<string, string[]>> {
      const run = await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31', '-o', 'json'], at)
      const lines = (rates: any[]) =>
        rates.map(({ units, rate = '', rateId = '' }) =>
          `${units} ${codeOf(rateId)} ${rate}`.replace(/\s+/g, ' ').trim(),
        )
      return Object.fromEntries(run.json().map((sheet: any) => [sheet.subcontractorRef, lines(sheet.rates)]))
    },
  }
}

const first = 'SANDBOX-UK-01,31/05/2026'
const second = 'SANDBOX-UK-02,31/05/2026'

test.each([
  [
    'each with the column of its rate',
    'Staff no,W/E,Basic hours,Basic rate,Overtime hours,Overtime rate,Weekend Hrs,Weekend rate',
    [`${first},37.5,14.20,4,21.30,8,28.40`, `${second},30,14.20,,21.30,,`],
  ],
  [
    'each with a column Rate behind it',
    'Staff no,W/E,Basic,Rate,Overtime,Rate,Weekend,Rate',
    [`${first},37.5,14.20,4,21.30,8,28.40`, `${second},30,14.20,0,21.30,0,28.40`],
  ],
  [
    'in groups, each with its hours and rate in the row below',
    'Staff no,W/E,Basic,,Overtime,,Weekend,',
    [',,Hours,Rate,Hours,Rate,Hours,Rate', `${first},37.5,14.20,4,21.30,8,28.40`, `${second},30,14.20,,,,`],
  ],
  [
    'in the row below hours and rates, under which each kind stands',
    'Staff no,W/E,Hours,,,Rates,,',
    [
      ',,Basic hrs,Overtime,Weekend,Basic,Overtime,Weekend',
      `${first},37.5,4,8,14.20,21.30,28.40`,
      `${second},30,,,14.20,,`,
    ],
  ],
  [
    'paid by the multiple in their headings',
    'Staff no,W/E,Hours,Pay rate,Overtime ×1.5,Weekend x2',
    [`${first},37.5,14.20,4,8`, `${second},30,14.20,,`],
  ],
])(
  'basic, overtime and weekend hours side by side are lines of one timesheet, %s',
  async (_, heading, lines) => {
    const at = await sheetOf(heading, ...lines)
    const run = await payroll([...at.argv, '--yes'], at)
    expect([run.code, run.json()]).toMatchObject([0, { rows: 2, created: 2 }])
    expect(await at.hours()).toEqual({
      'SANDBOX-UK-01': ['37.5 14.20', '4 21.30', '8 28.40'],
      'SANDBOX-UK-02': ['30 14.20'],
    })
  },
)

test('each of several columns Rate pays the hours on its left, also where basic hours have none', async () => {
  const at = await sheetOf(
    'Staff no,W/E,Basic,Overtime,Rate,Weekend,Rate',
    `${first},37.5,4,21.30,8,28.40`,
    `${second},30,4,21.30,8,28.40`,
  )
  expect((await payroll([...at.argv, '--yes'], at)).code).toBe(0)
  expect(await at.hours()).toEqual({
    'SANDBOX-UK-01': ['37.5', '4 21.30', '8 28.40'],
    'SANDBOX-UK-02': ['30', '4 21.30', '8 28.40'],
  })
})

const openHeading = 'Staff no,W/E,Basic,Overtime hours,Night hours,Rate'
const openLines = [`${first},37.5,4,8,14.20`, `${second},30,,,14.20`]

test('a script is told of hours of which nothing says the rate, and a map says it', async () => {
  const at = await sheetOf(openHeading, ...openLines)
  const run = await payroll([...at.argv, '--yes'], at)
  expect(run.code).toBe(3)
  expect(run.err).toContain('column D (Overtime hours): hours at which rate?')
  expect(run.err).toContain('{"Overtime hours":"?","Night hours":"?"}')
  const map = at.save('map.json', '{"Overtime hours":"Hours at OT150","Night hours":"Hours at x1.25"}')
  expect((await payroll([...at.argv, '--yes', '--map', map], at)).code).toBe(0)
  expect(await at.hours()).toEqual({
    'SANDBOX-UK-01': ['37.5 14.20', '4 OT150', '8 17.75'],
    'SANDBOX-UK-02': ['30 14.20'],
  })
})

test('holiday, sick and training hours are hours of a kind, whose rate is asked for', async () => {
  const at = await sheetOf(
    'Staff no,W/E,Hours,Annual leave hrs,Sick hours,Training hrs,Rate',
    `${first},30,8,4,2,14.20`,
  )
  const { code, err } = await payroll([...at.argv, '--yes'], at)
  expect(code).toBe(3)
  for (const name of ['D (Annual leave hrs)', 'E (Sick hours)', 'F (Training hrs)'])
    expect(err).toContain(`column ${name}: hours at which rate?`)
  // Without the word it may be pay, or days.
  const other = await sheetOf('Staff no,W/E,Hours,Holiday,Rate', `${first},30,59.60,14.20`)
  expect((await payroll([...other.argv, '--yes'], other)).err).toContain(
    'column D (Holiday): no field has this heading',
  )
})

test('a person is asked once at which rate hours are paid, and the answers are remembered', async () => {
  const at = await sheetOf(openHeading, ...openLines)
  const terminal = atTerminal(at.argv, at)
  await terminal.type(/Column D \(Overtime hours\): hours at which rate\?.*❯ OT150/s, '\r')
  await terminal.type(/Column E \(Night hours\): hours at which rate\?/, '1.25')
  await terminal.type('❯ 1.25 times the basic rate', '\r')
  await terminal.type(/Create 2 timesheets|2 created/, 'y\r')
  expect((await terminal.ended).code).toBe(0)
  expect(await at.hours()).toEqual({
    'SANDBOX-UK-01': ['37.5 14.20', '4 OT150', '8 17.75'],
    'SANDBOX-UK-02': ['30 14.20'],
  })
  const again = await payroll([...at.argv, '--dry-run', '--json', '--map', 'remembered'], at)
  expect(again.json().columns[3]).toMatchObject({ heading: 'Overtime hours', path: 'rates[1].units', sum: 4 })
})

test('the sum of the hours side by side is no column of hours, and one that is another number is asked about', async () => {
  const heading = 'Staff no,W/E,Hours,Rate,Overtime x1.5,Total hours'
  const at = await sheetOf(heading, `${first},37.5,14.20,4,41.5`)
  expect((await payroll([...at.argv, '--dry-run'], at)).code).toBe(0)
  at.save('week.csv', `${heading}\n${first},37.5,14.20,4,45\n`)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(
    endedWith(3, 'column F, Total hours: 45 hours in 1 row are not imported'),
  )
})

test('time and a third is paid to the penny', async () => {
  const at = await sheetOf(
    'Staff no,W/E,Basic hours,Time and a third hours,Rate',
    ...[`${first},0,40,24.00`, `${second},30,10,31.00`],
  )
  expect((await payroll([...at.argv, '--yes'], at)).code).toBe(0)
  expect(await at.hours()).toMatchObject({
    'SANDBOX-UK-01': expect.arrayContaining(['40 32.00']),
    'SANDBOX-UK-02': ['30 31.00', '10 41.3333'],
  })
})

test('a second column of the same hours is named as that', async () => {
  const at = await sheetOf(
    'Staff no,W/E,Basic hours,Overtime hours,OT hrs,Rate,OT rate',
    `${first},30,2,2,20,30`,
  )
  const says = 'column E (OT hrs): another column has these hours, or their rate, already'
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(endedWith(3, says))
})

test('a multiple needs the basic rate of its row', async () => {
  const at = await sheetOf('Staff no,W/E,Hours,Rate,Overtime x1.5', `${first},37.5,,4`)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(
    endedWith(3, 'the row has no basic rate to pay it 1.5 times'),
  )
})

test.each<[string, string, readonly string[], Readonly<Record<string, readonly string[]>>]>([
  [
    'a row with overtime alone',
    'Ref,W/E,Hours,Rate,OT Hours,OT Rate',
    [`${first},37.5,14.20,,`, `${second},,,5,21.30`],
    { 'SANDBOX-UK-01': ['37.5 14.20'], 'SANDBOX-UK-02': ['5 21.30'] },
  ],
  [
    'headings that are numbered from 1',
    'Ref,W/E,Hours 1,Rate 1,Hours 2,Rate 2',
    [`${first},37.5,14.20,4,21.30`, `${second},30,14.20,,`],
    { 'SANDBOX-UK-01': ['37.5 14.20', '4 21.30'], 'SANDBOX-UK-02': ['30 14.20'] },
  ],
  [
    'two rates of overtime, each with its column',
    'Ref,W/E,Basic hours,Basic rate,OT1 Hours,OT1 Rate,OT2 Hours,OT2 Rate',
    [`${first},37.5,14.20,4,21.30,2,28.40`],
    { 'SANDBOX-UK-01': ['37.5 14.20', '4 21.30', '2 28.40'] },
  ],
  [
    'the days of the week, which the hours add up',
    'Ref,W/E,Mon hours,Tue hours,Wed hours,Thurs hours,Fri hours,Sat,Sun,Total hours,Rate',
    [`${first},7.5,7.5,7.5,7.5,7.5,4,0,41.5,14.20`, `${second},8,8,8,0,0,0,6,30,14.20`],
    { 'SANDBOX-UK-01': ['41.5 14.20'], 'SANDBOX-UK-02': ['30 14.20'] },
  ],
  [
    'the days of the week and a column Total',
    'Ref,W/E,Mon,Tue,Wed,Thu,Fri,Sat,Sun,Total,Rate',
    [`${first},7.5,7.5,7.5,7.5,7.5,4,0,41.5,14.20`],
    { 'SANDBOX-UK-01': ['41.5 14.20'] },
  ],
  [
    'columns without anything in them, at the beginning and between others',
    ',"Ref\nNo.",,W/E:,Hours (hrs),Rate (£ per hour)',
    [`,SANDBOX-UK-01,,31/05/2026,37.5,14.20`, `,SANDBOX-UK-02,,31/05/2026,30,14.20`, ',Total,,,67.5,'],
    { 'SANDBOX-UK-01': ['37.5 14.20'], 'SANDBOX-UK-02': ['30 14.20'] },
  ],
  [
    'all kinds of hours as multiples',
    'Ref,W/E,Hours @ 1.0,Hours @ 1.5,Hours @ 2.0,Rate',
    [`${first},37.5,4,2,14.20`],
    { 'SANDBOX-UK-01': ['37.5 14.20', '4 21.30', '2 28.40'] },
  ],
  [
    'the days of the week alone, which are added up',
    'Ref,W/E,Mon,Tue,Wed,Thu,Fri,Sat,Sun,Rate',
    [`${first},7.5,7:30,7h30,7.5 hrs,7.5,4,,14.20`, `${second},8,8,8,0,0,0,6,14.20`],
    { 'SANDBOX-UK-01': ['41.5 14.20'], 'SANDBOX-UK-02': ['30 14.20'] },
  ],
])('a sheet is imported with every hour once: %s', async (_, heading, lines, expected) => {
  const at = await sheetOf(heading, ...lines)
  const run = await payroll([...at.argv, '--yes'], at)
  expect([run.code, run.err]).toEqual([0, expect.any(String)])
  expect(await at.hours()).toEqual(expected)
})

test('a person and a week that are merged over several rows are those of each of them, and hours are not', async () => {
  const at = await sheetOf('unused')
  const importing = async (merged: readonly string[], under: readonly string[]) => {
    const rows = [
      ['Ref', 'W/E', 'Hours', 'Rate'],
      ['SANDBOX-UK-01', '31/05/2026', '37.5', '14.20'],
      under,
    ].map((cells, index) => row(index + 1, cells))
    const file = join(at.home, `merged-${merged.length}.xlsx`)
    writeFileSync(file, workbook({ rows: rows.join(''), merged }))
    return payroll(['timesheets', 'import', file, '--pay-date', '2026-06-05', '--yes'], at)
  }
  expect(await importing(['A2:A3', 'B2:B3', 'C2:C3'], ['', '', '', '21.30'])).toMatchObject(
    endedWith(3, 'column C (Hours): the cell is merged with C2'),
  )
  expect((await importing(['A2:A3', 'B2:B3'], ['', '', '4', '21.30'])).code).toBe(0)
  expect(await at.hours()).toEqual({ 'SANDBOX-UK-01': ['37.5 14.20', '4 21.30'] })
})

test('days of the week beside a total that was never computed are not asked about: the total is wrong', async () => {
  const at = await sheetOf('unused')
  const heading = ['Ref', 'W/E', 'Mon', 'Tue', 'Wed', 'Total', 'Rate']
  const hours = row(2, ['SANDBOX-UK-01', '31/05/2026', '8', '8', '8']).replace(
    '</row>',
    '<c r="F2"><f>SUM(C2:E2)</f></c></row>',
  )
  const file = join(at.home, 'formulas.xlsx')
  writeFileSync(file, workbook({ rows: row(1, heading) + hours }))
  const run = await payroll(['timesheets', 'import', file, '--pay-date', '2026-06-05', '--yes'], at)
  expect(run).toMatchObject(endedWith(3, 'column F (Total): the formula in this cell was never computed'))
})

test('days of the week beside a column of hours that is empty are named, for they are not read', async () => {
  const at = await sheetOf('Ref,W/E,Mon,Tue,Wed,Hours,Rate', `${first},8,8,8,,14.20`)
  const says =
    'column F (Hours): no hours, and column C (Mon), column D (Tue) and column E (Wed) are not read'
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(endedWith(3, says))
})

test('days of the week that are added up are a doubt, a word among them is wrong, and a map may leave them out', async () => {
  const heading = 'Ref,W/E,Mon,Tue,Wed,Thu,Fri,Rate'
  const at = await sheetOf(heading, `${first},7.5,7.5,7.5,7.5,7.5,14.20`)
  const shown = await payroll([...at.argv, '--dry-run', '-o', 'table'], at)
  expect(shown.out.replace(/\s+/g, ' ')).toContain(
    'column C (Mon) to column G (Fri) are the days of the week',
  )
  expect(shown.out).toContain('C Mon  → part of Hours (7.5)')
  const map = at.save('map.json', '{"Mon":null,"Tue":null,"Wed":null,"Thu":null,"Fri":null}')
  expect(await payroll([...at.argv, '--yes', '--map', map], at)).toMatchObject(
    endedWith(3, 'no column of the sheet has the hours'),
  )
  const wrong = await sheetOf(heading, `${first},7.5,off,7.5,7.5,7.5,14.20`)
  expect(await payroll([...wrong.argv, '--yes'], wrong)).toMatchObject(
    endedWith(3, 'D2 is not a number of hours'),
  )
})

test.each<[string, string, string, string]>([
  [
    'OT1 and OT2 are no multiples of the basic rate',
    'Ref,W/E,Basic hours,Basic rate,OT1,OT2',
    `${first},37.5,14.20,4,2`,
    'OT1): hours at which rate?',
  ],
  [
    'a column without a name that has a value',
    'Ref,,W/E,Hours,Rate',
    'SANDBOX-UK-01,x,31/05/2026,37.5,14.20',
    'column B: has no name',
  ],
  [
    'a reference that lost its zeros',
    'Ref,W/E,Hours,Rate',
    'SANDBOX-UK-1,31/05/2026,37.5,14.20',
    'nobody on the service has this reference: did you mean Amélie Sample (SANDBOX-UK-01)?',
  ],
  [
    'headings in two rows, of which the last group has no more columns',
    ',,Standard,,Overtime,,',
    `Ref,W/E,Hours,Rate,Hours,Rate,Notes\n${first},37.5,14.20,4,21.30,late`,
    'column G (Notes): no field has this heading',
  ],
  [
    'days of the week that are not what the hours are',
    'Ref,W/E,Mon,Tue,Wed,Thu,Fri,Sat,Sun,Hours,Rate',
    `${first},7.5,7.5,7.5,7.5,7.5,4,0,37.5,14.20`,
    'column C (Mon); column D (Tue)',
  ],
  [
    'overtime whose rate is not filled in',
    'Ref,W/E,Hours,Rate,OT Hours,OT Rate',
    `${first},37.5,14.20,4,`,
    'OT Rate): neither a pay rate nor a rate code says what is paid',
  ],
])('nothing of a sheet is sent by a script: %s', async (_, heading, line, says) => {
  const at = await sheetOf(heading, line)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(endedWith(3, says))
  expect(await at.hours()).toEqual({})
})

test.each([
  ['20,14.20,,', '20,14.2,4,21.30', 'C (Hours)', 'the same hours'],
  ['20,14.20,4,21.30', '20,14.20,,', 'C (Hours)', 'the same hours'],
  ['20,14.20,4,21.30', ',,4.0,21.30', 'E (Overtime)', 'the same hours'],
  ['20,14.20,,', '15,14.20,4,21.30', 'C (Hours)', 'hours'],
])(
  'a second row of one person and week, %s and then %s, is doubted for the line that both have',
  async (one, other, column, same) => {
    const at = await sheetOf(
      'Staff no,W/E,Hours,Pay rate,Overtime,OT rate',
      `${first},${one}`,
      `${first},${other}`,
    )
    const run = await payroll([...at.argv, '--dry-run', '--json'], at)
    expect(run.json().warnings.filter(({ row }: any) => row > 0)).toEqual([
      expect.objectContaining({
        row: 3,
        message: `column ${column}: row 2 has ${same} at the same rate for this person and week: both are paid`,
      }),
    ])
  },
)

test('a VAT code of a row is that of all kinds of its hours', async () => {
  const codes = async (headings: string, ...lines: readonly string[]) => {
    const at = await sheetOf(headings, ...lines)
    const run = await payroll([...at.argv, '--yes'], at)
    const there = await payroll(
      ['timesheets', 'list', '--where', 'endDate=2026-05-31', '--sort', 'subcontractorRef'],
      at,
    )
    const known = (await payroll(['vat-codes', 'list'], at)).json()
    const codeOf = (id: string) => known.find((each: any) => each.id === id)?.VATCode
    return { run, vat: there.json().map(({ rates }: any) => rates.map(({ vatID }: any) => codeOf(vatID))) }
  }
  const hours = 'Staff no,W/E,Basic hours,Basic rate,OT hours,OT rate'
  const { vat } = await codes(`${hours},VAT`, `${first},37.5,14.20,4,21.30,S`, `${second},,14.20,4,21.30,S`)
  expect(vat).toEqual([['S', 'S'], ['S']])
  const { run } = await codes(`${hours},VAT`, `${first},37.5,14.20,4,21.30,QQQ`)
  expect(run.code).toBe(3)
  expect(run.err.match(/no such VAT code/g)).toHaveLength(1)
})
