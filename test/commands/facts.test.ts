import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { builtInFacts } from '../../src/model/facts/facts.ts'
import { atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Made up, for a year of which nothing is known. */
const nextWage = {
  name: 'minimum-wage',
  country: 'uk',
  from: '2027-04-01',
  until: '2028-03-31',
  value: { from21: 13.5, from18: 11.5, from0: 8.5, apprentice: 8.5 },
  source: 'made up for a test',
  looked: '2026-11-27',
}

/** Runs of one computer, with a file. */
function computer() {
  const home = freshHome()
  const facts = (...words: string[]) => payroll(['facts', ...words], { home })
  const fileOf = (content: string | Uint8Array, name = 'given.json') => {
    const path = join(home, name)
    writeFileSync(path, content)
    return path
  }
  const importing = (content: string | Uint8Array) => facts('import', fileOf(content), '--json')
  return { home, facts, fileOf, importing }
}

const named =
  (name: string, country = 'uk') =>
  (each: { name: string; country: string }) =>
    each.name === name && each.country === country

test('lists what holds on a day with its source, and what has run out, which nothing is judged by', async () => {
  const { facts } = computer()
  const now = (await facts('list', '--json')).json()
  expect(now.find(named('minimum-wage'))).toMatchObject({
    state: 'in force',
    from: '2026-04-01',
    until: '2027-03-31',
    value: { from21: 12.71 },
    source: expect.stringContaining('gov.uk'),
    imported: false,
  })
  const wage = (await facts('list', 'minimum-wage', '--uk')).json()
  expect(wage.map((each: { name: string }) => each.name)).toEqual(['minimum-wage'])
  expect(await facts('list', 'wage')).toMatchObject(endedWith(2, 'There is no fact called wage.'))
  const { out, err } = await facts('--uk', '--on', '6/4/2027', '-o', 'table')
  expect(out).toMatch(
    /^minimum-wage, UK: has run out on 31 March 2027\n +from21 12\.71, from18 10\.85, from0 8, apprentice 8$/m,
  )
  expect(err).toMatch(
    /run out by 6 April 2027, and nothing is judged by them: minimum-wage in the UK \(31 March 2027\)/,
  )
  const countries = (await facts('--country', 'ireland', '--json')).json().map((each: any) => each.country)
  expect([...new Set(countries)]).toEqual(['ireland'])
  expect((await facts('list', '--country', 'france')).code).toBe(2)
})

test('shows the whole value of a fact on a small screen, and says once which file was written', async () => {
  const { home, facts } = computer()
  const words = ['facts', '--no-pager']
  const terminal = await atTerminal(words, { home, columns: 80, rows: 24 }).ended
  expect(terminal.out).toContain('from21 12.71, from18 10.85, from0 8, apprentice 8')
  expect(Math.max(...terminal.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  const { err } = await facts('--out', join(home, 'facts.csv'))
  expect(err.match(/Wrote/g)).toHaveLength(1)
})

test('an imported fact counts on its days, in a file for its owner alone, until facts reset', async () => {
  const { home, facts, importing } = computer()
  const done = await importing(JSON.stringify([nextWage]))
  expect(done.json()).toEqual({ imported: 1, same: 0, facts: ['minimum-wage'] })
  expect(statSync(join(home, 'facts.json')).mode & 0o777).toBe(0o600)
  const on = async (day: string) =>
    (await facts('list', '--on', day, '--json')).json().filter(named('minimum-wage'))
  expect(await on('2027-04-06')).toMatchObject([
    { state: 'in force', value: { from21: 13.5 }, imported: true },
  ])
  expect(await on('2027-03-31')).toMatchObject([
    { state: 'to come', imported: true },
    { state: 'in force', value: { from21: 12.71 }, imported: false },
  ])
  await facts('reset')
  expect(await on('2027-04-06')).toMatchObject([{ state: 'has run out' }])
})

test('an imported fact corrects ours of the same days', async () => {
  const { home, importing } = computer()
  await importing(JSON.stringify({ ...nextWage, from: '2026-10-01', until: '2027-03-31' }))
  const listed = (await payroll(['facts', 'list', '--uk', '--json'], { home })).json()
  expect(listed.filter(({ name }: any) => name === 'minimum-wage')).toMatchObject([
    { until: '2027-03-31', source: 'made up for a test', imported: true },
  ])
})

test('what export prints is taken as it is, and nothing of ours is kept', async () => {
  const { home, facts } = computer()
  const list = await facts('export')
  expect(list.json()).toHaveLength(builtInFacts.all.length)
  const again = await payroll(['facts', 'import', '-'], { home, input: list.out })
  expect(again.json()).toEqual({ imported: 0, same: builtInFacts.all.length, facts: [] })
  const corrected = list.out.replace('"from21":12.71', '"from21":12.99')
  expect((await payroll(['facts', 'import', '-'], { home, input: corrected })).json()).toMatchObject({
    imported: 1,
  })
  expect((await facts('export', '--uk')).json().filter(named('minimum-wage'))).toHaveLength(4)
})

test.each([
  [
    'a wage with its point in the wrong place',
    { value: { from0: 8.5, from21: 135 } },
    '[0].value.from21',
    'not what an hour is paid',
  ],
  [
    'a share as a percentage',
    { name: 'holiday-pay', value: { share: 12.07 } },
    '[0].value.share',
    'a share is written',
  ],
  ['text for a number', { value: { from0: '8.50' } }, '[0].value.from0', 'missing, or not a number'],
  ['no rate at all', { value: {} }, '[0].value', 'it has the rates from0, from18 and so on'],
  ['a day that is none', { from: '2027-02-30' }, '[0].from', 'not a day'],
  ['a month that is none', { from: '2027-13-01' }, '[0].from', 'not a day'],
  ['an end before the beginning', { until: '2026-01-01' }, '[0].until', 'it ends before it begins'],
  ['a name that no fact has', { name: 'minimum-pay' }, '[0].name', 'not the name of a fact'],
  ['a country that is not known', { country: 'france' }, '[0].country', 'not a country that is known'],
  ['a part that no fact has', { rate: 1 }, '[0].rate', 'not a part of this fact'],
  ['a name that is none', { name: 5 }, '[0].name', 'not the name of a fact'],
  ['no source', { source: ' ' }, '[0].source', 'empty'],
] as const)('refuses a file whole for %s, and says where', async (_, wrong, path, says) => {
  const { facts, importing } = computer()
  const written = { ...nextWage, ...wrong }
  const run = await importing(`[${JSON.stringify(written, null, 1)}]`)
  expect(run.code).toBe(3)
  const { issues, message } = run.error()
  expect(issues).toMatchObject([{ path, message: expect.stringContaining(says) }])
  expect(message).toContain('Nothing was changed.')
  expect(
    (await facts('list', '--on', '2027-04-06', '--json')).json().some((each: any) => each.imported),
  ).toBe(false)
})

test('refuses what is no JSON or no list of facts, and names the place of one among several, and of two facts of the same days', async () => {
  const { importing } = computer()
  expect((await importing('[\n{"name": }\n]')).error().issues[0].message).toContain('it is not JSON')
  const encoded = Buffer.from(JSON.stringify([nextWage]), 'utf16le')
  expect((await importing(encoded)).error().issues[0].message).toContain('it is UTF-16 text')
  const odd = JSON.stringify([nextWage, { ...nextWage, looked: 'yesterday' }])
  expect((await importing(odd)).error().issues[0].path).toBe('[1].looked')
  const twice = JSON.stringify([nextWage, { ...nextWage, from: '2027-10-01' }])
  expect((await importing(twice)).error().issues[0]).toMatchObject({ path: '[1].from' })
  const byName = (await importing('{"holiday-pay": {"share": 0.1207}}')).error().issues
  expect(byName).toMatchObject([
    { path: '[0]', message: expect.stringMatching(/expected a fact, or a list/) },
  ])
  expect(await importing('')).toMatchObject(endedWith(3, 'empty'))
  expect(await importing('[]')).toMatchObject(endedWith(3, 'it has no fact'))
  const { facts } = computer()
  expect(await facts('import', 'no-such-file.json')).toMatchObject(endedWith(2, 'There is no file'))
})

test('says of a file that was changed by hand that it is none, and goes on with it removed', async () => {
  const { home, facts, fileOf } = computer()
  fileOf('{"format":1,"at":"","facts":[{}]}', 'facts.json')
  expect(await facts()).toMatchObject(endedWith(2, 'it is not a file of facts'))
  fileOf('{"format":2}', 'facts.json')
  expect(await facts()).toMatchObject({ code: 2 })
  expect((await payroll(['facts', 'reset'], { home })).code).toBe(0)
  expect((await facts()).code).toBe(0)
})

/** Made-up weights, in the form of the table of the banks. */
const table = [
  '070116 070116 MOD10    0    0    0    0    0    0    1    1    1    1    1    1    1    1',
  '',
]

test('a table of the banks makes the form and check doubt an account number that does not fit its sort code', async () => {
  const { home, facts, fileOf } = computer()
  const doubts = async (accountNumber: string) => {
    const words = ['candidates', 'create', '--incomplete', '--dry-run', '--file', '-', '--profile', 'sandbox']
    const body = {
      generalSetting: { forename: 'Ann', surname: 'Sample' },
      bankSetting: { sortCode: '070116', accountNumber },
    }
    return (await payroll(words, { home, input: JSON.stringify(body) })).json().warnings
  }
  expect(await doubts('12345678')).toEqual([])
  const wrong = await facts(
    'import',
    fileOf(`${table.join('\r\n')}070117 070117 MOD12 1\n`, 'weights.txt'),
    '--json',
  )
  expect(wrong).toMatchObject({ code: 3 })
  expect(wrong.error().issues[0].message).toMatch(/^line 2: the third column/)
  expect(await facts('import', fileOf(table.join('\r\n'), 'weights.txt'))).toMatchObject({ code: 0 })
  await facts('import', fileOf('070118 070116\n', 'substitutes.txt'))
  expect(await doubts('12345678')).toMatchObject([
    { path: 'bankSetting.accountNumber', message: expect.stringContaining('modulus check') },
  ])
  expect(await doubts('12345672')).toEqual([])
  const on = (await facts('list', '--on', '2027-11-28', '--json')).json()
  expect(on.filter(({ name }: any) => name.startsWith('sort-code'))).toMatchObject([
    { state: 'has run out', source: expect.stringContaining('substitutes.txt') },
    { state: 'has run out', source: expect.stringContaining('weights.txt') },
  ])
  const person = { id: 'id-1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', status: 'ACTIVE' }
  const { env } = await service(({ url }, response) => {
    const isPeople = new URL(url, 'http://127.0.0.1').pathname === '/svc/candidates'
    const data = isPeople ? [{ ...person, bank: { sortCode: '070116', accountNumber: '12345678' } }] : []
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  const checked = await payroll(['check', '--only', 'bank-number', '--uk', '-o', 'table'], { home, env })
  expect(checked.out.replace(/\s+/g, ' ')).toMatch(/modulus check/)
  expect(checked.err).toMatch(/Judged by facts that were imported on 27 November 2026 too/)
})

test.each([
  [{ rateHour: 12 }, 'rateHour', '£12.00 is below the minimum of £12.71 at 36'],
  [{ rateHour: 12, dateOfJoining: '2027-04-05' }, 'rateHour', undefined],
  [{ rateHour: 12.71 }, 'rateHour', undefined],
  [{ rateHour: 12, DOB: '2007-06-01' }, 'rateHour', undefined],
  [{ rateHour: 12, DOB: null }, 'rateHour', undefined],
  [{ rateHour: 0.4 }, 'rateHour', 'less than 1 an hour'],
  [{ annualSalary: 20000, hours: 40 }, 'annualSalary', '£20,000 a year for 40 hours a week: £9.59 is below'],
] as const)(
  'a form, an import and a change doubt pay below the minimum wage as check does: %j',
  async (given, name, says) => {
    const { home, fileOf } = computer()
    const generalSetting = {
      agencyRef: 'A-1',
      forename: 'Ann',
      surname: 'Sample',
      DOB: '1990-06-01',
      ...given,
    }
    const body = JSON.stringify({ generalSetting })
    const dryRun = async (...words: string[]) =>
      (
        await payroll(['candidates', ...words, '--dry-run', '--profile', 'sandbox'], { home, input: body })
      ).json()
    const doubts =
      says === undefined ? [] : [{ path: `generalSetting.${name}`, message: expect.stringContaining(says) }]
    const created = await dryRun('create', '--file', '-')
    // What is not known is said of no field.
    expect(created.warnings.filter(({ path }: { path: string }) => path !== '')).toEqual(doubts)
    const imported = await dryRun('import', fileOf(`[${body}]`, 'people.json'))
    expect(imported.warnings).toMatchObject(doubts)
    expect(imported.warningCount).toBe(doubts.length)
  },
)

test('a change of a rate is doubted where it is below the minimum wage, and one of a telephone number is not', async () => {
  const at = await startSandbox({ seeded: true })
  const changed = async (set: string) =>
    (await payroll(['candidates', 'update', 'SANDBOX-UK-16', '--yes', '--set', set], at)).err
  expect(await changed('rateHour=10')).toContain('rateHour: £10.00 is below the minimum of £10.85 at 20')
  expect(await changed('mobile=07700900123')).not.toContain('minimum')
})

test.each([
  ['2027-03-31T22:59:59Z', 'uk', 'in force'],
  ['2027-03-31T23:00:00Z', 'uk', 'has run out'],
  ['2026-12-31T23:59:59Z', 'ireland', 'in force'],
  ['2027-01-01T00:00:00Z', 'ireland', 'has run out'],
])('today is the day in London and Dublin: at %s the minimum wage of %s %s', async (time, country, state) => {
  vi.setSystemTime(Date.parse(time))
  const now = (await computer().facts('list', '--json')).json()
  expect(now.find(named('minimum-wage', country))).toMatchObject({ state })
})
