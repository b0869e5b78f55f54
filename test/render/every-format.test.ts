import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readFormats } from '../../src/files/table/read-formats.ts'
import { exportFormats, type Format, formats, outputFormats } from '../../src/render/formats.ts'
import { createOutput, type Output } from '../../src/render/output.ts'
import { allHostile, isHarmless } from './hostile.ts'

/** What a piece of output writes, in the format. */
async function written(
  format: Format,
  say: (output: Output) => Promise<unknown>,
  options: { readonly terminal?: boolean; readonly query?: string } = {},
): Promise<string> {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await say(
    createOutput({ stream, format, colour: false, reveal: false, redact: (text) => text, ...options }),
  )
  return Buffer.concat(chunks).toString()
}

const rows = [
  { id: '1', code: 'STD', rate: { unit: 'hour' } },
  { id: '2', code: 'NIGHT', lines: ['a', 'b'] },
]

async function* inPages() {
  for (const row of rows) yield [row]
}

const isText = (format: Format) => !formats[format].isBinary

describe.each(outputFormats)('the format %s', (format) => {
  test.skipIf(formats[format].endings.length === 0)('is named in the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    expect(readme.includes(`\`${format}\``)).toBe(true)
  })

  test('has endings of its own, or none', () => {
    const others = outputFormats.filter((each) => each !== format).flatMap((each) => formats[each].endings)
    expect(others.filter((ending) => formats[format].endings.includes(ending))).toEqual([])
  })

  test('holds every value of a list, of a record and of a plan', async () => {
    const list = await written(format, (output) => output.list(rows))
    const one = await written(format, (output) => output.record({ id: '1', code: 'STD' }))
    const plan = await written(format, (output) => output.value({ id: '1', code: 'STD' }))
    for (const text of isText(format) ? [list, one, plan] : []) expect(text).toContain('STD')
    for (const text of [list, one, plan]) expect(text.length).toBeGreaterThan(0)
  })

  test.skipIf(!isText(format))('writes a list in pages as it writes it whole', async () => {
    const paged = await written(format, (output) => output.pages(inPages()))
    expect(paged).toBe(await written(format, (output) => output.list(rows)))
  })

  test.skipIf(!isText(format))('holds what --query selects, be it a list, a record or a text', async () => {
    const say = (output: Output) => output.list(rows)
    for (const query of ['[].code', '[?code==`"STD"`]', '[0]', '[0].code'])
      expect(await written(format, say, { query })).toContain('STD')
  })

  test.skipIf(!isText(format))('sends a terminal nothing that it would act on', async () => {
    const say = (output: Output) => output.list([{ id: '1', name: allHostile }])
    const text = await written(format, say, { terminal: true })
    // A tab moves the cursor and covers nothing.
    expect(isHarmless(text.replaceAll('\t', ' '))).toBe(true)
  })
})

test('no ending of a file belongs to two formats that an import reads', () => {
  const endings = exportFormats.flatMap((name): readonly string[] => [
    ...formats[name].endings,
    ...(readFormats[name].otherEndings ?? []),
  ])
  expect(endings.filter((ending, at) => endings.indexOf(ending) !== at)).toEqual([])
})

describe('a list', () => {
  test('is a table of the fields its rows have, where they have none of the columns', async () => {
    const rows = [{ reference: 'p-1' }, { reference: 'p-2', NINumber: 'QQ123456A' }]
    const text = await written('table', (output) => output.list(rows, { columns: ['id', 'taxYear'] }))
    expect(text).toBe('reference  NINumber\np-1\np-2        ******56A\n')
  })

  test('fills in, of a record that is not shown, with other fields that its rows have', async () => {
    const type = { columns: ['id', 'taxYear', 'taxPeriod'], documented: false }
    const rows = [{ id: 'p-1', period: 7, taxYear: 2026 }]
    const text = await written('table', (output) => output.list(rows, type))
    expect(text).toBe('ID   taxYear  period\np-1     2026       7\n')
  })

  test('has no more than eight columns of its own', async () => {
    const row = Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1]))
    const text = await written('table', (output) => output.list([row]))
    expect(text).toBe('a  b  c  d  e  f  g  h\n1  1  1  1  1  1  1  1\n')
  })

  test('may hold what is no record', async () => {
    expect(await written('table', (output) => output.list(['T1', null, 3]))).toBe('T1\n\n3\n')
    expect(await written('table', (output) => output.list([null, { a: 1 }]))).toBe('a\n\n1\n')
  })

  test.each(['table', 'csv'] as const)('is nothing as %s when it is empty', async (format) => {
    expect(await written(format, (output) => output.list([]))).toBe('')
  })
})

describe('a value', () => {
  test('is the text for a person, where there is one, and JSON for a script', async () => {
    expect(await written('table', (output) => output.value({ a: 1 }, 'one\n'))).toBe('one\n')
    expect(await written('json', (output) => output.value({ a: 1 }, 'one\n'))).toBe('{\n  "a": 1\n}\n')
  })

  test('without a text is JSON for a person too, masked', async () => {
    const secret = { NINumber: 'QQ123456A' }
    const shown = JSON.parse(await written('table', (output) => output.value(secret)))
    expect(shown).toEqual({ NINumber: '******56A' })
    expect(JSON.parse(await written('json', (output) => output.value(secret)))).toEqual(secret)
    expect(await written('json', (output) => output.value(undefined))).toBe('null\n')
  })
})

test('a stream that cannot be written to is told', async () => {
  const stream = new PassThrough()
  stream.on('error', () => {})
  stream.destroy()
  const output = createOutput({
    stream,
    format: 'json',
    colour: false,
    reveal: false,
    redact: (text) => text,
  })
  await expect(output.list([])).rejects.toThrow()
})
