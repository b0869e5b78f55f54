import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { endingsOf } from '../../../src/render/formats.ts'
import { wordList } from '../../../src/text/words.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { seededHome } from '../../start-sandbox.ts'
import { readRows } from '../../workbook.ts'

const person = { id: '1', forename: 'Zoë', bank: { sortCode: '012345' }, gross: -5.5 }
const link = '=HYPERLINK("http://evil.example.com")'
const people = [
  { ...person, address: ['1 Example Street', 'Example'] },
  { id: '2', forename: link, bank: { sortCode: null }, mobile: '+447700900123' },
  { id: '3', forename: 'a "quoted", name\nin two lines', note: '\u202Egnp' },
]
const rates = [
  { id: '1', code: 'STD', rate: { unit: 'hour' } },
  { id: '2', code: 'NIGHT', rate: { unit: 'shift' } },
]
const ratesAsCsv = 'id,code,rate.unit\n1,STD,hour\n2,NIGHT,shift\n'

/** A run against a service with three people and two payment rates. HOME is its home. */
async function run(words: string, home = freshHome(), more: readonly string[] = []) {
  const { env, received } = await service(({ method, url }, response) => {
    if (method === 'POST') return answerJson(response, 201, { data: { id: '3', code: 'DAY' }, success: true })
    const data = url.includes('payment-rate') ? rates : people
    answerJson(response, 200, { data, totalDocs: data.length, success: true })
  })
  const PAYROLL_JOURNAL = words.startsWith('journal') ? 'postgres://nobody@127.0.0.1:9/none' : ''
  const argv = [...words.replaceAll('HOME', home).split(' '), ...more]
  const ended = await payroll(argv, { home, env: { ...env, PAYROLL_JOURNAL } })
  return { ...ended, received, home, file: (name: string) => readFileSync(join(home, name), 'utf8') }
}

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('--out', () => {
  test.each<[words: string, name: string, content: (text: string) => unknown, expected: unknown]>([
    ['payment-rates list', 'rates.json', JSON.parse, rates],
    ['payment-rates list', 'rates.NDJSON', parseLines, rates],
    ['payment-rates list', 'rates.yml', parseYaml, rates],
    ['payment-rates list', 'rates.csv', String, ratesAsCsv],
    // An ending that no format has.
    ['payment-rates list -o csv', 'rates.txt', String, ratesAsCsv],
    ['payment-rates list --query [].code --raw', 'codes.txt', String, 'STD\nNIGHT\n'],
    ['completion bash', 'payroll.sh', String, expect.stringContaining('# bash completion')],
    ['journal init --sql', 'journal.sql', String, expect.stringMatching(/create table/i)],
  ])('%s goes into %s in its format', async (words, name, content, expected) => {
    const { code, out, file } = await run(`${words} --out HOME/${name}`)
    expect([code, out, content(file(name))]).toEqual([0, '', expected])
  })

  test('--columns leaves a text beside the column of what is inside of it in other records', async () => {
    const data = [{ pension: { er: 3 } }, { pension: 'none' }, { pension: null, 'a.b': 1, a: { b: 2 } }]
    const { env } = await answering(200, { data, totalDocs: 3 })
    const argv = ['payslips', 'list', '--columns', 'pension,pension.er,a.b', '-o']
    expect((await payroll([...argv, 'json'], { env })).json()).toEqual([
      { pension: { er: 3 }, a: { b: null } },
      { pension: 'none', a: { b: null } },
      { pension: null, a: { b: 1 } },
    ])
    const csv = 'pension,pension.er,a.b\n"{""er"":3}",3,\nnone,,\n,,1\n'
    expect((await payroll([...argv, 'csv'], { env })).out).toBe(csv)
  })

  test.each([
    ['json', '[\n{"id":"1","tags":[]}\n]\n'],
    ['csv', 'id,tags\n1,[]\n'],
    ['table', 'ID  tags\n1\n'],
  ])('a column whose list is empty in every row is no misspelt one: %s', async (format, printed) => {
    const { env } = await answering(200, { data: [{ id: '1', tags: [] }], totalDocs: 1 })
    const argv = ['candidates', 'list', '--columns', 'id,tags', '-o', format]
    expect(await payroll(argv, { env })).toMatchObject({ code: 0, out: printed })
  })

  test('a workbook has the headings of the screen, dates as dates and amounts as numbers, and zeros in front', async () => {
    const home = freshHome()
    const person = {
      id: '1',
      DOB: '1988-03-14',
      rateHour: '24.5',
      hours: '37.50',
      bank: { sortCode: '040415' },
      address: ['1 A St'],
    }
    const { env } = await answering(200, { data: [person], totalDocs: 1, success: true })
    const columns = 'DOB,rateHour,hours,bank.sortCode,address[0]'
    const out = join(home, 'people.xlsx')
    const argv = ['candidates', 'list', '--columns', columns, '--out', out]
    expect(await payroll(argv, { home, env })).toMatchObject({ code: 0 })
    const sheet = strFromU8(unzipSync(readFileSync(out))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    const cells = [...sheet.matchAll(/<c r="[A-E]2"([^>]*)><v>([^<]*)</g)].map(([, kind, value]) =>
      / t="s"/.test(kind ?? '') ? 'text' : Number(value),
    )
    expect(cells).toEqual([32216, 24.5, 37.5, 'text', 'text'])
    const text = JSON.stringify(await readRows(readFileSync(out)))
    expect(text).toMatch(/Date of birth.*Hourly rate.*Sort code.*Address.*040415/)
  })

  test.each([
    ['candidates list --columns surname,city', 'Surname, City or town'],
    ['candidates list --columns city,emergencyCity', 'City or town, Emergency contact: City or town'],
    ['candidates list --columns emergencyName,status', 'Emergency contact: Name, Status'],
    ['candidates list --columns setting.openingBalance.tax', 'Opening balance: Tax'],
    ['candidates list --columns pensionSetting,bank', 'Pension, bankSetting'],
    // Alone, its label would be that of the payment rate.
    ['payment-rates list --columns defaultVATCode.description', 'Description (defaultVATCode.description)'],
    ['payslips list --sum gross --by taxPeriod', 'Tax period, Items, Gross'],
    ['timesheets list --columns startDate,rates', 'From, Rates'],
  ])('a workbook of %s has the headings %s', async (words, headings) => {
    const home = await seededHome()
    const out = join(home, 'list.xlsx')
    const argv = ['--profile', 'sandbox', ...words.split(' '), '--out', out]
    expect(await payroll(argv, { home })).toMatchObject({ code: 0 })
    expect((await readRows(readFileSync(out)))[0]?.cells.join(', ')).toBe(headings)
  })

  test('a field that is an object in one record and null or a text in another has each value in its column', async () => {
    const home = freshHome()
    const data = [
      { id: '1', pension: { ee: 5, er: 3 }, lines: [1, 2] },
      { id: '2', pension: null, lines: [null, 4] },
      { id: '3', pension: 'none', lines: [] },
    ]
    const { env } = await answering(200, { data, totalDocs: 3, success: true })
    const rowsOf = async (verb: string, columns: string, format: string) => {
      const out = join(home, `${verb}.${format}`)
      const argv = ['payslips', verb, ...(columns ? ['--columns', columns] : []), '--out', out]
      expect(await payroll(argv, { home, env })).toMatchObject({ code: 0 })
      const content = readFileSync(out)
      const rows: string[][] =
        format === 'csv' ? parseCsv(content) : (await readRows(content)).map(({ cells }) => [...cells])
      const [names = [], ...cells] = rows
      return cells.map((row) =>
        Object.fromEntries(names.map((name, at) => [name.toLowerCase(), row[at] ?? ''])),
      )
    }
    const whole = [
      { id: '1', pension: '{"ee":5,"er":3}', 'pension.er': '3', lines: '[1,2]' },
      { id: '2', pension: '', 'pension.er': '', lines: '[null,4]' },
      { id: '3', pension: 'none', 'pension.er': '', lines: '[]' },
    ]
    const all = [
      {
        id: '1',
        pension: '',
        'pension.ee': '5',
        'pension.er': '3',
        'lines[0]': '1',
        'lines[1]': '2',
        lines: '',
      },
      {
        id: '2',
        pension: '',
        'pension.ee': '',
        'pension.er': '',
        'lines[0]': '',
        'lines[1]': '',
        lines: '[null,4]',
      },
      {
        id: '3',
        pension: 'none',
        'pension.ee': '',
        'pension.er': '',
        'lines[0]': '',
        'lines[1]': '',
        lines: '',
      },
    ]
    for (const [verb, format] of [
      ['list', 'csv'],
      ['list', 'xlsx'],
      ['export', 'csv'],
      ['export', 'xlsx'],
    ] as const) {
      expect(await rowsOf(verb, '', format)).toEqual(all)
      expect(await rowsOf(verb, 'id,pension,pension.er,lines', format)).toEqual(whole)
    }
  })

  test.each([
    ['2026-07-12', '12 Jul 2026', '2026-07-12'],
    ['2026-07-12T00:00:00', '12 Jul 2026', '2026-07-12'],
    ['2026-07-12 00:00:00', '12 Jul 2026', '2026-07-12'],
    ['2026-07-12T00:00:00.0000000+01:00', '12 Jul 2026', '2026-07-12'],
    // Midnight of London in summer, and in the winter of 1970, which had summer time.
    ['2026-07-11T23:00:00.000Z', '12 Jul 2026', '2026-07-12'],
    ['1970-01-11T23:00:00Z', '12 Jan 1970', '1970-01-12'],
    ['2026-07-12T10:30:00+01:00', '12 Jul 2026 09:30 UTC', '2026-07-12T09:30:00.000Z'],
    ['2026-07-12T10:30:00', '12 Jul 2026 10:30', '2026-07-12T10:30:00.000Z'],
    ['2026-02-30', '2026-02-30', '2026-02-30'],
    ['0001-01-01T00:00:00Z', '1 Jan 0001', '0001-01-01T00:00:00Z'],
  ])(
    'a day that a service writes as %s is the same day in a table and in a workbook',
    async (written, shown, cell) => {
      const home = freshHome()
      const data = [{ id: '1', endDate: written, paidOn: written }]
      const { env } = await answering(200, { data, totalDocs: 1, success: true })
      const list = ['timesheets', 'list', '--columns', 'endDate,paidOn']
      const out = join(home, 'days.xlsx')
      const table = await payroll([...list, '-o', 'table'], { env })
      expect(table.out.split('\n')[1]?.split(/ {2,}/)).toEqual([shown, shown])
      expect(await payroll([...list, '--out', out], { home, env })).toMatchObject({ code: 0 })
      const [, row] = await readRows(readFileSync(out))
      expect(row?.cells).toEqual([cell, cell])
    },
  )

  test.each(['list', 'export'])(
    'a workbook of %s with a text that no cell holds is exit 2, and not written',
    async (verb) => {
      const out = join(freshHome(), 'documents.xlsx')
      const of = (letters: number) =>
        answering(200, { data: [{ id: '1', note: 'x'.repeat(letters) }], totalDocs: 1 })
      const run = async (letters: number) =>
        payroll(['payslips', verb, '--out', out], { env: (await of(letters)).env })
      expect(await run(32_768)).toMatchObject(
        endedWith(2, 'note of record 1 has more than 32,767 characters'),
      )
      expect(existsSync(out)).toBe(false)
      expect(await run(32_767)).toMatchObject({ code: 0 })
    },
  )

  test('an amount that is written as text is a number in a workbook and a CSV, and hours at it have a value', async () => {
    const home = freshHome()
    const line = (units: string, rate: string) => ({ rateId: 'STD', units, rate })
    const data = ['33.5', '-33.5'].map((units, at) => ({
      id: `${at}`,
      rates: [line(units, '13.25')],
      cut: '-0.50',
    }))
    const sheets = [
      ...data,
      { id: '2', rates: [line('2', '£1,005.50'), line('0.1', '10'), line('0.2', '10')] },
    ]
    const { env } = await answering(200, { data: sheets, totalDocs: 3, success: true })
    const out = join(home, 'hours.xlsx')
    expect(await payroll(['timesheets', 'list', '--out', out], { home, env })).toMatchObject({ code: 0 })
    const rows = (await readRows(readFileSync(out))).map(({ cells }) => cells.slice(2, 5))
    expect(rows).toEqual([
      ['Hours', 'Pay rate', 'Value'],
      ['33.5', '13.25', '443.88'],
      // What takes an hour back takes its penny back.
      ['-33.5', '13.25', '-443.88'],
      ['2.3', '', '2014'],
    ])
    // Nothing declares what this service calls its amounts.
    const slips = ['1,234.50', '-0.05', 7, null].map((net, at) => ({
      id: `${at}`,
      net,
      code: at ? '1.10' : '1257L',
    }))
    const named = await answering(200, { data: slips, totalDocs: 4, success: true })
    expect(await payroll(['payslips', 'list', '--out', out], { home, env: named.env })).toMatchObject({
      code: 0,
    })
    const sheet = strFromU8(unzipSync(readFileSync(out))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    const isText = (cell: string) => new RegExp(`<c r="${cell}"[^>]* t="s"`).test(sheet)
    expect(['B2', 'B3', 'B4', 'C2', 'C3'].map(isText)).toEqual([false, false, false, true, true])
    const csv = await payroll(['timesheets', 'list', '--columns', 'cut', '-o', 'csv'], { env })
    expect(csv.out).toBe('cut\n-0.50\n-0.50\n\n')
  })

  test.each([
    ['payment-rates list --out HOME/rates.csv --json', '--json means json'],
    ['payment-rates list --out HOME/rates.xlsx -o csv', '-o csv means csv'],
    ['payment-rates list -o xlsx', 'add --out with its name'],
    ['payment-rates list --out HOME/rates.xls', `Use one of ${wordList(endingsOf(), 'or')}`],
    ['payment-rates list --out HOME/rates.report', 'no format has the ending .report'],
    ['payment-rates list --raw --query [].code --out HOME/rates.csv', 'and not csv'],
    ['payment-rates list --json -o csv', 'contradict'],
    ['payment-rates list --excel --json', '--excel writes CSV'],
    ['payment-rates list --raw', 'add a --query'],
    ['payment-rates list --raw --query [].code -o csv', '--raw prints plain text'],
    ['payment-rates list --columns code --query [].code', 'use one of them'],
    // They would have no effect.
    ['payment-rates export --excel -o json', '--excel writes CSV'],
    ['payment-rates export --columns=code -o json', 'chooses the columns of a table, and json has none'],
  ])('%s sends nothing and is exit 2', async (words, says) => {
    const { code, err, received, home } = await run(words)
    expect([code, err, received]).toEqual([2, expect.stringContaining(says), []])
    expect(existsSync(join(home, 'rates.csv'))).toBe(false)
  })

  test.each([
    ['', '--out needs a value'],
    ['HOME/new/', 'names no file'],
  ])('that names no file is exit 2 before a write is sent: "%s"', async (name, says) => {
    const home = freshHome()
    const out = name.replace('HOME', home)
    const { code, err, received } = await run('payment-rates create --set code=DAY --yes', home, [
      '--out',
      out,
    ])
    expect([code, err, received]).toEqual([2, expect.stringContaining(says), []])
  })

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
  ])('of another format than -o names is exit 2 for %s: nothing is sent or written', async (words) => {
    const { code, err, received, home } = await run(`${words} --out HOME/all.csv -o json`)
    expect([code, received, existsSync(join(home, 'all.csv'))]).toEqual([2, [], false])
    expect(err).toMatch(/--out \S+all\.csv means csv, and -o json means json/)
  })

  test.each<[words: string, out: unknown]>([
    ['payment-rates list --query [].code -r', 'STD\nNIGHT\n'],
    ['payment-rates export', 'id,code\n1,STD\n2,NIGHT\n'],
    ['completion bash', expect.stringMatching(/^# bash completion/)],
  ])('%s --out - is standard output', async (words, expected) => {
    const { code, out, err } = await run(`${words} --out -`)
    expect([code, out, err]).toEqual([0, expected, expect.not.stringContaining('Wrote')])
    expect(existsSync('-')).toBe(false)
  })

  test('writes the answer whole, for its owner alone, in place of what was there', async () => {
    const home = freshHome()
    writeFileSync(join(home, 'people.json'), 'yesterday', { mode: 0o644 })
    const { code, out, err, file } = await run('candidates list -q --out HOME/people.json', home)
    expect([code, out, err, JSON.parse(file('people.json'))]).toEqual([0, '', '', people])
    expect(statSync(join(home, 'people.json')).mode & 0o777).toBe(0o600)
  })

  test('leaves the file as it was when the list is not whole: exit 10', async () => {
    const { env } = await answering(200, { data: [], totalDocs: 3 })
    const file = join(freshHome(), 'people.ndjson')
    writeFileSync(file, 'yesterday')
    const { code } = await payroll(['candidates', 'list', '-q', '--out', file], { env })
    expect([code, readFileSync(file, 'utf8')]).toEqual([10, 'yesterday'])
  })

  test.each(['/dev/null', 'HOME/link', 'HOME'])(
    'is refused for %s, which is no plain file: exit 2',
    async (path) => {
      const home = freshHome()
      symlinkSync('/dev/null', join(home, 'link'))
      expect((await run(`candidates list -q -o json --out ${path}`, home)).code).toBe(2)
    },
  )
})

describe('candidates list', () => {
  test('as YAML says the same as JSON, and nothing in it can act on a terminal', async () => {
    const { out } = await run('candidates list -q -o yaml')
    expect([parseYaml(out), out]).toEqual([people, expect.not.stringContaining('\u202E')])
  })

  test('as CSV runs nothing in a spreadsheet, keeps leading zeros, and has a column for every path', async () => {
    const { out } = await run('candidates list -q -o csv')
    const { bank, ...flat } = person
    const address = { 'address[0]': '1 Example Street', 'address[1]': 'Example' }
    expect(parseCsv(out, { columns: true })).toMatchObject([
      { ...flat, 'bank.sortCode': bank.sortCode, ...address, gross: '-5.5' },
      { forename: `'${link}`, mobile: "'+447700900123", 'bank.sortCode': '', 'address[0]': '' },
      { forename: 'a "quoted", name\nin two lines' },
    ])
  })

  test.each([
    ['-o csv --excel --columns id', '\uFEFFid\r\n1\r\n2\r\n3\r\n'],
    ['-o table --columns id', 'ID\n1\n2\n3\n'],
    ['-o table --limit 1 --columns address[1]', 'Address\nExample\n'],
    ['-o ndjson --query [].id', '"1"\n"2"\n"3"\n'],
    ['-o csv --query [?id==`"2"`].{id:id}', 'id\n2\n'],
    ['--query length(@)', '3\n'],
    ['--query length(@) --limit 2', '2\n'],
    ['-o csv --limit 1 --columns bankSetting.sortCode,id', 'bank.sortCode,id\n012345,1\n'],
    ['-o csv --limit 1 --columns bank.sortCode,id', 'bank.sortCode,id\n012345,1\n'],
    ['-o csv --limit 1 --columns sortCode,id', 'bank.sortCode,id\n012345,1\n'],
  ])('%s prints %j', async (words, expected) => {
    expect((await run(`candidates list -q ${words}`)).out).toBe(expected)
  })
})

describe('--columns', () => {
  test('knows a field by its label', async () => {
    const { out } = await run('candidates list -q -o csv --limit 1', freshHome(), [
      '--columns',
      'id,Sort code',
    ])
    expect(out).toBe('id,bank.sortCode\n1,012345\n')
  })

  test.each([
    ['json', JSON.parse],
    ['ndjson', parseLines],
  ])('selects fields in %s too, each in its place', async (format, content) => {
    const { out } = await run(`payment-rates list -o ${format} --columns code,rate.unit`)
    expect(content(out)).toEqual(rates.map(({ id: _, ...others }) => others))
  })

  test.each([
    ['payment-rates list --json --columns nothing', 'nothing'],
    [
      'candidates list -o csv --columns id,surnam',
      'There is no column called "surnam". Did you mean surname?',
    ],
  ])('%s is exit 2, and nothing is printed', async (words, says) => {
    const { code, out, err } = await run(words)
    expect([code, out, err.replace('\n', ' ')]).toEqual([2, '', expect.stringContaining(says)])
  })

  test.each(['csv', 'json', 'ndjson', 'yaml', 'table'])(
    'are not misspelt where %s has no row',
    async (format) => {
      const nobody = await run(`payslips list --where taxPeriod=99 -o ${format} --columns id,netPay`)
      const nothing = await run(`history -o ${format} --columns reference,outcome`)
      expect([nobody.code, nothing.code]).toEqual([0, 0])
      expect(await run(`candidates list --where surname=Nobody -o ${format} --columns surnam`)).toMatchObject(
        endedWith(2, 'surname'),
      )
    },
  )

  test('that do not fit the result of a write do not hide that it was applied', async () => {
    const words = 'payment-rates create --set code=DAY --set description=Day --json --columns nothing'
    const { code, error, received } = await run(words)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect([code, error().outcome]).toEqual([10, 'applied'])
  })
})

test('a payslip of undocumented names is masked in a table and in an error, and whole as JSON', async () => {
  const payslip = {
    ...{ id: 'p1', nino: 'QQ123456A', date_of_birth: '1991-11-04', 'Account No.': '31926819', eeNI: 120.5 },
    bank: { sort_code: '60-16-13', bankAccount: { number: '55779911' } },
  }
  const { env } = await service(({ method }, response) => {
    if (method === 'GET') return answerJson(response, 200, { data: [payslip], totalDocs: 1 })
    answerJson(response, 400, { message: 'QQ765432B is taken' })
  })
  const shown = (await payroll(['payslips', 'list', '-o', 'table'], { env })).out
  for (const secret of ['123456', '1991', '31926', '60-16', '55779']) expect(shown).not.toContain(secret)
  expect(shown).toContain('120.5')
  expect((await payroll(['payslips', 'list'], { env })).json()).toEqual([payslip])
  const input = '{"surname":"Sample","NINumber":"QQ765432B"}'
  expect(await payroll(['candidates', 'create', '--incomplete'], { env, input })).toMatchObject(
    endedWith(6, '******32B is taken'),
  )
})
