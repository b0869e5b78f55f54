import { describe, expect, test } from 'vitest'
import type { Failure } from '../../src/errors.ts'
import { openCsv } from '../../src/formats/read-csv.ts'

/** The cells of a CSV whose text arrives in parts of so many characters. */
async function cells(text: string, size = text.length || 1): Promise<readonly (readonly string[])[]> {
  async function* parts() {
    for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
  }
  const { rows } = await openCsv(parts())
  const found: (readonly string[])[] = []
  for await (const { row, cells } of rows) {
    found.push(cells)
    expect(row).toBe(found.length)
  }
  return found
}

const failure = (text: string) => cells(text).then(String, (error: Failure) => error)

describe('CSV', () => {
  const habits: [string, string][] = [
    ['LibreOffice', 'a,b\n1,"x\ny"\n\n3,"say ""so"""\n'],
    ['Excel', 'a,b\r\n1,"x\ny"\r\n\r\n3,"say ""so"""\r\n'],
    ['Excel in Germany', 'a;b\r\n1;"x\ny"\r\n\r\n3;"say ""so"""\r\n'],
    ['Excel that says so', 'sep=;\r\na;b\r\n1;"x\ny"\r\n\r\n3;"say ""so"""'],
    ['a paste from a sheet', 'a\tb\n1\t"x\ny"\n\n3\t"say ""so"""'],
    ['an old Macintosh', 'a,b\r1,"x\ny"\r\r3,"say ""so"""\r'],
  ]
  test.each(habits)('is read as %s writes it, in parts of any size', async (_, text) => {
    const expected = [['a', 'b'], ['1', 'x\ny'], [''], ['3', 'say "so"']]
    for (const size of [1, 2, 3, 5, 8, text.length]) expect(await cells(text, size)).toEqual(expected)
  })

  test('CSV of two kinds of line ends loses no row into a cell', async () => {
    const rows = ['a,b', '1,2', '3,4', '5,6'].map((line) => line.split(','))
    expect(await cells('a,b\r\n1,2\n3,4\r5,6')).toEqual(rows)
  })

  test('CSV of one column, or of nothing, is none other', async () => {
    expect(await cells('a\n1')).toEqual([['a'], ['1']])
    expect(await cells('')).toEqual([])
  })

  test.each([
    ['a,b\n1,2\n3,x"y\n', 'Row 3, column B: there is a quotation mark inside the text of a cell.'],
    ['a,b\n1,2\n"3"x,y\n', 'Row 3, column A: there is text after the quotation mark that ends a cell.'],
    ['a,b\n1,2\n3,"xy\n4,5\n', 'Row 3, column B: a quotation mark opens a cell and is never closed.'],
    [`a,b\n1,"${'x\n'.repeat(600_000)}"`, 'Row 2 is longer than any record: more than 1 MiB.'],
  ])('CSV with a stray quotation mark is refused where it stands', async (text, message) => {
    expect(await failure(text)).toMatchObject({ code: 'input', message, details: { outcome: 'not-sent' } })
  })
})
