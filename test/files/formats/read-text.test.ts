import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/errors.ts'
import { numberedLines } from '../../../src/files/formats/ndjson.ts'
import { openCsv } from '../../../src/files/formats/read-csv.ts'
import { decodeText, encodingOf } from '../../../src/files/formats/text-encoding.ts'

/** The text of bytes that arrive one by one. */
async function read(bytes: Uint8Array, given?: string): Promise<string> {
  async function* parts() {
    for (const byte of bytes) yield Uint8Array.of(byte)
  }
  let text = ''
  for await (const part of decodeText(parts(), encodingOf(bytes, given))) text += part
  return text
}

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the text of a file', () => {
  const name = 'Zoë,Ní Shé'
  test.each([
    ['UTF-8', Buffer.from(name)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${name}`)],
    ['UTF-16 of Excel', Buffer.from(`\uFEFF${name}`, 'utf16le')],
    ['UTF-16 the other way round', swapped(`\uFEFF${name}`)],
    ['UTF-16 without a mark', Buffer.from(name, 'utf16le')],
    ['UTF-16 without a mark the other way round', swapped(name)],
  ])('is known by its first bytes: %s', async (_, bytes) => {
    expect(await read(bytes)).toBe(name)
  })

  test('is Windows-1252 where somebody says so, and no mark says otherwise', async () => {
    expect(await read(Buffer.from(name, 'latin1'), 'windows-1252')).toBe(name)
    expect(await read(Buffer.from(`\uFEFF${name}`), 'windows-1252')).toBe(name)
  })

  test('shows where bytes are no UTF-8', async () => {
    expect(await read(Buffer.from(name, 'latin1'))).toBe('Zo\uFFFD,N\uFFFD Sh\uFFFD')
  })

  test('is refused in an encoding that nobody knows', () => {
    expect(() => encodingOf(Buffer.from('a'), 'ebcdic-900')).toThrow('Unknown encoding.')
  })
})

async function linesOf(text: string, size: number, longest?: number): Promise<(string | undefined)[]> {
  const bytes = Buffer.from(text)
  async function* parts() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const found: (string | undefined)[] = []
  for await (const { number, bytes } of numberedLines(parts(), longest)) {
    found.push(bytes && Buffer.from(bytes).toString())
    expect(number).toBe(found.length)
  }
  return found
}

describe('the lines of a file', () => {
  test('end at a line feed and nowhere else, however the bytes arrive', async () => {
    for (const size of [1, 2, 7, 100]) {
      expect(await linesOf('{"a":"x\u2028ë"}\n\n{"b":1}', size)).toEqual(['{"a":"x\u2028ë"}', '', '{"b":1}'])
    }
  })

  test('are not held where one is longer than any record, and the next is read', async () => {
    const text = `1\n${'x'.repeat(1001)}\n3\n`
    expect(await linesOf(text, 64, 1000)).toEqual(['1', undefined, '3'])
  })
})

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

  test('of two kinds of line ends loses no row into a cell', async () => {
    const rows = ['a,b', '1,2', '3,4', '5,6'].map((line) => line.split(','))
    expect(await cells('a,b\r\n1,2\n3,4\r5,6')).toEqual(rows)
  })

  test('of one column, or of nothing, is none other', async () => {
    expect(await cells('a\n1')).toEqual([['a'], ['1']])
    expect(await cells('')).toEqual([])
  })

  test.each([
    ['a,b\n1,2\n3,x"y\n', 'Row 3, column B: a quotation mark is missing, or there is one too many.'],
    ['a,b\n1,2\n"3"x,y\n', 'Row 3, column A: a quotation mark is missing, or there is one too many.'],
    ['a,b\n1,2\n3,"xy\n4,5\n', 'Row 3, column B: a quotation mark is missing, or there is one too many.'],
    [`a,b\n1,"${'x\n'.repeat(600_000)}"`, 'Row 2 is longer than any record: more than 1 MiB.'],
  ])('with a stray quotation mark is refused where it stands', async (text, message) => {
    expect(await failure(text)).toMatchObject({ code: 'input', message, details: { outcome: 'not-sent' } })
  })
})
