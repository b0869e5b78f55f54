import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { readRows, row, workbook } from '../workbook.ts'
import { importFixture } from './import-fixture.ts'

async function withFile(content: Uint8Array | string, name = 'starters.xlsx') {
  const at = await importFixture()
  const path = at.save(name, content as Uint8Array)
  return { ...at, path, run: (...argv: string[]) => at.importFile(path, ...argv) }
}

const header = ['Employee ref', 'First name', 'Last name', 'Hourly rate', 'Pay frequency', 'Start date']

/** Three people; rate, pay frequency and start date stand in the row of the first. */
const threePeople = [
  row(1, header),
  row(2, ['A-1', 'Ann', 'Sample', '12.50', 'WEEKLY', '2026-04-06']),
  row(3, ['A-2', 'Bea', 'Sample']),
  row(4, ['A-3', 'Cat', 'Sample']),
].join('')

describe('an import of a workbook with cells that are merged over several rows', () => {
  const merged = ['D2:D4', 'E2:E4', 'F2:F4']

  test.each([
    ['D2:D4', merged],
    ['$D$2:$D$4', ['$D$2:$D$4', '$E$2:$E$4', '$F$2:$F$4']],
  ])('sends nobody without what the merged cells %s say, and names the cells (exit 3)', async (_, merged) => {
    const at = await withFile(workbook({ rows: threePeople, merged }))
    const run = await at.run()
    const message =
      'column D (Hourly rate): the cell is merged with D2, which alone has the value: unmerge the cells and fill in each of them'
    expect([run.code, run.error().issues.length]).toEqual([3, 6])
    expect(run.error().issues[0]).toEqual({ path: 'row 3, generalSetting.rateHour', message })
    expect(at.posted()).toEqual([])
  })

  test('has the value in each row of the marked copy, to be looked at', async () => {
    const at = await withFile(workbook({ rows: threePeople, merged }))
    const copy = join(at.home, 'marked.xlsx')
    await at.run('--dry-run', '--rejects', copy)
    const [, , second, third] = await readRows(readFileSync(copy))
    for (const each of [second, third])
      expect(each?.cells.slice(3, 6)).toEqual(['12.50', 'WEEKLY', '2026-04-06'])
  })

  test('sends only the first of them with --ready-only (exit 9)', async () => {
    const at = await withFile(workbook({ rows: threePeople, merged }))
    expect((await at.run('--ready-only')).code).toBe(9)
    expect(await at.there()).toEqual(['A-1'])
  })

  test('is read as ever where the merged cells are empty, or of the header', async () => {
    const at = await withFile(workbook({ rows: threePeople, merged: ['D3:D4', 'E3:F4', 'H1:J1'] }))
    expect((await at.run('--dry-run')).json()).toMatchObject({ ready: 3, invalidCount: 0 })
  })

  test('names a cell that is merged with the one beside it', async () => {
    const at = await withFile(workbook({ rows: threePeople, merged: ['D2:E2'] }))
    expect((await at.run()).error().issues).toMatchObject([{ path: 'row 2, generalSetting.payFrequency' }])
  })
})

test.each([
  ['&quot;EMP-&quot;000', 'EMP-007'],
  ['\\E\\M00000', 'EM00007'],
  ['00000', '00007'],
  ['&quot;no. &quot;0', '7'],
  ['&quot;£&quot;00', '7'],
])('a number that the workbook shows in the format %s is the reference %s', async (format, reference) => {
  const rows =
    row(1, header) +
    row(2, ['', 'Ann', 'Sample']).replace(/<c r="A2".*?<\/c>/, '<c r="A2" s="1"><v>7</v></c>')
  const at = await withFile(workbook({ formats: [format], rows }))
  expect((await at.run()).code).toBe(0)
  expect(await at.there()).toEqual([reference])
})

