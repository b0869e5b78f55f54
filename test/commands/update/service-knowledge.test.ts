import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

/** Without null, false, empty texts, lists and objects: what is empty is left out. */
function withoutEmpty(value: any): any {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (value === null || typeof value !== 'object') return value
  const filled = Object.entries(value)
    .map(([name, each]) => [name, withoutEmpty(each)] as const)
    .filter(
      ([, each]) =>
        each !== null && each !== '' && !(typeof each === 'object' && Object.keys(each).length === 0),
    )
  return Object.fromEntries(filled)
}

interface Behaviour {
  /** Whether it says yes to an update, and carries out none. */
  readonly forgets?: boolean
  /** The names of the fields that it hides in a single record. */
  readonly hides?: readonly string[]
  readonly people?: readonly any[]
  /** The names of the fields that it answers as null. */
  readonly nulls?: readonly string[]
  /** Whether it leaves out false and 0 too. */
  readonly omitsFalse?: boolean
  /** Whether it answers 202 to an update, and carries it out later. */
  readonly queues?: boolean
}

/** A service that leaves out what is empty: people are created, changed and read, and listed in short. */
async function office({
  hides = [],
  people = [],
  nulls = [],
  omitsFalse = false,
  queues = false,
  forgets = false,
}: Behaviour = {}) {
  const stored = new Map<string, any>(people.map((each) => [each.id, each]))
  const { env, received } = await service(({ method, url, body }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const id = pathname.split('/')[3]
    if (pathname.endsWith('/candidates') && method === 'GET') {
      const data = [...stored.values()].map(({ id, agencyRef, forename, surname, DOB }) => ({
        id,
        agencyRef,
        forename,
        surname,
        DOB,
      }))
      return answerJson(response, 200, { data, totalDocs: data.length })
    }
    if (method !== 'GET') {
      const { generalSetting = {}, bankSetting, payrollSetting, ...rest } = JSON.parse(body)
      const now = id ?? `p${stored.size + 1}`
      if (forgets && id) return void response.writeHead(204).end()
      if (queues && id) return answerJson(response, 202, { success: true })
      stored.set(
        now,
        withoutEmpty({ ...generalSetting, bank: bankSetting, setting: payrollSetting, ...rest, id: now }),
      )
      if (method === 'POST') return void response.writeHead(201).end()
    }
    const record = stored.get(id ?? '')
    if (!record) return answerJson(response, 404, {})
    const shown = JSON.parse(JSON.stringify(record), (name, each) => {
      if (hides.includes(name) || (omitsFalse && (each === false || each === 0))) return undefined
      return nulls.includes(name) ? null : each
    })
    answerJson(response, 200, { data: shown, success: true })
  })
  const home = freshHome()
  const key = { PAYROLL_API_KEY: env.PAYROLL_API_KEY ?? '' }
  return {
    key,
    address: env.PAYROLL_BASE_URL ?? '',
    home,
    env,
    stored,
    run: (...words: string[]) => payroll(words, { home, env }),
    gets: () => received.filter(({ method }) => method === 'GET').length,
    puts: () => received.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(body)),
  }
}

const example = 'examples/candidate-uk.json'
const createExample = ['candidates', 'create', '--file', example, '--yes', '-q', '--find']
const toBath = ['candidates', 'update', 'EXAMPLE-UK-1', '--set', 'city=Bath', '--yes', '-q', '--json']
/** Somebody who was created elsewhere. */
const other = {
  ...{
    id: 'x1',
    agencyRef: 'X-1',
    forename: 'Xenia',
    surname: 'Sample',
    DOB: '1990-01-31',
    email: 'x@example.com',
  },
  ...{
    dateOfJoining: '2026-01-05',
    hours: 37.5,
    rateHour: 14,
    address: ['1 Example Street'],
    payMethod: 'BACS',
  },
  ...{
    payFrequency: 'WEEKLY',
    NINumber: 'QQ123456B',
    pensionSetting: { optState: 'ignition' },
    gender: 'FEMALE',
  },
  ...{
    setting: {
      taxCode: '1257L',
      taxBasis: 'CUMULATIVE',
      niCategory: 'A',
      haveStudentLoan: false,
      paymentModel: 'PAYEE',
    },
    bank: { accountName: 'X Sample', sortCode: '601613', accountNumber: '31926819' },
  },
}

