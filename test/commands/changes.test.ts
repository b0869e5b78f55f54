import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fingerprintsOf } from '../../src/changes/marks.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { production } from './targets.ts'

/** Somebody as a list answers one. */
const person = (number: number, more: object = {}, bank: object = {}) => ({
  id: `id-${number}`,
  agencyRef: `UK-${number}`,
  forename: 'Ann',
  surname: `Sample${number}`,
  city: 'Leeds',
  bank: { sortCode: '601613', accountNumber: `3192681${number}`, ...bank },
  ...more,
})

/** A service whose people the test changes; with `whole`, a list shows no bank details, and a record does. */
async function serve({ whole = false } = {}) {
  const state = { people: [person(1), person(2)] as object[], isShort: false, asked: [] as string[] }
  const { env } = await service(({ url }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    state.asked.push(pathname)
    const one = state.people.find((each) => 'id' in each && pathname.endsWith(`/${each.id}`))
    if (one) return answerJson(response, 200, { data: one })
    const listed = whole ? state.people.map((each) => ({ ...each, bank: undefined })) : state.people
    const data = pathname.endsWith('/ireland') ? [] : listed
    answerJson(response, 200, { data, totalDocs: data.length + (state.isShort ? 1 : 0) })
  })
  const home = freshHome()
  const run = (...words: string[]) => payroll(['changes', ...words], { home, env })
  const files = () => marksIn(home)
  return { state, env, home, run, files }
}

function marksIn(home: string): string[] {
  const root = join(home, 'marks')
  if (!existsSync(root)) return []
  return readdirSync(root).flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  )
}

/** A mark as the first format has it, of these people. */
function asFirstFormat(text: string, people: readonly object[], env: Record<string, string>): string {
  const { paths: _, ...header } = JSON.parse(text.split('\n')[0] ?? '')
  const { name, profile, address, at, fields } = header
  const fingerprint = fingerprintsOf(env.PAYROLL_API_KEY ?? '', { profile, address })
  const rows = people.map((each) => {
    const { id, agencyRef, bank, ...rest } = each as Record<string, any>
    const values = { agencyRef, ...rest, ...bank }
    const texts = fields.uk.map((path: string) => {
      const value = values[path.split('.').at(-1) ?? '']
      return value === null ? '' : JSON.stringify(value)
    })
    return [
      'uk',
      fingerprint('person', `id ${id}`),
      agencyRef,
      fingerprint('whole', `id ${id}`, ...texts),
      fields.uk
        .map((path: string, place: number) => fingerprint('field', `id ${id}`, path, texts[place]))
        .join(''),
    ]
  })
  const body = `${JSON.stringify(rows)}\n`
  const about = JSON.stringify([name, profile, address, at, fields, people.length])
  const seal = fingerprint.ofParts()
  seal.add(`a whole mark\0${about}\0${body}`)
  return `${JSON.stringify({ ...header, format: 1, seal: seal.end() })}\n${body}`
}

const seen = (rows: readonly { change: string; reference: string; field: string }[]) =>
  rows.map(({ change, reference, field }) => [change, reference, field])