describe('an import of a percentage', () => {
  /** A row with a number in a format, under a heading. */
  const sheet = (heading: string, stored: string, format: string) =>
    workbook({
      formats: [format],
      rows:
        row(1, ['Employee ref', 'First name', 'Last name', heading]) +
        row(2, ['A-1', 'Ann', 'Sample']).replace('</row>', `<c r="D2" s="1"><v>${stored}</v></c></row>`),
    })
  const table = (heading: string, cell: string) =>
    `Employee ref,First name,Last name,${heading}\nA-1,Ann,Sample,${cell}\n`
  const rate = 'Holiday pay rate'

  test.each<[string, string, Uint8Array | string]>([
    ['a cell that is shown as 12.07%', 'x.xlsx', sheet(rate, '0.1207', '0.00%')],
    ['a cell that is shown as 12%, and holds more', 'x.xlsx', sheet(rate, '0.12070000000000001', '0%')],
    ['a cell with another sign behind the percent', 'x.xlsx', sheet(rate, '0.1207', '0.00%;[Red]-0.00%')],
    ['a plain number of a workbook', 'x.xlsx', sheet(rate, '12.07', '0.00')],
    ['a percent sign that is only text of the format', 'x.xlsx', sheet(rate, '12.07', '0.00&quot;%&quot;')],
    ['a plain number of a CSV', 'x.csv', table(rate, '12.07')],
    ['a percentage of a CSV', 'x.csv', table(rate, '12.07%')],
    ['a percentage with a blank', 'x.csv', table(rate, '12.07 %')],
  ])('reads %s as 12.07', async (_, name, content) => {
    const at = await withFile(content, name)
    const run = await at.run()
    expect(run.code, run.err).toBe(0)
    expect(at.sent()[0].payrollSetting).toEqual({ holidayPayRate: 12.07 })
  })

  test.each<[string, string, Uint8Array | string]>([
    ['a cell of a workbook', 'x.xlsx', sheet('Hourly rate', '0.125', '0.0%')],
    ['a cell of a CSV', 'x.csv', table('Hourly rate', '12.5%')],
  ])('refuses %s where the field is no percentage (exit 3)', async (_, name, content) => {
    const at = await withFile(content, name)
    const run = await at.run()
    const message = expect.stringContaining('expected a number, such as 37.5')
    expect([run.code, run.error().issues]).toMatchObject([
      3,
      [{ path: 'row 2, generalSetting.rateHour', message }],
    ])
    expect(at.posted()).toEqual([])
  })
})

describe('--sheet', () => {
  const first = row(1, header.slice(0, 4)) + row(2, ['A-1', 'Ann', 'Sample', '12.50'])

  test('that names no sheet is refused where the workbook has one sheet too, and nothing is sent', async () => {
    const at = await withFile(workbook({ rows: first }))
    const run = await at.run('--sheet', 'December')
    expect([run.code, run.error().hint, at.posted()]).toEqual([2, 'The sheets are: Starters.', []])
  })

  test('is asked for in a script where several sheets have people, and names the one that is read', async () => {
    const people = [header.slice(0, 3), ['A-1', 'Ann', 'Sample']]
    const two = [
      { data: people, sheet: 'April' },
      { data: people, sheet: 'May' },
    ]
    const at = await withFile(await writeWorkbook(two).toBuffer())
    const run = await at.run()
    expect([run.code, at.posted()]).toEqual([3, []])
    expect(run.error()).toMatchObject({
      message: expect.stringContaining('2 of its sheets contain data (April, May)'),
      hint: expect.stringContaining('--sheet'),
    })
    expect((await at.run('--sheet', 'may', '--incomplete')).code).toBe(0)
  })

  test('is not in the command for the rejects, which have a sheet of another name', async () => {
    const at = await withFile(workbook({ rows: first + row(3, ['A-2', 'Bea', 'Sample', 'much']) }))
    const run = await at.run('--sheet', 'starters', '--ready-only')
    expect([run.code, at.posted().length]).toEqual([9, 1])
    expect(run.error().next).toEqual([expect.stringMatching(/starters\.rejects\.xlsx(?!.*--sheet)/)])
  })
})
