import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { readXlsx, writeXlsx } from '../../src/formats/xlsx.ts'

const cells = async (bytes: Uint8Array) => (await readXlsx(bytes)).map(({ cells }) => cells)

/** A workbook with one of its parts rewritten, as another program would write it. */
function rewritten(bytes: Uint8Array, part: RegExp, change: (xml: string) => string): Uint8Array {
  const parts = unzipSync(bytes)
  for (const name of Object.keys(parts).filter((each) => part.test(each))) {
    parts[name] = strToU8(change(new TextDecoder().decode(parts[name])))
  }
  return zipSync(parts)
}

describe('a workbook', () => {
  test('keeps text as text, and numbers and truth values as they are', async () => {
    const written = await writeXlsx(
      ['a', 'b', 'c'],
      [
        ['0012', 5.5, true],
        [' =1+1\nx ', null, { list: [1] }],
        ["'=marked", "O'Example", false],
      ],
    )
    expect(await cells(written)).toEqual([
      ['a', 'b', 'c'],
      ['0012', '5.5', 'TRUE'],
      [' =1+1\nx ', '', '{"list":[1]}'],
      ["'=marked", "O'Example", 'FALSE'],
    ])
    const sheet = new TextDecoder().decode(unzipSync(written)['xl/worksheets/sheet1.xml'])
    expect(sheet).not.toContain('<f>')
  })

  test('tells which cells are dates, and counts empty rows', async () => {
    const date = { value: new Date('1990-12-25'), type: Date, format: 'dd/mm/yyyy' } as const
    const rows = await readXlsx(await writeWorkbook([['DOB'], [null], [date]]).toBuffer())
    expect(rows.map(({ row, cells }) => [row, cells[0]])).toEqual([
      [1, 'DOB'],
      [2, ''],
      [3, '1990-12-25'],
    ])
    expect(rows.map(({ dates }) => dates.has(0))).toEqual([false, false, true])
  })

  test('does not lose an error of the spreadsheet, which its reader takes for nothing', async () => {
    const plain = await writeXlsx(['a', 'b'], [['x', 7]])
    const broken = rewritten(plain, /sheet1\.xml$/, (xml) =>
      xml.replace(/<c r="B2"[^>]*>.*?<\/c>/, '<c r="B2" t="e"><f>VLOOKUP(1,2,3)</f><v>#N/A</v></c>'),
    )
    expect(await cells(broken)).toEqual([
      ['a', 'b'],
      ['x', '#N/A'],
    ])
  })

  test('of several sheets with something on them is refused, and an empty sheet is no sheet', async () => {
    const two = [
      { data: [['a']], sheet: 'April' },
      { data: [['b']], sheet: 'May' },
    ]
    await expect(readXlsx(await writeWorkbook(two).toBuffer())).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('2 of its sheets hold something (April, May)'),
    })
    const one = [
      { data: [['a']], sheet: 'April' },
      { data: [], sheet: 'Sheet2' },
    ]
    expect(await cells(await writeWorkbook(one).toBuffer())).toEqual([['a']])
  })

  test.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)],
    ['no workbook at all', () => zipSync({ 'word/document.xml': strToU8('<w/>') })],
    ['no archive', () => strToU8('PK\u0003\u0004 and nothing')],
  ])('that is %s is refused in our own words', async (_, damage) => {
    const bytes = damage(await writeXlsx(['a'], [['x']]))
    await expect(readXlsx(bytes)).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('it is damaged, or no XLSX'),
    })
  })

  test('that says it is larger than any list is not unpacked', async () => {
    const bomb = Buffer.from(await writeXlsx(['a'], [['x']]))
    // What the directory of the archive says of the size of its first part.
    bomb.writeUInt32LE(600 * 1024 * 1024, bomb.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
    await expect(readXlsx(bomb)).rejects.toMatchObject({
      message: expect.stringContaining('unpacked it is larger than 256 MiB'),
    })
  })
})
