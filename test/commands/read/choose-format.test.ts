import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { wordList } from '../../../src/formats/words.ts'
import { openXlsx } from '../../../src/formats/xlsx/open-xlsx.ts'
import { endingsOf } from '../../../src/render/formats.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'

const rates = [
  { id: '1', code: 'STD', rate: { unit: 'hour' } },
  { id: '2', code: 'NIGHT', rate: { unit: 'shift' } },
]

/** A run against a service with two payment rates. */
async function run(...words: string[]) {
  const home = freshHome()
  const { env, received } = await service(({ method }, response) =>
    method === 'POST'
      ? answerJson(response, 201, { data: { id: '3', code: 'DAY' }, success: true })
      : answerJson(response, 200, { data: rates, totalDocs: 2, success: true }),
  )
  const ended = await payroll(
    words.map((word) => word.replace('HOME', home)),
    { home, env },
  )
  return { ...ended, received, file: (name: string) => join(home, name) }
}

async function rowsIn(workbook: string) {
  const rows = []
  const book = await openXlsx(readFileSync(workbook))
  for await (const row of book?.rows() ?? []) rows.push(row)
  return rows
}

const list = ['payment-rates', 'list']

describe('--out', () => {
  test.each([
    ['rates.json', (text: string) => JSON.parse(text)],
    [
      'rates.NDJSON',
      (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
    ],
  ])('chooses the format by the ending of %s', async (name, parse) => {
    const { code, out, file } = await run(...list, '--out', `HOME/${name}`)
    expect([code, out]).toEqual([0, ''])
    expect(parse(readFileSync(file(name), 'utf8'))).toEqual(rates)
  })

  test('writes CSV and YAML by their endings', async () => {
    const csv = await run(...list, '--out', 'HOME/rates.csv')
    expect(readFileSync(csv.file('rates.csv'), 'utf8')).toBe('id,code,rate.unit\n1,STD,hour\n2,NIGHT,shift\n')
    const yaml = await run(...list, '--out', 'HOME/rates.yml')
    expect(readFileSync(yaml.file('rates.yml'), 'utf8')).toContain('code: NIGHT')
  })

  test('a workbook has the headings of the screen, dates as dates and amounts as numbers, and zeros in front', async () => {
    const home = freshHome()
    const person = {
      id: '1',
      DOB: '1988-03-14',
      rateHour: '24.5',
      bank: { sortCode: '040415' },
      address: ['1 Example Street'],
    }
    const { env } = await answering(200, { data: [person], totalDocs: 1, success: true })
    const columns = 'DOB,rateHour,bank.sortCode,address[0]'
    const out = join(home, 'people.xlsx')
    expect(
      await payroll(['candidates', 'list', '--columns', columns, '--out', out], { home, env }),
    ).toMatchObject({ code: 0 })
    const sheet = strFromU8(unzipSync(readFileSync(out))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    const cells = [...sheet.matchAll(/<c r="([A-D]2)"([^>]*)><v>([^<]*)</g)].map(([, place, kind, value]) => [
      place,
      / t="s"/.test(kind ?? '') ? 'text' : Number(value),
    ])
    expect(cells).toEqual([
      ['A2', 32216],
      ['B2', 24.5],
      ['C2', 'text'],
      ['D2', 'text'],
    ])
    expect(JSON.stringify(await rowsIn(out))).toMatch(
      /Date of birth.*Hourly rate.*Sort code.*Address.*040415/,
    )
  })

  test.each([
    [['--out', 'HOME/rates.csv', '--json'], '--json means json'],
    [['--out', 'HOME/rates.xlsx', '-o', 'csv'], '-o csv means csv'],
    [['-o', 'xlsx'], 'add --out with its name'],
    [['--out', 'HOME/rates.xls'], `Use one of ${wordList(endingsOf(), 'or')}`],
    [['--out', 'HOME/rates.report'], 'no format has the ending .report'],
    [['--raw', '--query', '[].code', '--out', 'HOME/rates.csv'], 'rates.csv asks for csv'],
    [['--json', '-o', 'csv'], 'contradict'],
    [['--excel', '--json'], '--excel writes CSV'],
    [['--raw'], 'add a --query'],
    [['--raw', '--query', '[].code', '-o', 'csv'], '--raw prints plain text'],
    [['--columns', 'code', '--query', '[].code'], 'use one of them'],
  ])('sends nothing and exits 2 for %j', async (words, message) => {
    const { code, err, received, file } = await run(...list, ...words)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(received).toEqual([])
    expect(existsSync(file('rates.csv'))).toBe(false)
  })
})

describe('--out with another format than its ending means', () => {
  test.each([
    'payment-rates list',
    'payment-rates get 1',
    'payment-rates export',
    'candidates find night',
    'candidates export --ireland',
    'payslips list',
    'payslips export',
    'template payment-rates',
    'schema payment-rates',
    'commands',
    'api GET /svc/payment-rate',
  ])('is exit 2 for %s: both formats are named, nothing is sent or written', async (words) => {
    const { code, err, received, file } = await run(
      ...words.split(' '),
      '--out',
      'HOME/all.csv',
      '-o',
      'json',
    )
    expect([code, received]).toEqual([2, []])
    expect(err).toMatch(/--out \S+all\.csv means csv, and -o json means json/)
    expect(existsSync(file('all.csv'))).toBe(false)
  })
})

test('--out with an ending that no format has is written where -o names the format', async () => {
  const { code, file } = await run(...list, '-o', 'csv', '--out', 'HOME/rates.txt')
  expect(code).toBe(0)
  expect(readFileSync(file('rates.txt'), 'utf8')).toMatch(/^id,code/)
})

test('--out with any ending takes the plain text of --raw', async () => {
  const { code, file } = await run(...list, '--query', '[].code', '--raw', '--out', 'HOME/codes.txt')
  expect(code).toBe(0)
  expect(readFileSync(file('codes.txt'), 'utf8')).toBe('STD\nNIGHT\n')
})

test.each([
  [[...list, '--query', '[].code', '-r'], 'STD\nNIGHT\n'],
  [['payment-rates', 'export'], 'id,code\n1,STD\n2,NIGHT\n'],
  [['completion', 'bash'], /^# bash completion/],
])('--out - is standard output for %j', async (words, expected) => {
  const { code, out, err } = await run(...words, '--out', '-')
  expect(code).toBe(0)
  expect(out).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  expect(err).not.toContain('Wrote')
  expect(existsSync('-')).toBe(false)
})

test.each([
  ['completion bash', 'payroll.sh', '# bash completion'],
  ['journal init --sql', 'journal.sql', 'create table'],
])('%s writes its text to a file of any ending', async (words, name, text) => {
  const journal = { PAYROLL_JOURNAL: 'postgres://nobody@127.0.0.1:9/none' }
  const home = freshHome()
  const path = join(home, name)
  const ended = await payroll([...words.split(' '), '--out', path], { home, env: journal })
  expect([ended.code, ended.out]).toEqual([0, ''])
  expect(readFileSync(path, 'utf8').toLowerCase()).toContain(text)
})

test.each([
  ['--excel', '--excel writes CSV'],
  ['--columns=code', '--columns chooses the columns of a table, and json has none'],
])('an export with %s and -o json is exit 2, because it would have no effect', async (option, message) => {
  const { code, err, received } = await run('payment-rates', 'export', option, '-o', 'json')
  expect([code, received]).toEqual([2, []])
  expect(err).toContain(message)
})

describe('--columns', () => {
  test.each([
    ['json', (text: string) => JSON.parse(text)],
    [
      'ndjson',
      (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
    ],
  ])('selects fields in %s too, each in its place', async (format, parse) => {
    const { out } = await run(...list, '-o', format, '--columns', 'code,rate.unit')
    expect(parse(out)).toEqual([
      { code: 'STD', rate: { unit: 'hour' } },
      { code: 'NIGHT', rate: { unit: 'shift' } },
    ])
  })

  test('--columns that no record has are exit 2, and nothing is printed', async () => {
    const { code, out, err } = await run(...list, '--json', '--columns', 'nothing')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('nothing')
  })

  test('--columns that do not fit the result of a write do not hide that it was applied', async () => {
    const words = ['payment-rates', 'create', '--set', 'code=DAY', '--set', 'description=Day', '--json']
    const { code, error, received } = await run(...words, '--columns', 'nothing')
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(error()).toMatchObject({ outcome: 'applied' })
    expect(code).toBe(10)
  })
})

describe('--query', () => {
  test('prints strings without quotes with --raw, one to a line', async () => {
    const { out } = await run(...list, '--query', '[].code', '-r')
    expect(out).toBe('STD\nNIGHT\n')
    expect((await run(...list, '--query', '[0].code', '--raw')).out).toBe('STD\n')
    expect((await run(...list, '--query', '[].rate', '--raw')).out).toBe(
      '{"unit":"hour"}\n{"unit":"shift"}\n',
    )
  })

  test.each([
    [['api', 'GET', '/svc/payment-rate', '--query', 'totalDocs'], '2\n'],
    [['template', 'payment-rates', '--query', 'keys(@)[0]', '-r'], 'code\n'],
    [['payment-rates', 'create', '--set', 'code=DAY', '--dry-run', '--query', 'body.code'], '"DAY"\n'],
    [['schema', 'payment-rates', '--query', 'type'], '"object"\n'],
  ])('selects from the result of %j', async (words, expected) => {
    const { code, out } = await run(...words)
    expect([code, out]).toEqual([0, expected])
  })

  test.each([
    ['[].', 'it ends too early'],
    ['foo..bar', 'character 5 is "."'],
    ['a b', 'character 3 is "b"'],
    ['[?a==`1]', 'character 6 is "`"'],
  ])('says where %j stops being valid', async (expression, where) => {
    const { code, err, received } = await run(...list, '--query', expression)
    expect(code).toBe(2)
    expect(err).toContain(where)
    expect(received).toEqual([])
  })
})