describe('changes', () => {
  test('makes a first mark and says that nothing was compared, with --quiet too', async () => {
    const { run, files } = await serve()
    const first = await run('--quiet')
    expect({ code: first.code, out: first.out }).toEqual({ code: 0, out: '' })
    expect(first.err).toContain('nothing was compared. The first one was made:')
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600])
  })

  test('names who is new, gone and changed, bank details first', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(2, { city: 'York' }, { accountNumber: '12345678' }), person(3)]
    const { code, err, json } = await run('--json')
    expect(code).toBe(0)
    expect(seen(json())).toEqual([
      ['changed', 'UK-2', 'Account number'],
      ['new', 'UK-3', null],
      ['gone', 'UK-1', null],
      ['changed', 'UK-2', 'City or town'],
    ])
    expect(json()[0]).toMatchObject({
      name: 'Ann Sample2',
      bank: true,
      here: false,
      by: 'not from this computer',
    })
    expect(err).toContain(
      'bank details of 1 person changed, 1 person is new, 1 person is gone, other fields of 1 person changed.',
    )
  })

  test('shows with --fields bank no other field', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(1, { city: 'York' }, { sortCode: '200415' }), person(2, { city: 'York' })]
    expect(seen((await run('--json', '--fields', 'bank')).json())).toEqual([['changed', 'UK-1', 'Sort code']])
  })

  test('shows the same again on the day of the first mark', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(1, { city: 'York' }), person(2)]
    const [one, again] = [await run('--json'), await run('--json')]
    expect(again.json()).toEqual(one.json())
    expect(again.json()).toHaveLength(1)
  })

  test('compares with the mark that --mark names, and makes it again', async () => {
    const { run, state } = await serve()
    await run('--mark', 'payday')
    state.people = [person(1, { city: 'York' }), person(2)]
    expect((await run('--mark', 'payday', '--json')).json()).toHaveLength(1)
    expect((await run('--mark', 'payday', '--json')).json()).toEqual([])
  })

  test('ends with 9 and one line for --quiet --errors json --fail-if-changed, and is silent when nothing changed', async () => {
    const { run, state } = await serve()
    await run()
    const words = ['--quiet', '--errors', 'json', '--fail-if-changed']
    const fine = await run(...words)
    expect({ code: fine.code, out: fine.out, err: fine.err }).toEqual({ code: 0, out: '', err: '' })
    state.people = [person(1)]
    const changed = await run(...words)
    expect({ code: changed.code, out: changed.out }).toEqual({ code: 9, out: '' })
    expect(changed.err.trim().split('\n')).toHaveLength(1)
    expect(changed.error().message).toContain('1 person is gone')
  })

  test('of a list that is short reports nothing, and makes no mark', async () => {
    const { run, state, files } = await serve()
    state.isShort = true
    const { code, out } = await run()
    expect({ code, out, files: files() }).toEqual({ code: 10, out: '', files: [] })
  })

  test('reads people one by one where the list shows no bank details', async () => {
    const { run, state } = await serve({ whole: true })
    await run()
    state.people = [person(1, {}, { accountNumber: '12345678' }), person(2)]
    state.asked = []
    expect(seen((await run('--json')).json())).toEqual([['changed', 'UK-1', 'Account number']])
    expect(state.asked.filter((path) => path.endsWith('/id-2'))).toHaveLength(1)
  })

  test('stores no value of a person, and nothing in common of two equal ones', async () => {
    const { run, state, files } = await serve()
    const more = { forename: 'Annabel', dateLeft: null, DOB: null, email: null }
    state.people = [
      person(1, { ...more, id: 'the-id-of-1' }, { accountNumber: '31926819' }),
      person(2, { ...more, id: 'the-id-of-2' }, { accountNumber: '31926819' }),
    ]
    await run()
    const text = files()
      .map((file) => readFileSync(file, 'utf8'))
      .join('')
    for (const value of ['31926819', '601613', 'Annabel', 'Sample1', 'Leeds', 'the-id-of-1'])
      expect(text).not.toContain(value)
    expect(text).toContain('UK-1')
    const fingerprints = (JSON.parse(text.split('\n')[1] ?? '') as string[][]).flatMap(
      ([, key = '', , whole = '', fields = '']) => [
        key,
        whole,
        ...(Buffer.from(fields, 'base64url').toString('hex').match(/.{32}/g) ?? []),
      ],
    )
    expect(fingerprints.length).toBeGreaterThan(100)
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
  })

  test('compares with a mark of the first format, in which a field without a value has the HMAC of an empty text', async () => {
    const { run, state, files, env } = await serve()
    state.people = [person(1, { dateLeft: null, email: null }), person(2, { dateLeft: null, email: null })]
    await run('--mark', 'old')
    const [file = ''] = files()
    writeFileSync(file, asFirstFormat(readFileSync(file, 'utf8'), state.people, env))
    expect((await run('--json', '--mark', 'old')).json()).toEqual([])
    expect(readFileSync(file, 'utf8')).toContain('"format":2')
    writeFileSync(file, asFirstFormat(readFileSync(file, 'utf8'), state.people, env))
    state.people = [
      person(1, { dateLeft: '2026-05-01', email: null }, { sortCode: '601614' }),
      person(2, { dateLeft: null, email: null }),
    ]
    expect(seen((await run('--json', '--since', 'old')).json())).toEqual([
      ['changed', 'UK-1', 'Sort code'],
      ['changed', 'UK-1', 'Date left'],
    ])
  })

  test('says of fields that the service does not show any more that they were not compared', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(1), person(2)].map(({ bank: _, ...rest }) => rest)
    const { err, json } = await run('--json')
    expect(json()).toEqual([])
    expect(err).toContain('Sort code, Account number in the UK: not compared')
  })

  test('says that a mask is not compared', async () => {
    const { run, state } = await serve()
    state.people = [person(1, {}, { accountNumber: '****6819' }), person(2)]
    expect((await run()).err).toContain(
      'Account number in the UK: not compared, because the service shows a mask',
    )
  })

  test.each([
    ['that was cut off', (text: string) => text.slice(0, -40), 'is damaged'],
    ['in which a letter is another one', (text: string) => text.replace('UK-2', 'UK-7'), 'is damaged'],
    [
      'of a newer payroll',
      (text: string) => text.replace('"format":2', '"format":3'),
      'written by a newer payroll: it has format 3',
    ],
    ['that is empty', () => '', 'is damaged'],
  ])('refuses a mark %s', async (_, change, message) => {
    const { run, files } = await serve()
    await run()
    const [file = ''] = files()
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    const { code, out, err } = await run('--json')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  test('refuses a mark that was made with another key', async () => {
    const { run, env } = await serve()
    await run()
    env.PAYROLL_API_KEY = 'another-key'
    const { code, err } = await run()
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('does not have any more') })
  })

  test('refuses a mark whose key is gone from the settings', async () => {
    const at = await production()
    await at.run(['changes', '--profile', 'production'])
    const settings = join(at.home, 'config.json')
    const { marks, ...others } = JSON.parse(readFileSync(settings, 'utf8'))
    expect(marks).toBeDefined()
    writeFileSync(settings, JSON.stringify(others))
    chmodSync(settings, 0o600)
    const { code, err } = await at.run(['changes', '--profile', 'production'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('does not have any more') })
  })

  test('compares with its mark after another sign-in', async () => {
    const at = await production()
    await at.run(['changes', '--profile', 'production'])
    await at.run(['auth', 'login', '--profile', 'production'], { input: `${sandboxKey}\n` })
    expect((await at.run(['changes', '--profile', 'production'])).err).toContain('nothing changed.')
  })

  test('compares nothing with a mark of another address, and says so', async () => {
    const [one, other] = [await serve(), await serve()]
    await one.run()
    const { err } = await payroll(['changes'], { home: one.home, env: other.env })
    expect(err).toContain('nothing was compared')
    expect(err).toContain(`at another address (${one.env.PAYROLL_BASE_URL}) were not compared with`)
  })

  test('says that it is not known who changed something where the history was removed since', async () => {
    const at = await production()
    const ann = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'Leeds' }
    await at.call('POST', '/svc/candidates', { generalSetting: ann })
    await at.run(['changes', '--profile', 'production'])
    await at.run(asTyped`candidates update --profile production UK-1 --set city=York --yes --incomplete`)
    await at.run(['history', 'forget', '--all', '--yes'])
    const [row] = (await at.run(['changes', '--profile', 'production', '--json'])).json()
    expect(row).toMatchObject({ field: 'City or town', here: null })
    expect(row.by).toBe('from where is not known: the history was removed since')
  })

  test('tells what was changed from this computer from what was not', async () => {
    const at = await production()
    const made = (agencyRef: string) =>
      at.call('POST', '/svc/candidates', {
        generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample', city: 'Leeds' },
        bankSetting: { accountNumber: '31926819', sortCode: '601613' },
      })
    await made('UK-1')
    await at.run(['changes', '--profile', 'production'])
    await at.run(asTyped`candidates update --profile production UK-1 --set city=York --yes --incomplete`)
    await made('UK-2')
    const rows = (await at.run(['changes', '--profile', 'production', '--json'])).json()
    const madeBy = (reference: string) =>
      rows.find((row: { reference: string }) => row.reference === reference)
    expect(madeBy('UK-1')).toMatchObject({
      field: 'City or town',
      here: true,
      by: expect.stringMatching(/^changed from this computer on .* by /),
    })
    expect(madeBy('UK-2')).toMatchObject({ change: 'new', here: false })
    await at.run(['profiles', 'set', 'production', '--history', 'off'])
    const off = (await at.run(['changes', '--profile', 'production', '--json'])).json()
    expect(off.find((row: { reference: string }) => row.reference === 'UK-2').by).toContain(
      'the history is off',
    )
  })

  test('at a terminal shows the people in groups, each with a command to see it', async () => {
    const { state, run, home, env } = await serve()
    await run()
    state.people = [person(1, {}, { accountNumber: '12345678', sortCode: '200415' }), person(2)]
    const shown = await atTerminal(['changes', '--no-pager'], { home, env, columns: 80 }).ended
    expect(shown.out).toContain(
      'Bank details changed (1 person)\n\nUK-1 Ann Sample1 (UK)\n  Sort code, Account number: not from this computer\n    payroll candidates get id-1\n',
    )
  })

  test('marks lists the marks, and forget removes one', async () => {
    const { run, files } = await serve()
    await run('--mark', 'payday')
    expect((await run('marks', '--json')).json()).toMatchObject([{ name: 'payday', people: 2 }])
    expect((await run('forget', 'paydy', '--yes')).code).toBe(5)
    expect((await run('forget', 'payday')).code).toBe(2)
    expect((await run('forget', 'payday', '--yes')).code).toBe(0)
    expect(files()).toEqual([])
  })

  test.each([
    [['--since', 'nobody'], 5, 'There is no mark nobody'],
    [['--since', '2020-01-01'], 5, 'There is no mark of 2020-01-01 or before'],
    [['--fields', 'bnak'], 2, 'there is no such field'],
    [['--mark', '2026-01-01'], 2, 'is no name for a mark'],
    [['--mark', '../up'], 2, 'is no name for a mark'],
  ])('refuses %j before it reads anything', async (words, code, message) => {
    const { run, state } = await serve()
    const result = await run(...words)
    expect({ code: result.code, asked: state.asked }).toEqual({ code, asked: [] })
    expect(result.err).toContain(message)
  })
})
