import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Format } from '../../src/render/formats.ts'
import { createOutput, type Output } from '../../src/render/output.ts'

/** What a piece of output writes to standard output. */
async function written(
  format: Format,
  say: (output: Output) => Promise<void>,
  { reveal = false } = {},
): Promise<string> {
  const stream = new PassThrough()
  const chunks: string[] = []
  stream.on('data', (chunk) => chunks.push(String(chunk)))
  await say(createOutput({ stream, format, colour: false, reveal }))
  return chunks.join('')
}

const _person = { id: 'c-1', forename: 'Síle', DOB: '1991-03-14' }

describe('a list', () => {
  test('is a table of the fields its rows have, where they have none of the columns', async () => {
    const rows = [{ reference: 'p-1' }, { reference: 'p-2', NINumber: 'QQ123456A' }]
    const text = await written('table', (output) => output.list(rows, { columns: ['id', 'taxYear'] }))
    expect(text).toBe('reference  NINumber\np-1\np-2        ******56A\n')
  })

  test('fills in, of a record that is not shown, with other fields that its rows have', async () => {
    const type = { columns: ['id', 'taxYear', 'taxPeriod'], documented: false }
    const text = await written('table', (output) =>
      output.list([{ id: 'p-1', period: 7, taxYear: 2026 }], type),
    )
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

  test('a value without a text is JSON for a person too, masked', async () => {
    const secret = { NINumber: 'QQ123456A' }
    expect(JSON.parse(await written('table', (output) => output.value(secret)))).toEqual({
      NINumber: '******56A',
    })
    expect(JSON.parse(await written('json', (output) => output.value(secret)))).toEqual(secret)
    expect(await written('json', (output) => output.value(undefined))).toBe('null\n')
  })
})

test('a stream that cannot be written to is told', async () => {
  const stream = new PassThrough()
  stream.on('error', () => {})
  stream.destroy()
  await expect(
    createOutput({ stream, format: 'json', colour: false, reveal: false }).list([]),
  ).rejects.toThrow()
})
