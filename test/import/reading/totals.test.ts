import { describe, expect, test } from 'vitest'
import { writeXlsx } from '../../../src/files/formats/xlsx/write-xlsx.ts'
import { timesheetLine } from '../../../src/model/resources/timesheet-line.ts'
import { fileOf, open, rowsOf } from './read-file.ts'

const header = 'Agency reference,Forename,Surname,Hourly rate,Hours'
const people = ['A1,Alex,Example,£12.50,37.5', 'A2,Sam,Example,"£1,000.00",40']
const sheet = (...below: readonly string[]) => [header, ...people, ...below, ''].join('\n')

const remarksOn = async (content: string) => (await open(fileOf(content))).remarks

describe('a total below the rows of a table', () => {
  test.each([
    ['Total', ',,,Total,77.5'],
    ['TOTALS:', 'TOTALS:,,,,77.5'],
    ['Grand total', ',Grand total,,£1,77.5'.replace('£1', '"£1,012.50"')],
    ['Total hours', ',,Total hours,,77.5'],
    ['nothing, if its numbers are the sums', ',,,"£1,012.50",77.50'],
  ])('is left out where it is called %s, and agrees with the rows', async (_, total) => {
    expect((await rowsOf(sheet('', total))).map(({ row }) => row)).toEqual([2, 3])
    expect(await remarksOn(sheet('', total))).toEqual([
      'row 5 is a total, and is left out: it agrees with the rows above',
    ])
  })

  test.each([
    ['Total,,,,88', 'column E (Hours): the total says 88, and the rows add up to 77.5'],
    [
      'Total hours: 88,,,,',
      'the total says 88, and the rows add up to 1012.5 in column D (Hourly rate), 77.5 in column E (Hours)',
    ],
  ])('is left out where it does not agree (%s), and is a doubt of its row', async (total, message) => {
    const source = await open(fileOf(sheet(total)))
    expect(source.remarks).toEqual(['row 4 is a total, and is left out'])
    expect(source.doubts).toEqual([expect.objectContaining({ row: 4, message })])
  })

  test.each(['Total: 77.5,,,,', 'Total: 2,,,,'])(
    'is no doubt where it is the sum or the count of the rows: %s',
    async (total) => {
      expect((await open(fileOf(sheet(total)))).doubts).toEqual([])
    },
  )

  test.each([
    ['Total;;;;77,5', []],
    ['Total;;;1.012,00;77,50', []],
    ['Total;;;;77.5', []],
    [';;;1.012,00;77,5', []],
    ['Total;;;1.012;', []],
    [
      'Total: 1.013;;;;',
      [
        'the total says 1013, and the rows add up to 1012 in column D (Hourly rate), 77.5 in column E (Hours)',
      ],
    ],
    [';;;1.012;77,5', []],
    ['Total;;;1.013;', ['column D (Hourly rate): the total says 1013, and the rows add up to 1012']],
    ['Total;;;;88,0', ['column E (Hours): the total says 88, and the rows add up to 77.5']],
    ['Total;;;1.112,50;', ['column D (Hourly rate): the total says 1112.5, and the rows add up to 1012']],
  ])('is held against rows with decimal commas in a file with semicolons: %s', async (total, doubts) => {
    const rows = ['A1;Alex;Example;12,00;37,5', 'A2;Sam;Example;1.000,00;40', total, '']
    const source = await open(fileOf([header.replaceAll(',', ';'), ...rows].join('\n')))
    const agrees = doubts.length === 0 ? ': it agrees with the rows above' : ''
    expect(source.remarks?.[0]).toBe(`row 4 is a total, and is left out${agrees}`)
    expect(source.doubts?.map(({ message }) => message)).toEqual(doubts)
  })

  test('is the sum of amounts with their units too', async () => {
    const units = [
      'A1,Alex,Example,£12.50 p/h,37h30',
      'A2,Sam,Example,13 per hour,40 hrs',
      'Total,,,25.50,77.5',
    ]
    expect(await remarksOn([header, ...units, ''].join('\n'))).toContain(
      'row 4 is a total, and is left out: it agrees with the rows above',
    )
  })

  test.each([
    ['numbers that are no sum', ',,,,12'],
    ['a reference of digits beside the word', '1003,,Total,,77.5'],
    ['a forename beside a surname that is Total', ',Ann,Total,,77.5'],
  ])('is not seen in %s: the row is read as all others are', async (_, last) => {
    expect(await rowsOf(sheet(last))).toHaveLength(3)
    expect(await remarksOn(sheet(last))).toEqual([])
  })

  test('is not seen in the same hours of a second person without a reference', async () => {
    expect(await rowsOf(`${header}\nA1,Alex,Example,12.5,37.5\n,,,,37.5\n`)).toHaveLength(2)
  })

  test.each([
    ['Total,,,,77.5', 'row 4 is a total, and is left out: it agrees with the rows above'],
    ['Total,Alex,Example,12,77.5', 'row 4 is a total, and is left out'],
    ['Sub-total,,,,77.5', 'row 4 is a total, and is left out: it agrees with the rows above'],
    ['Grand total,2 people,,,', 'row 4 is a total, and is left out'],
    ['Total,15,people,,', 'row 4 is a total, and is left out'],
    [',,15 people,,', 'row 4 is a total, and is left out'],
    ['Number of staff: 2,,,,', 'row 4 is a total, and is left out'],
    ['Total 77.5,,,,', 'row 4 is a total, and is left out'],
    [',,Total hours: 77.5,,', 'row 4 is a total, and is left out'],
    [header, 'the headings again in row 4: left out'],
  ])('is left out between the rows too, and so are headings that are repeated: %s', async (between, says) => {
    const content = sheet(between, 'A3,Ann,Example,12,1')
    expect((await rowsOf(content)).map(({ row }) => row)).toEqual([2, 3, 5])
    expect(await remarksOn(content)).toEqual([says])
  })

  test('is of the rows since the last total or of all rows, and the same in each of its cells', async () => {
    const source = await open(
      fileOf(
        [header, 'A1,Alex,Example,2.5,40', 'Total,,,2.5,40', 'A2,Sam,Example,,40', 'Total,,,2.5,40', ''].join(
          '\n',
        ),
      ),
    )
    expect(source.doubts).toEqual([
      { row: 5, message: 'column D (Hourly rate): the total says 2.5, and the rows add up to 0' },
    ])
    expect(source.remarks).toEqual(['rows 3 and 5 are totals, and are left out'])
  })

  test('notes below the table are left out and said', async () => {
    const content = sheet('', 'Authorised by: Jane Placeholder,,,,', '* hours as signed,,,,')
    expect((await rowsOf(content)).map(({ row }) => row)).toEqual([2, 3])
    expect(await remarksOn(content)).toEqual([
      'row 5 is a note below the table, and is left out: Authorised by: Jane Placeholder',
      'row 6 is a note below the table, and is left out: * hours as signed',
    ])
  })

  test('is found in a workbook below a title too', async () => {
    const rows = [header.split(','), ['A1', 'Alex', 'Example', '12.5', '37.5'], ['Total', '', '', '', '37.5']]
    const bytes = await writeXlsx(['Starters of week 33', '', '', '', ''], rows)
    const source = await open(fileOf(bytes, 'week.xlsx'))
    expect(source.remarks).toEqual([
      'the headings are in row 2; row 1 above them is left out',
      'row 4 is a total, and is left out: it agrees with the rows above',
    ])
    const read = []
    for await (const { row, issues } of source.rows()) read.push({ row, issues })
    expect(read).toEqual([{ row: 3, issues: [] }])
  })
})

test.each([
  [['7.30', '8.00', '37.45'], '7.30 in A2 and 37.45 in A4 are read as decimals'],
  // A spreadsheet drops the zero of a 7.30 that was typed into it.
  [['7.3', '8.15', '8'], '8.15 in A3 is read as a decimal'],
  [['7.30', '37.5'], '7.30 in A2 is read as a decimal'],
  [['37.5', '7.25', '7.30', '8.15'], '7.30 in A4 is read as a decimal'],
  [['7.30', '7.25', '37.50'], undefined],
  [['7.25', '37.50'], undefined],
  [['7.50', '8.00'], undefined],
  [['7.15', '7.9'], undefined],
  [['37.5', '7.3'], undefined],
])('of hours %j is doubted whether they are hours and minutes: %s', async (hours, says) => {
  const lines = ['Hours,Ref', ...hours.map((each, at) => `${each},R-${at}`), '']
  const { doubts } = await open(fileOf(lines.join('\n')), { type: timesheetLine })
  const [message] = says === undefined ? [] : [`column A (Hours): ${says}, and not as hours and minutes`]
  expect(doubts).toEqual(message === undefined ? [] : [{ row: 0, message: expect.stringContaining(message) }])
})