describe('a person whom this computer created, on a service that leaves out what is empty', () => {
  test('is updated without a question: what was never sent is not there', async () => {
    const { run, puts } = await office()
    expect((await run(...createExample)).code).toBe(0)
    const { code, err } = await run(...toBath)
    expect([code, err, puts()]).toMatchObject([0, '', [{ generalSetting: { city: 'Bath' } }]])
  })

  test('is updated where false and 0 are left out as empty too', async () => {
    const { run, puts } = await office({ omitsFalse: true })
    expect((await run(...createExample, '--set', 'annualSalary=0')).code).toBe(0)
    expect([(await run(...toBath)).code, puts().length]).toEqual([0, 1])
  })

  test.each([
    ['account number', 'bankSetting', 'accountNumber', []],
    [
      'opening balance',
      'payrollSetting',
      'openingBalance',
      ['--set', 'payrollSetting.openingBalance.gross=100'],
    ],
  ])('is held where the service hides the %s that was sent', async (_, section, hidden, sets) => {
    const { run, puts } = await office({ hides: [hidden] })
    expect((await run(...createExample, ...sets)).code).toBe(0)
    const held = await run(...toBath)
    expect([held.code, puts()]).toEqual([10, []])
    expect(held.error().issues).toEqual([
      { path: `${section}.${hidden}`, message: 'this computer sent it, and the record came back without it' },
    ])
    expect((await run(...toBath, '--allow-missing', hidden)).code).toBe(0)
  })

  test('is held where the account number of others is shown: what was sent for this very person was there', async () => {
    const { run, puts, stored } = await office({ people: [other] })
    await run('candidates', 'get', 'x1', '--id')
    expect((await run(...createExample)).code).toBe(0)
    expect((await run(...toBath)).code).toBe(0)
    delete stored.get('p2').bank.accountNumber
    const held = await run(...toBath.with(4, 'city=Leeds'))
    expect([held.code, puts().length]).toEqual([10, 1])
    expect(held.error().issues).toMatchObject([{ path: 'bankSetting.accountNumber' }])
  })

  test('is a question again where what was sent is not known any more', async () => {
    const { run, home } = await office()
    await run(...createExample)
    writeFileSync(join(home, 'service-knowledge.jsonl'), '{"format":3,"salt')
    expect((await run(...toBath)).code).toBe(10)
  })
})

