import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import {
  csvCell,
  csvLine,
  escapeCell,
  escapeFormula,
  keepApostrophes,
  unescapeFormula,
} from '../../../src/files/formats/csv-cell.ts'
import { unescapeText } from '../../../src/files/formats/escaped-text.ts'
import { csvTable, writeCsv } from '../../../src/files/formats/write-csv.ts'
import { ExactNumber } from '../../../src/files/json/numbers.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { startSandbox } from '../../start-sandbox.ts'

test.each([
  [
    '',
    'Ann',
    'Ó Briain',
    'a,b',
    'say "yes"',
    '"',
    'x\ny',
    'x\r',
    'x\u0085y',
    'x\u2028y',
    'x\u2029',
    ' x ',
    'a;b',
    'a\tb',
    'ok;=1+41',
    ';',
  ],
  ['=1+1', '+447700900123', '-5', '@x', '\t1', '＝1', "'=1", 'x\n=1', '=a,"b"', "O'Example", '\0', '×,÷'],
  ['a\u001B[31m', '\u009B2J', "'\0=1", 'An\u202En', '\u2066x', 'a_x001B_b', 'a_b', 'x\u007F,y'],
])('a cell is read again as it was, and in quotation marks where a reader could end it: %j', (...texts) => {
  for (const text of texts) {
    const cell = csvCell(text)
    expect(`${cell}\n`).toBe(csvLine([escapeFormula(text)], {}))
    const [[read = ''] = []] = parse(`${cell},x\n`) as string[][]
    expect(unescapeFormula(unescapeText(read))).toBe(text)
    expect(/[",;\t\r\n\u0085\u2028\u2029]/.test(cell)).toBe(cell.startsWith('"'))
  }
})

test('numbers keep their digits and are not marked, null is empty, what is inside a cell is JSON', () => {
  const values = [-1.5, new ExactNumber('-9007199254740993'), true, null, [{ a: 1 }], { b: [] }]
  const texts = ['-1.5', '-9007199254740993', 'true', '', '"[{""a"":1}]"', '"{""b"":[]}"']
  expect(values.map((value) => csvCell(value))).toEqual(texts)
})

describe('the apostrophe in front of a formula', () => {
  test.each([
    ...['=1+1', '+447700900123', '-5 C', '@sum', '\tx', '＝1', "'=1", "''+x", 'x\n=1+1', 'x\r\n\r\n-5\r@x'],
    ...["x\n'=1\n''+2", '\r=1', '\n\n=1', 'x\u2028＝1', '- one\n- two\n', 'ok;=1+41', 'ok\t=1+41'],
    ...['ok;;\t-1', "ok;'=1;''-2", 'ok;"=1+N("', 'x\n""=1', 'ok;\'"=1', "O'Example", "'quoted'", ''],
  ])('is taken off again: %j', (text) => {
    expect(unescapeFormula(escapeFormula(text))).toBe(text)
    // Some readers begin a cell there, and take a quotation mark at its beginning off.
    for (const piece of escapeFormula(text).split(/[\r\n\u2028;\t]/u))
      expect(piece).not.toMatch(/^"*[=+\-@\0＝＋－＠]/u)
    expect(escapeFormula(text)).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/u)
  })

  test('is doubled where a workbook, which needs none, would lose it', () => {
    for (const text of ["'=1", "x\n''=1", '=1\n-2', "'x"])
      expect(unescapeFormula(String(keepApostrophes(text)))).toBe(text)
  })

  test('is put once before a cell of a file that somebody else wrote, and before no number', () => {
    for (const cell of ['=1', "'=1", 'x\n=1', "x\n'=1"]) {
      expect(unescapeFormula(escapeCell(cell))).toBe(unescapeFormula(cell))
      expect(escapeCell(escapeCell(cell))).toBe(escapeCell(cell))
    }
    for (const number of ['-5', '+447700900123', '-1.234,50']) expect(escapeCell(number)).toBe(number)
  })

  test('is not taken for what somebody wrote', () => {
    expect(unescapeFormula("'Example'")).toBe("'Example'")
  })
})

test('what a terminal would act on is written as a workbook writes it, and an import reads what was meant', async () => {
  const { call, env } = await startSandbox()
  const forename = 'An\u202En _x001B_'
  const person = { agencyRef: 'A-1', forename, surname: 'Sample', department: 'Red\u001B[31m\0' }
  await call('POST', '/svc/candidates', { generalSetting: person })
  const file = join(freshHome(), 'people.csv')
  const at = { env }
  expect((await payroll(['candidates', 'list', '-o', 'csv'], at)).out).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
  const exporting = ['candidates', 'export', '--columns', 'agencyRef,forename,surname', '--out', file]
  expect(await payroll(exporting, at)).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toContain('A-1,An_x202E_n _x005F_x001B_,Sample')
  const { json } = await payroll(['candidates', 'import', file, '--update', '--dry-run', '--json'], at)
  expect(json()).toMatchObject({ rows: 1, unchanged: 1 })
})

describe('CSV that is written as records come', () => {
  test('has an object whole in a column of its own name', () => {
    const csv = csvTable(false, ['a', 'b.c'])
    expect(csv.lines(csv.row({ a: { x: 1 }, b: { c: [{ y: 2 }] } }))).toBe('"{""x"":1}","[{""y"":2}]"\n')
  })

  test('is what is written at once, with its mark at the start alone', () => {
    const records = [{ a: '1', b: { c: true } }, { a: '=2', z: 'not asked for' }, { b: { c: null } }]
    const csv = csvTable(true, ['a', 'b.c'])
    const text = csv.header() + records.map((record) => csv.lines(csv.row(record))).join('')
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
      expect(cells.map(unescapeFormula)).toEqual(['ok;=1+41', 'ok\t=1+41', '{"d":["x;=1"]}'])
    },
  )

  test('has no formula for a reader that splits at ; alone, where it is for Excel', () => {
    const records = [{ a: 'ok;=1+41', b: 'ok;"=1+41+N("', c: '=2', 'd;=1': '1' }]
    const text = writeCsv(records, ['a', 'b', 'c', 'd;=1'], true)
    const loose = { bom: true, delimiter: ';', relax_quotes: true, relax_column_count: true }
    for (const cells of parse(text, loose)) for (const cell of cells) expect(cell).not.toMatch(/^"*[=+\-@]/)
  })
})

/** More rates than are held in memory, one of them larger than any line of an import may be. */
const rates = Array.from({ length: 2100 }, (_, at) => ({
  id: `r${at}`,
  code: `R${at}`,
  name: at === 1000 ? 'x'.repeat(1024 * 1024 + 1) : `Rate ${at}`,
}))

const codesIn = (csv: string) =>
  (parse(csv, { columns: true }) as { readonly code: string }[]).map(({ code }) => code)

test('a long list has every record in it, however long one of them is: listed and exported', async () => {
  const { env } = await service(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://127.0.0.1')
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const data = rates.slice((page - 1) * size, page * size)
    answerJson(response, 200, { data, totalDocs: rates.length })
  })
  const home = freshHome()
  const codes = rates.map(({ code }) => code)
  const listed = await payroll(['payment-rates', 'list', '-o', 'csv'], { home, env })
  expect([listed.code, codesIn(listed.out)]).toEqual([0, codes])
  const file = join(home, 'rates.csv')
  const exported = await payroll(['payment-rates', 'export', '-o', 'csv', '--out', file], { home, env })
  expect([exported.code, codesIn(readFileSync(file, 'utf8'))]).toEqual([0, codes])
})
