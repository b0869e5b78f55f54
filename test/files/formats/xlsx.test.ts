import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { writeXlsx } from '../../../src/files/formats/xlsx/write-xlsx.ts'
import { readRows, row, text, workbook, workbookParts } from '../../workbook.ts'

const cells = async (bytes: Uint8Array) => (await readRows(bytes)).map(({ cells }) => cells)

const expectRefused = (bytes: Uint8Array, says: string) =>
  expect(readRows(bytes)).rejects.toMatchObject({ code: 'input', message: expect.stringContaining(says) })

describe('a workbook', () => {
  test('keeps text as text, and numbers and truth values as they are', async () => {
    const values = ['0012', 5.5, true, ' =1+1\nx ', null, { list: [1] }, "'=marked", "O'Example", false]
    const texts = ['0012', '5.5', 'TRUE', ' =1+1\nx ', '', '{"list":[1]}', "'=marked", "O'Example", 'FALSE']
    const names = [...'abcdefghi']
    const written = await writeXlsx(names, [values])
    expect(await cells(written)).toEqual([names, texts])
    const sheet = new TextDecoder().decode(unzipSync(written)['xl/worksheets/sheet1.xml'])
    expect(sheet).not.toContain('<f>')
  })

  test.each([
    ['text that looks like an escape', 'a_x0041_b'],
    ['an escape that is escaped', '_x005F_x0041_'],
    ['a bell, a zero byte and a lone half of a character', 'a\u0007b\0c\uD800d'],
    ['all kinds of line breaks', 'a\rb\r\nc\nd\te'],
    ['characters beyond the first plane', '𝔄😀'],
    ['signs of XML', '<a> & "b" \'c\' ]]>'],
  ])('is read again as it was written: %s', async (_, value) => {
    expect(await cells(await writeXlsx([value], [[value]]))).toEqual([[value], [value]])
  })

  test('tells which cells are dates, and leaves out empty rows', async () => {
    const date = { value: new Date('1990-12-25'), type: Date, format: 'dd/mm/yyyy' } as const
    const rows = await readRows(await writeWorkbook([['DOB'], [null], [date]]).toBuffer())
    expect(rows.map(({ row, cells, dates }) => [row, cells[0], dates.has(0)])).toEqual([
      [1, 'DOB', false],
      [3, '1990-12-25', true],
    ])
  })

  test.each([
    ['dd/mm/yyyy', '33232', '1990-12-25'],
    ['[$-809]d mmmm yyyy;@', '33232', '1990-12-25'],
    ['yyyy\\-mm\\-dd hh:mm', '33232.25', '1990-12-25T06:00:00.000Z'],
    ['[h]:mm', '1.5', '36:00'],
    ['h:mm', '0.3125', '7:30'],
    ['mmm-yy', '59', '1900-02-28'],
    // A spreadsheet believes in this day; whoever reads a date does not.
    ['d/m/yy', '60', '1900-02-29'],
    ['d/m/yy', '61', '1900-03-01'],
    ['&quot;day&quot; 0', '33232', '33232'],
    ['#,##0.00 [Red]', '5.50', '5.5'],
    ['General', '0.10000000000000001', '0.1'],
    ['000000', '40004', '040004'],
    ['00\\-00\\-00', '40004', '040004'],
    ['000000', '1234567', '1234567'],
    ['0', '12345678901234567890', '12345678901234567890'],
    ['@', '-7', '-7'],
  ])('shows a number under the format %s as a person sees it: %s is %s', async (format, number, shown) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${number}</v></c></row>`
    expect(await cells(workbook({ formats: [format], rows }))).toEqual([[shown]])
  })

  test('counts days from 1904 where it says so', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>31770</v></c></row>'
    const book = '<workbookPr date1904="1"/>'
    expect(await cells(workbook({ formats: ['dd/mm/yyyy'], rows, book }))).toEqual([['1990-12-25']])
  })

  test('is read as other programs write it: shared and rich texts, no addresses, prefixes, UTF-16', async () => {
    const strings =
      '<si><t>Sam</t></si><si><r><t>Exa</t></r><r><t xml:space="preserve">mple </t></r><rPh><t>no</t></rPh></si>'
    const rows =
      '<row><c t="s"><v>1</v></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v></v></c></row>' +
      '<row><c t="s"><v>0</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="d"><v>1990-12-25T00:00:00</v></c></row>'
    const plain = workbookParts({ rows, strings })
    const expected = [
      ['Example ', 'TRUE'],
      ['Sam', '#DIV/0!', '1990-12-25'],
    ]
    expect(await cells(zipSync(plain))).toEqual(expected)

    const sheet = new TextDecoder().decode(plain['xl/worksheets/sheet1.xml'])
    const prefixed = sheet
      .replace('UTF-8', 'UTF-16')
      .replace(/<(\/?)(?=\w)/g, '<$1x:')
      .replace('xmlns=', 'xmlns:x=')
    const utf16 = new Uint8Array(Buffer.from(`\uFEFF${prefixed}`, 'utf16le'))
    expect(await cells(zipSync({ ...plain, 'xl/worksheets/sheet1.xml': utf16 }))).toEqual(expected)
  })

  const onLoad = '<calcPr fullCalcOnLoad="1"/>'
  test.each([
    ['no value, as openpyxl writes it', '<c r="A1"><f>10+2.5</f><v></v></c>', ''],
    ['no value, as pandas writes it', '<c r="A1"><f>10+2.5</f></c>', ''],
    ['no value, as a part of a shared formula', '<c r="A1"><f t="shared" si="0"/></c>', ''],
    ['a 0 that stands for none, as XlsxWriter writes it', '<c r="A1"><f>1</f><v>0</v></c>', onLoad],
  ])('names a formula that was never computed: %s', async (_, cell, book) => {
    const [first] = await readRows(workbook({ rows: `<row r="1">${cell}${text('B1', 'x')}</row>`, book }))
    expect([...(first?.uncomputed ?? [])]).toEqual([0])
  })

  test('takes the value of a formula that was computed, 0 and an empty text too', async () => {
    const cell = (address: string, inside: string, type = 'n') =>
      `<c r="${address}" t="${type}"><f>1+1</f>${inside}</c>`
    const rows = `<row r="1">${cell('A1', '<v>2</v>')}${cell('B1', '<v>0</v>')}${cell('C1', '<v></v>', 'str')}${text('D1', 'x')}</row>`
    const [first] = await readRows(workbook({ rows }))
    expect(first).toMatchObject({ cells: ['2', '0', '', 'x'], uncomputed: new Set() })
  })

  test('an empty sheet is no sheet', async () => {
    const [april, empty] = [
      { data: [['a']], sheet: 'April' },
      { data: [], sheet: '2' },
    ]
    expect(await cells(await writeWorkbook([april, empty]).toBuffer())).toEqual([['a']])
  })

  test.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)],
    ['no archive', () => strToU8('PK\u0003\u0004 and nothing')],
    ['not well-formed', () => workbook({ sheet: '<worksheet><sheetData><row r="1">' })],
    ['without a text that a cell names', () => workbook({ rows: '<row><c t="s"><v>7</v></c></row>' })],
    ['outside of its rows', () => workbook({ rows: row(1_048_577, ['x']) })],
    ['outside of its columns', () => workbook({ rows: `<row r="1">${text('XFE1', 'x')}</row>` })],
    ['at odds with itself', () => workbook({ rows: `<row r="1">${text('A2', 'x')}</row>` })],
  ])('that is %s is refused in our own words', async (_, damage) => {
    await expectRefused(damage(await writeXlsx(['a'], [['x']])), 'it is damaged, or not XLSX')
  })

  test.each([
    ['a DTD', { sheet: `<!DOCTYPE x [<!ENTITY x "A1">]><worksheet/>` }, 'it is damaged'],
    ['a row twice', { rows: row(2, ['a']) + row(2, ['b']) }, 'it is damaged'],
    ['a cell twice', { rows: `<row r="2">${text('B2', 'a')}${text('B2', 'b')}</row>` }, 'it is damaged'],
    [
      'a row of 1 MiB',
      { rows: row(3, ['a'.repeat(2 ** 19), 'b'.repeat(2 ** 20)]) },
      'row 3 is longer than any',
    ],
    ['a cell of 5 MiB', { rows: row(1, ['a'.repeat(5 * 1024 * 1024)]) }, 'larger than 1 MiB'],
  ])('with %s is refused: another program may show something else', (_, parts, message) =>
    expectRefused(workbook(parts), message),
  )

  test('with two parts of one name is refused, in other letters too', async () => {
    const parts = workbookParts({ rows: row(1, ['a']) })
    const other = { ...parts, 'xl/worksheets/Sheet1.xml': strToU8('<worksheet/>') }
    const same = Buffer.from(zipSync({ ...parts, 'xl/worksheets/sheetX.xml': strToU8('<worksheet/>') }))
    for (let at = same.indexOf('sheetX'); at >= 0; at = same.indexOf('sheetX')) same.write('sheet1', at)
    for (const bytes of [zipSync(other), same]) await expectRefused(bytes, 'it is damaged')
  })

  test('that says it is larger than any list is not unpacked', async () => {
    const bomb = Buffer.from(workbook({ rows: row(1, ['a']) }))
    // What the directory of the archive says of the size of its first part.
    bomb.writeUInt32LE(600 * 1024 * 1024, bomb.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
    await expectRefused(bomb, 'unpacked it is larger than 256 MiB')
  })
})
