import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { keepMarks, markCell, markFormula, unmarkFormula } from '../../src/formats/csv-cell.ts'
import { csvRows, writeCsv } from '../../src/formats/write-csv.ts'

describe('the apostrophe in front of a formula', () => {
  test.each([
    ...['=1+1', '+447700900123', '-5 C', '@sum', '\tx', '＝1', "'=1", "''+x", 'x\n=1+1', 'x\r\n\r\n-5\r@x'],
    ...["x\n'=1\n''+2", '\r=1', '\n\n=1', 'x\u2028＝1', '- one\n- two\n', 'ok;=1+41', 'ok\t=1+41'],
    ...['ok;;\t-1', "ok;'=1;''-2", 'ok;"=1+N("', 'x\n""=1', 'ok;\'"=1', "O'Example", "'quoted'", ''],
  ])('is taken off again: %j', (text) => {
    for (const excel of [false, true]) expect(unmarkFormula(markFormula(text, excel))).toBe(text)
    // Some readers begin a cell there, and take a quotation mark at its beginning off.
    for (const piece of markFormula(text, true).split(/[\r\n\u2028;\t]/u))
      expect(piece).not.toMatch(/^"*[=+\-@\0＝＋－＠]/u)
    expect(markFormula(text)).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/u)
    for (const line of markFormula(text).split(/[\r\n\u2028]/u))
      expect(line).not.toMatch(/^[=+\-@\t\0＝＋－＠]/u)
  })

  test('is doubled where a workbook, which needs none, would lose it', () => {
    for (const text of ["'=1", "x\n''=1", '=1\n-2', "'x"]) expect(unmarkFormula(keepMarks(text))).toBe(text)
  })

  test('is put once before a cell of a file that somebody else wrote, and before no number', () => {
    for (const cell of ['=1', "'=1", 'x\n=1', "x\n'=1"]) {
      expect(unmarkFormula(markCell(cell))).toBe(unmarkFormula(cell))
      expect(markCell(markCell(cell))).toBe(markCell(cell))
    }
    expect([markCell('-5'), markCell('+447700900123'), markCell('-1.234,50')]).toEqual(
      '-5 +447700900123 -1.234,50'.split(' '),
    )
  })

  test('is not taken for what somebody wrote', () => {
    expect(unmarkFormula("'Example'")).toBe("'Example'")
  })
})

describe('CSV that is written as records come', () => {
  test('has an object whole in a column of its own name', () => {
    const { rows } = csvRows(['a', 'b.c'], false)
    expect(rows([{ a: { x: 1 }, b: { c: [{ y: 2 }] } }])).toBe('"{""x"":1}","[{""y"":2}]"\n')
  })

  test('is what is written at once, with its mark at the start alone', () => {
    const records = [{ a: '1', b: { c: true } }, { a: '=2', z: 'not asked for' }, { b: { c: null } }]
    const csv = csvRows(['a', 'b.c'], true)
    const text = csv.header + records.map((record) => csv.rows([record])).join('')
    expect(text).toBe(writeCsv(records, ['a', 'b.c'], true))
    expect(text).toBe("\uFEFFa,b.c\r\n1,true\r\n'=2,\r\n,\r\n")
    expect(parse(text, { bom: true })).toHaveLength(4)
  })

  test.each([false, true])(
    'is one cell for a reader that splits at ; and tab too (for Excel: %s)',
    (excel) => {
      const text = writeCsv([{ a: 'ok;=1+41', b: 'ok\t=1+41', c: { d: ['x;=1'] } }], ['a', 'b', 'c'], excel)
      const [, cells = []] = parse(text, { bom: true, delimiter: [',', ';', '\t'] }) as string[][]
      expect(cells).toHaveLength(3)
      expect(cells.map(unmarkFormula)).toEqual(['ok;=1+41', 'ok\t=1+41', '{"d":["x;=1"]}'])
    },
  )

  test('has no formula for a reader that splits at ; alone, where it is for Excel', () => {
    const records = [{ a: 'ok;=1+41', b: 'ok;"=1+41+N("', c: '=2', 'd;=1': '1' }]
    const text = writeCsv(records, ['a', 'b', 'c', 'd;=1'], true)
    for (const cells of parse(text, {
      bom: true,
      delimiter: ';',
      relax_quotes: true,
      relax_column_count: true,
    }))
      for (const cell of cells) expect(cell).not.toMatch(/^"*[=+\-@]/)
  })
})
