import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'

const people = [
  {
    id: '1',
    forename: 'Zoë',
    bank: { sortCode: '012345' },
    address: ['1 Example Street', 'Example'],
    gross: -5.5,
  },
  {
    id: '2',
    forename: '=HYPERLINK("http://evil.example.com")',
    bank: { sortCode: null },
    mobile: '+447700900123',
  },
  { id: '3', forename: 'a "quoted", name\nin two lines', note: '\u202Egnp' },
]

/** A list of three in three pages would be one here: they fit. */
async function listed(...words: string[]) {
  const { env, received } = await answering(200, { data: people, totalDocs: 3 })
  const home = freshHome()
  return { ...(await payroll(['candidates', 'list', '-q', ...words], { home, env })), home, env, received }
}

describe('a list', () => {
  test('a list as YAML says the same as JSON, and nothing in it can act on a terminal', async () => {
    const { out } = await listed('-o', 'yaml')
    expect(parseYaml(out)).toEqual(people)
    expect(out).not.toContain('\u202E')
  })

  test('a list as CSV has a column for every path, and leading zeros are kept', async () => {
    const [first, second] = parse((await listed('-o', 'csv')).out, { columns: true }) as any[]
    expect(first).toMatchObject({
      id: '1',
      forename: 'Zoë',
      'bank.sortCode': '012345',
      'address[1]': 'Example',
      gross: '-5.5',
    })
    expect(second).toMatchObject({ 'bank.sortCode': '', 'address[0]': '' })
  })

  test('a list as CSV runs nothing in a spreadsheet', async () => {
    const [, second, third] = parse((await listed('-o', 'csv')).out, { columns: true }) as any[]
    expect(second).toMatchObject({
      forename: `'=HYPERLINK("http://evil.example.com")`,
      mobile: "'+447700900123",
    })
    expect(third.forename).toBe('a "quoted", name\nin two lines')
  })

  test('a list as CSV for Excel begins with the mark and ends its lines as Excel does', async () => {
    const { out } = await listed('-o', 'csv', '--excel', '--columns', 'id')
    expect(out).toBe('\uFEFFid\r\n1\r\n2\r\n3\r\n')
  })

  test('has the columns that are asked for, and names those there are for one there is not', async () => {
    expect((await listed('-o', 'csv', '--columns', 'bank.sortCode,id')).out.split('\n')[1]).toBe('012345,1')
    expect((await listed('-o', 'table', '--columns', 'id')).out).toBe('ID\n1\n2\n3\n')
    const { code, out, err } = await listed('-o', 'csv', '--columns', 'id,surnam')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('There is no column surnam.')
    expect(err).toContain('Did you mean surname?')
  })

  test.each(['bankSetting.sortCode', 'bank.sortCode', 'sortCode', 'Sort code'])(
    'knows a column as %s',
    async (name) => {
      expect((await listed('-o', 'csv', '--columns', `id,${name}`)).out.split('\n').slice(0, 2)).toEqual([
        'id,bank.sortCode',
        '1,012345',
      ])
    },
  )

  test('can be queried', async () => {
    expect(JSON.parse((await listed('--query', '[].id')).out)).toEqual(['1', '2', '3'])
    expect((await listed('--query', '[].id', '-o', 'ndjson')).out).toBe('"1"\n"2"\n"3"\n')
    expect((await listed('--query', '[?id==`"2"`].{id:id}', '-o', 'csv')).out).toBe('id\n2\n')
    expect(JSON.parse((await listed('--query', 'length(@)')).out)).toBe(3)
    const { code, out, received } = await listed('--query', '[[')
    expect([code, out, received]).toEqual([2, '', []])
  })

  test('stops after so many', async () => {
    expect((await listed('--limit', '2', '--query', 'length(@)')).out).toBe('2\n')
  })
})

describe('--out', () => {
  test('writes the answer whole, for its owner alone, in place of what was there', async () => {
    const { env } = await listed()
    const home = freshHome()
    const file = join(home, 'people.json')
    writeFileSync(file, 'yesterday', { mode: 0o644 })
    const run = await payroll(['candidates', 'list', '-q', '--out', file], { home, env })
    expect([run.code, run.out, run.err]).toEqual([0, '', ''])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(people)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('leaves the file as it was when the list is not whole', async () => {
    const { env } = await answering(200, { data: [], totalDocs: 3 })
    const home = freshHome()
    const file = join(home, 'people.ndjson')
    writeFileSync(file, 'yesterday')
    const run = await payroll(['candidates', 'list', '-q', '-o', 'ndjson', '--out', file], { home, env })
    expect(run.code).toBe(10)
    expect(readFileSync(file, 'utf8')).toBe('yesterday')
  })

  test('is refused for what is no plain file', async () => {
    const { env } = await listed()
    const home = freshHome()
    symlinkSync('/dev/null', join(home, 'link'))
    for (const file of ['/dev/null', join(home, 'link'), home]) {
      expect([
        file,
        (await payroll(['candidates', 'list', '-q', '--out', file], { home, env })).code,
      ]).toEqual([file, 2])
    }
  })
})