describe('somebody whom nobody here created, of whom a field came back that nothing shows', () => {
  const { bank: _, ...rest } = other
  const people = [{ ...rest, bank: { accountName: 'X Sample' } }]
  const change = ['candidates', 'update', 'x1', '--id', '--set', 'city=Bath', '--yes', '--json']

  test('is exit 10 in a script, with the one command that answers it, and goes on after that', async () => {
    const { address, key, home, puts } = await office({ people })
    const profile = (...words: string[]) => payroll([...words, '--profile', 'acme'], { home, env: key })
    await payroll(['profiles', 'set', 'acme', '--base-url', address], { home })
    const asked = await profile(...change)
    expect([asked.code, puts()]).toEqual([10, []])
    const { next } = asked.error()
    expect(next).toEqual(['payroll profiles set acme --empty-fields left-out --profile acme'])
    expect((await payroll((next[0] ?? '').split(' ').slice(1), { home })).code).toBe(0)
    expect([(await profile(...change)).code, puts().length]).toEqual([0, 1])
    const shown = await payroll(['profiles', 'show', 'acme', '--json'], { home })
    expect(JSON.parse(shown.out).emptyFields).toBe('left-out')
  })

  test('is asked about again after an update of ours: that tells nothing of what it was created with', async () => {
    const { run, puts } = await office({ people })
    const allowed = ['--allow-missing', 'sortCode', '--allow-missing', 'accountNumber']
    expect((await run(...change, ...allowed)).code).toBe(0)
    const again = await run(...change.with(5, 'city=Leeds'))
    expect([again.code, puts().length]).toEqual([10, 1])
  })

  test.each([
    ['left-out', 0],
    ['hidden', 10],
    ['ask', 10],
    ['perhaps', 2],
  ])('follows PAYROLL_EMPTY_FIELDS=%s: exit %i', async (word, code) => {
    const { env, home, puts } = await office({ people })
    const ended = await payroll(change, { home, env: { ...env, PAYROLL_EMPTY_FIELDS: word } })
    expect([ended.code, puts().length]).toEqual([code, code === 0 ? 1 : 0])
    if (word === 'hidden')
      expect(ended.error().hint).toMatch(/add --allow-missing sortCode --allow-missing accountNumber$/)
  })

  test('PAYROLL_EMPTY_FIELDS of another word is exit 2 for a list too', async () => {
    const { env } = await office({ people })
    const listed = await payroll(['candidates', 'list'], { env: { ...env, PAYROLL_EMPTY_FIELDS: 'perhaps' } })
    const says = 'PAYROLL_EMPTY_FIELDS is perhaps, and must be left-out, hidden or ask.'
    expect(listed).toMatchObject(endedWith(2, says))
  })

  test('PAYROLL_EMPTY_FIELDS wins over the default profile, and a named profile over it', async () => {
    const { address, key, home, puts } = await office({ people })
    const set = `profiles set acme --base-url ${address} --empty-fields hidden`
    await payroll(set.split(' '), { home })
    const env = { ...key, PAYROLL_EMPTY_FIELDS: 'left-out' }
    const update = (city: string, ...more: string[]) =>
      payroll(['candidates', 'update', 'x1', '--id', '--yes', '--set', `city=${city}`, ...more], {
        home,
        env,
      })
    expect([(await update('Bath')).code, puts().length]).toEqual([0, 1])
    const named = await update('Leeds', '--profile', 'acme')
    expect([named.code, puts().length]).toEqual([10, 1])
  })

  test('is asked once at a terminal, and the answer is kept in the profile', async () => {
    const { address, key, home, puts } = await office({ people })
    await payroll(['profiles', 'set', 'acme', '--base-url', address], { home })
    const words = ['candidates', 'update', 'x1', '--id', '--profile', 'acme', '--yes', '--set']
    const first = atTerminal([...words, 'city=Bath'], { home, env: key })
    await first.type('Is a field empty that', `${keys.down}${keys.enter}`)
    expect([(await first.ended).code, puts().length]).toEqual([0, 1])
    const second = atTerminal([...words, 'city=Leeds'], { home, env: key })
    expect([(await second.ended).code, puts().length]).toEqual([0, 2])
    expect(second.screen()).not.toContain('Is a field empty that')
  })

  test('sends nothing where the person at the terminal does not know: Enter is that', async () => {
    const { env, home, puts } = await office({ people })
    const asking = atTerminal(change, { home, env })
    await asking.type('Is a field empty that', keys.enter)
    expect([(await asking.ended).code, puts()]).toEqual([2, []])
  })

  test('goes on once any record has shown the fields, read by whichever command', async () => {
    const { run, gets } = await office({ people: [...people, { ...other, id: 'x2', agencyRef: 'X-2' }] })
    expect((await run('candidates', 'get', 'x2', '--id', '--json')).code).toBe(0)
    const before = gets()
    expect((await run(...change)).code).toBe(0)
    expect(gets() - before).toBeLessThanOrEqual(6)
  })
})

