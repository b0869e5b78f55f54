import { describe, expect, test } from 'vitest'
import { flaws, refusal, rowsOf } from './read-file.ts'

const person = (agencyRef: string) => ({ generalSetting: { agencyRef, surname: 'Ex\u2028ample' } })

describe('an import of NDJSON', () => {
  const text = `\n${JSON.stringify(person('A1'))}\r\n\n${JSON.stringify({ id: 'c-2', ...person('A2') })}`

  test('is one record a line, without the id of the service', async () => {
    const rows = await rowsOf(text, {}, 'starters.ndjson')
    expect(rows.map(({ row, record, issues }) => ({ row, record, issues }))).toEqual([
      { row: 2, record: person('A1'), issues: [] },
      { row: 4, record: person('A2'), issues: [] },
    ])
  })

  test('names the lines that are no records, and reads the others', async () => {
    const lines = ['{"generalSetting":', '[1]', `{"x":"${'y'.repeat(1024 * 1024)}"}`, '{"__proto__":1}', '{}']
    expect(await flaws(lines.join('\n'), {}, 'starters.jsonl')).toEqual([
      expect.stringMatching(/^1 this is not a record: it is not JSON/),
      '2 expected a UK candidate: one JSON object, not a list of 1',
      '3 the line is longer than 1 MiB: more than one record',
      expect.stringContaining('4 this is not a record: it has a field __proto__'),
    ])
    expect(await flaws(Buffer.from('{"generalSetting":{"surname":"M\xfcller"}}', 'latin1'))).toEqual([
      '1 this is not a record: it is not UTF-8 text',
    ])
  })

  test('refuses null in a list, which would be sent', async () => {
    const row = { generalSetting: { agencyRef: 'A1', city: null, address: ['1 High St', null] } }
    expect(await flaws(JSON.stringify(row), {}, 'starters.ndjson')).toEqual(['1 expected text in quotes'])
  })
})

describe('an import of a JSON array', () => {
  test('is one record an item, counted from 1', async () => {
    const rows = await rowsOf(JSON.stringify([person('A1'), 7], null, 2), {}, 'starters.json')
    expect(rows.map(({ row, issues }) => [row, issues.length])).toEqual([
      [1, 0],
      [2, 1],
    ])
    expect(rows[0]?.record).toEqual(person('A1'))
  })

  test('a JSON array that breaks off is no list of fewer', async () => {
    expect((await refusal('[{},', {}, 'starters.json')).message).toContain('it is not JSON')
  })
})