describe('what is known of a service', () => {
  test('is kept for the owner alone, names nobody, and survives two programs at once', async () => {
    const { run, home } = await office({ people: [other] })
    const ended = await Promise.all([
      run(...createExample),
      ...['x1', 'x1', 'x1'].map((id) => run('candidates', 'get', id, '--id', '--json')),
    ])
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const files = ['service-knowledge.jsonl', 'service-knowledge-sent.txt'].map((name) => join(home, name))
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(text).toContain('bankSetting.accountNumber')
    expect(text).not.toMatch(/31926819|601613|Xenia|QQ123456B|EXAMPLE-UK-1|X-1|1990/)
  })

  test('has a field as hidden that an update of this computer sent and its reading lacks, for everybody', async () => {
    const { run, puts } = await office({
      hides: ['accountNumber'],
      people: [other, { ...other, id: 'x2', agencyRef: 'X-2' }],
    })
    const set = await run('candidates', 'update', 'x1', '--id', '--set', 'accountNumber=55779911', '--yes')
    // Nobody said what its absence means.
    const says =
      'The service does not show these fields, so they cannot be compared: bankSetting.accountNumber.'
    expect([set.code, set.err, puts().length]).toEqual([0, expect.stringContaining(says), 1])
    const held = await run('candidates', 'update', 'x2', '--id', '--set', 'city=Bath', '--yes', '--json')
    expect([held.code, puts().length]).toEqual([10, 1])
    expect(held.error().issues).toEqual([
      {
        path: 'bankSetting.accountNumber',
        message: 'the service hides it: a record that had it came back without it',
      },
    ])
  })

  test.each<[how: string, behaviour: Behaviour]>([
    ['is queued', { queues: true }],
    ['is answered with null', { nulls: ['accountNumber'] }],
  ])('has no field as hidden of which an update %s', async (_, behaviour) => {
    const { run, puts } = await office({ ...behaviour, people: [{ ...other, bank: { accountName: 'X' } }] })
    const words = ['--set', 'accountNumber=55779911', '--set', 'sortCode=601613', '--yes']
    await run('candidates', 'update', 'x1', '--id', ...words)
    expect(puts()).toHaveLength(1)
    const again = await run('candidates', 'update', 'x1', '--id', '--set', 'city=Bath', '--yes', '--json')
    expect(again.err).not.toContain('the service hides it: a record that had it')
  })

  test('has no field as hidden of which an update was not carried out, which is exit 8 each time where what is not shown is empty', async () => {
    const { home, env, puts } = await office({ forgets: true, people: [other] })
    const run = (...words: string[]) =>
      payroll(['candidates', 'update', 'x1', '--id', '--yes', ...words], {
        home,
        env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' },
      })
    for (let times = 1; times < 3; times++) {
      const set = await run('--set', 'city=Bath')
      expect([set.code, puts().length]).toEqual([8, times])
      expect(set.err).toContain('it has none of what was asked for')
    }
    expect((await run('--set', 'accountName=X')).err).not.toContain('the service hides it')
  })

  test('has words of its choices, and no sentence that somebody wrote in their place', async () => {
    const sentence = 'Waiting for the papers of Ann Example'
    const people = ['RTW_OK', sentence].map((word, at) => ({
      ...other,
      id: `x${at}`,
      agencyRef: `X-${at}`,
      rightToWorkStatus: word,
    }))
    const { run, home } = await office({ people })
    await run('candidates', 'get', 'x0', '--id')
    await run('candidates', 'get', 'x1', '--id')
    const text = readFileSync(join(home, 'service-knowledge.jsonl'), 'utf8')
    expect([text.includes('RTW_OK'), text.includes('Waiting')]).toEqual([true, false])
  })

  test('still says what is hidden where an earlier build wrote it', async () => {
    const people = [other, { ...other, id: 'x2', agencyRef: 'X-2', forename: 'Una' }]
    const { run, puts, home } = await office({ people, hides: ['accountNumber'] })
    const update = ['candidates', 'update', 'x1', '--id', '--yes', '--json', '--set']
    expect((await run(...update, 'accountNumber=55779912')).code).toBe(0)
    const file = join(home, 'service-knowledge.jsonl')
    const earlier = readFileSync(file, 'utf8').replaceAll(
      /"news":"hidden ([^"]+)"/g,
      '"news":{"kind":"hidden","path":"$1"}',
    )
    expect(earlier).toContain('"kind":"hidden","path":"bankSetting.accountNumber"')
    writeFileSync(file, earlier)
    const held = await run(...update.with(2, 'x2'), 'city=Leeds')
    expect([held.code, puts().length]).toEqual([10, 1])
    expect(held.error().issues[0].message).toMatch('the service hides it')
  })

  test('is forgotten when a person says anew what the service does', async () => {
    const { address, key, home } = await office({ people: [other] })
    await payroll(['profiles', 'set', 'acme', '--base-url', address], { home })
    await payroll(['candidates', 'get', 'x1', '--id', '--profile', 'acme'], { home, env: key })
    const known = () => readFileSync(join(home, 'service-knowledge.jsonl'), 'utf8')
    expect(known()).toContain('accountNumber')
    expect((await payroll(['profiles', 'set', 'acme', '--empty-fields', 'ask'], { home })).code).toBe(0)
    expect(known()).not.toContain('accountNumber')
  })
})
