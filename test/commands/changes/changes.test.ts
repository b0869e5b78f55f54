import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { keepingPeople, listedPeople } from '../../people-service.ts'
import { answerJson, service } from '../../service.ts'
import { production } from '../targets.ts'

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

/** Somebody as a request sends one. */
const sample = (agencyRef: string) => ({
  generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample', city: 'Leeds' },
  bankSetting: { accountNumber: '31926819', sortCode: '601613' },
})

/** A service whose people the test changes; with `whole`, a list shows no bank details, and a record does. */
async function serve({ whole = false } = {}) {
  const state = {
    people: [person(1), person(2)] as object[],
    irish: [] as object[],
    isShort: false,
    asked: [] as string[],
  }
  const { env } = await service(({ url }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    state.asked.push(pathname)
    const one = [...state.people, ...state.irish].find(
      (each) => 'id' in each && pathname.endsWith(`/${each.id}`),
    )
    if (one) return answerJson(response, 200, { data: one })
    const listed = whole ? state.people.map((each) => ({ ...each, bank: undefined })) : state.people
    const data = listedPeople(url, (country) => (country === 'uk' ? listed : state.irish)) ?? []
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

const seen = (rows: readonly { change: string; reference: string; field: string }[]) =>
  rows.map(({ change, reference, field }) => [change, reference, field])

/** A stored profile whose history is kept, and how to add and to change a person. */
async function stored() {
  const at = await production()
  const changes = (...words: string[]) => at.run(['changes', '--profile', 'production', ...words])
  const add = (agencyRef: string) => at.call('POST', '/svc/candidates', sample(agencyRef))
  const moveToYork = (ref: string) =>
    at.run(asTyped`candidates update --profile production ${ref} --set city=York --yes --incomplete`)
  return { ...at, changes, add, moveToYork }
}

describe('changes', () => {
  test('makes a first mark and says that nothing was compared, with --quiet too', async () => {
    const { run, files } = await serve()
    const says = 'nothing was compared. The first one was made:'
    expect(await run('--quiet')).toMatchObject({ ...endedWith(0, says), out: '[]\n' })
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600])
  })

  test('makes the mark once the file of --out has its name', async () => {
    const { state, home, run } = await serve()
    await run('--mark', 'payday')
    state.people = [person(1), person(2, { city: 'York' })]
    const { err } = await run('--mark', 'payday', '--out', join(home, 'changes.csv'))
    expect(err).toMatch(/Wrote .*changes\.csv\.\nThe mark payday was made\./)
  })

  test('says of nobody that they are new whose id was not seen when the mark was made', async () => {
    const { state, run } = await serve()
    state.people = [person(1, { id: undefined }), person(2, { id: undefined })]
    await run('--mark', 'm1')
    state.people = [person(1, { city: 'York' }), person(2), person(3)]
    const rows = (await run('--mark', 'm1')).json()
    expect(seen(rows)).toEqual([
      ['new', 'UK-3', null],
      ['changed', 'UK-1', 'City or town'],
    ])
  })

  test('says that somebody is new who has the reference of another one, where a list shows no ids', async () => {
    const { state, run } = await serve()
    state.people = [person(1, { id: undefined })]
    await run('--mark', 'm1')
    state.people = [person(1, { id: undefined }), person(1, { id: undefined })]
    expect(seen((await run('--mark', 'm1')).json())).toEqual([['new', 'UK-1', null]])
  })

  test('does not take another writing of an account for another account', async () => {
    const { state, run } = await serve()
    await run('--mark', 'm1')
    state.people = [person(1, {}, { sortCode: '60-16-13', accountNumber: 31926811 }), person(2)]
    expect((await run('--since', 'm1', '--json')).json()).toEqual([])
    state.people = [person(1, {}, { sortCode: '60-16-14' }), person(2)]
    expect(seen((await run('--since', 'm1', '--json')).json())).toEqual([['changed', 'UK-1', 'Sort code']])
  })

  test('does not take another writing of an amount for another amount', async () => {
    const { state, run } = await serve()
    state.people = [person(1, { rateHour: 20 }), person(2, { rateHour: '1,020.50' })]
    await run('--mark', 'm1')
    state.people = [person(1, { rateHour: '20.00' }), person(2, { rateHour: 1020.5 })]
    expect((await run('--since', 'm1', '--json')).json()).toEqual([])
    state.people = [person(1, { rateHour: '20.01' }), person(2, { rateHour: 1020.5 })]
    expect(seen((await run('--since', 'm1', '--json')).json())).toEqual([['changed', 'UK-1', 'Hourly rate']])
  })

  test('names who is new, gone and changed, bank details first; with --fields bank no other field', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(2, { city: 'York' }, { accountNumber: '12345678' }), person(3)]
    const compared = await run('--json')
    const says = '1 with other bank details, 1 new, 1 gone, 1 changed otherwise.'
    expect(compared).toMatchObject(endedWith(0, says))
    expect(seen(compared.json())).toEqual([
      ['changed', 'UK-2', 'Account number'],
      ['new', 'UK-3', null],
      ['gone', 'UK-1', null],
      ['changed', 'UK-2', 'City or town'],
    ])
    const elsewhere = { here: false, by: 'changed, but not from this computer' }
    expect(compared.json()[0]).toMatchObject({ name: 'Ann Sample2', bank: true, ...elsewhere })
    const ofBank = (await run('--json', '--fields', 'bank')).json()
    expect(ofBank.slice(0, 1)).toEqual(compared.json().slice(0, 1))
    expect(seen(ofBank)).not.toContainEqual(['changed', 'UK-2', 'City or town'])
  })

  test('shows the same again on the day of the first mark, and each change once with a mark of its own', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(1, { city: 'York' }), person(2)]
    for (const _ of [1, 2])
      expect(seen((await run('--json')).json())).toEqual([['changed', 'UK-1', 'City or town']])
    const first = await run('--uk', '--mark', 'seen')
    expect(first).toMatchObject(
      endedWith(
        0,
        'There was no mark seen yet, so nothing was compared. The first one was made: seen, of 2 people.',
      ),
    )
    expect(first.err).toContain('What changes from now on is shown by: payroll changes --uk --mark seen')
    state.people = [person(1, { city: 'York' }), person(2, { city: 'York' })]
    const once = await run('--mark', 'seen', '--json')
    expect([seen(once.json()), once.err]).toEqual([
      [['changed', 'UK-2', 'City or town']],
      expect.not.stringContaining('Typed again'),
    ])
    expect((await run('--mark', 'seen', '--json')).json()).toEqual([])
  })

  test('shows a change in a country that a run with the same mark did not read', async () => {
    const { state, run } = await serve()
    state.irish = [person(3, { agencyRef: 'IE-3' })]
    await run('--mark', 'nightly')
    state.irish = [person(3, { agencyRef: 'IE-3' }, { accountNumber: '99999999' })]
    expect((await run('--mark', 'nightly', '--uk')).json()).toEqual([])
    const night = await run('--mark', 'nightly', '--fail-if-changed')
    expect([night.code, seen(night.json())]).toEqual([9, [['changed', 'IE-3', 'Account number']]])
    expect((await run('--mark', 'nightly', '--fail-if-changed')).code).toBe(0)
  })

  test('ends with 9 and one line of error for --quiet --errors json --fail-if-changed, and prints an empty answer when nothing changed', async () => {
    const { run, state } = await serve()
    await run()
    const words = ['--quiet', '--errors', 'json', '--fail-if-changed']
    expect(await run(...words)).toMatchObject({ code: 0, out: '[]\n', err: '' })
    state.people = [person(1)]
    const changed = await run(...words)
    expect([changed.code, changed.json().length, changed.err.trim().split('\n').length]).toEqual([9, 1, 1])
    expect(changed.error().message).toContain('1 gone')
    expect((await run(...words, '--fields', 'bank', '--uk')).error().next).toEqual([
      expect.stringMatching(/^payroll changes --since [\d-]+ --uk --fields bank$/),
    ])
  })

  test('names who and what in the error where the mark is made again, because no command shows it then', async () => {
    const { run, state } = await serve()
    await run('--mark', 'seen')
    state.people = [person(1, {}, { accountNumber: '31926900' }), person(2)]
    const { code, error } = await run('--mark', 'seen', '--fail-if-changed', '--errors', 'json')
    const issues = [{ path: 'UK-1', message: 'UK-1, Ann Sample1: Account number changed' }]
    expect([code, error()]).toEqual([9, expect.objectContaining({ issues, next: [] })])
    const hidden = { accountNumber: undefined }
    state.people = [person(1, { city: 'York' }, hidden), person(2, {}, hidden)]
    const unseen = await run('--mark', 'seen', '--fail-if-changed', '--errors', 'json')
    const moved = [{ path: 'UK-1', message: 'UK-1, Ann Sample1: City or town changed' }]
    expect([unseen.code, unseen.error().issues]).toEqual([10, moved])
    state.people = [1, 2, 3, 4, 5, 6].map((number) => person(number))
    await run('--mark', 'seen')
    state.people = [1, 2, 3, 4, 5].map((number) => person(number, {}, { sortCode: '601614' }))
    const { err } = await run('--mark', 'seen', '--fail-if-changed')
    for (const number of [1, 2, 3, 4, 5])
      expect(err).toContain(`UK-${number}, Ann Sample${number}: Sort code changed`)
    expect(err).toContain('UK-6: gone')
  })

  test('of a list that is short reports nothing, and makes no mark', async () => {
    const { run, state, files } = await serve()
    state.isShort = true
    expect(await run()).toMatchObject({ code: 10, out: '' })
    expect(files()).toEqual([])
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
    const bank = { accountNumber: '31926819' }
    state.people = [1, 2].map((number) => person(number, { ...more, id: `the-id-of-${number}` }, bank))
    await run()
    const text = files().reduce((all, file) => all + readFileSync(file, 'utf8'), '')
    for (const value of ['31926819', '601613', 'Annabel', 'Sample1', 'Leeds', 'the-id-of-1'])
      expect(text).not.toContain(value)
    expect(text).toContain('UK-1')
    const fingerprints = (JSON.parse(text.split('\n')[1] ?? '') as string[][])
      .flatMap(
        ([, key = '', , whole = '', fields = '']) => [
          key,
          whole,
          ...(Buffer.from(fields, 'base64url').toString('hex').match(/.{32}/g) ?? []),
        ],
        // A field that was not seen has none.
      )
      .filter((each) => /[^0]/.test(each))
    expect(fingerprints.length).toBeGreaterThan(20)
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
  })

  test('says of fields that the service does not show, or masks, that they were not compared', async () => {
    const { run, state } = await serve()
    await run()
    state.people = [person(1), person(2)].map(({ bank: _, ...rest }) => rest)
    const { err, json } = await run('--json')
    expect([json(), err]).toEqual([
      [],
      expect.stringContaining(
        'paid in the UK the service does not return Sort code, Account number and IBAN: that',
      ),
    ])
    state.people = [person(1, {}, { accountNumber: '****6819' }), person(2)]
    const says =
      'for Ann Sample1 (UK-1) the service shows a mask, or no real value, instead of Account number: that was not'
    expect((await run()).err).toContain(says)
  })

  test.each<[string, string | RegExp, string, string]>([
    ['that was cut off', /.{40}$/s, '', 'is damaged'],
    ['in which a letter is another one', 'UK-2', 'UK-7', 'is damaged'],
    ['of a newer payroll', '"format":3', '"format":4', 'written by a newer payroll: it has format 4'],
    ['that is empty', /.*/s, '', 'is damaged'],
  ])('refuses a mark %s', async (_, part, other, says) => {
    const { run, files } = await serve()
    await run()
    const [file = ''] = files()
    writeFileSync(file, readFileSync(file, 'utf8').replace(part, other))
    expect(await run('--json')).toMatchObject({ ...endedWith(2, says), out: '' })
  })

  test('refuses a mark that was made with another key, or whose key is gone from the settings', async () => {
    const { run, env } = await serve()
    await run()
    env.PAYROLL_API_KEY = 'another-key'
    expect(await run()).toMatchObject(endedWith(2, 'does not have any more'))
    const { changes, home, add } = await stored()
    await add('UK-1')
    await changes()
    const settings = join(home, 'config.json')
    const { marks, ...others } = JSON.parse(readFileSync(settings, 'utf8'))
    expect(marks).toBeDefined()
    writeFileSync(settings, JSON.stringify(others))
    expect(await changes()).toMatchObject(endedWith(2, 'does not have any more'))
  })

  test('compares with its mark after another sign-in', async () => {
    const { changes, run, add } = await stored()
    await add('UK-1')
    await changes()
    await run(['auth', 'login', '--profile', 'production'], { input: `${sandboxKey}\n` })
    expect((await changes()).err).toContain('nothing changed.')
  })

  test('compares nothing with a mark of another address, and says that nothing was compared', async () => {
    const [one, other] = [await serve(), await serve()]
    await one.run()
    const { err } = await payroll(['changes'], { home: one.home, env: other.env })
    expect(err).toContain('nothing was compared')
  })

  test('says that it is not known who changed something where the history was removed since', async () => {
    const { run, add, changes, moveToYork } = await stored()
    await add('UK-1')
    await changes()
    await moveToYork('UK-1')
    await run(['history', 'forget', '--all', '--yes'])
    const by = 'changed; the history of this computer cannot tell from where'
    expect((await changes('--json')).json()).toMatchObject([{ field: 'City or town', here: null, by }])
  })

  test('says that it is not known who changed something since a mark that is dated in the future', async () => {
    const { add, changes, moveToYork } = await stored()
    await add('UK-1')
    // As with a clock that is two days ahead, and put right.
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 86_400_000)
    await changes()
    ahead.mockRestore()
    await moveToYork('UK-1')
    const by = 'changed; the history of this computer cannot tell from where'
    expect((await changes('--json')).json()).toMatchObject([{ field: 'City or town', here: null, by }])
  })

  test('tells what was changed from this computer from what was not', async () => {
    const { run, add, changes, moveToYork } = await stored()
    await add('UK-1')
    await changes()
    await moveToYork('UK-1')
    await add('UK-2')
    const rowOf = async (reference: string) =>
      (await changes('--json')).json().find((row: { reference: string }) => row.reference === reference)
    const by = expect.stringMatching(/^changed from this computer on .* by /)
    expect(await rowOf('UK-1')).toMatchObject({ field: 'City or town', here: true, by })
    expect(await rowOf('UK-2')).toMatchObject({ change: 'new', here: false })
    await run(['profiles', 'set', 'production', '--history', 'off'])
    expect((await rowOf('UK-2')).by).toContain('the history of this computer cannot tell from where')
  })

  test('tells it too of a change that was made before the mark was made again without that country, and no other mark keeps the people', async () => {
    const { call, add, changes, moveToYork } = await stored()
    await add('UK-1')
    await call('POST', '/svc/candidates/ireland', { generalSetting: { agencyRef: 'IE-1' } })
    await changes('--mark', 'nightly')
    await moveToYork('UK-1')
    await changes('--mark', 'nightly', '--ireland')
    await changes('--since', 'nightly', '--mark', 'irish', '--ireland')
    const night = await changes('--mark', 'nightly', '--json')
    expect(night.json()).toMatchObject([{ reference: 'UK-1', field: 'City or town', here: true }])
    const irish = await changes('--since', 'irish', '--json')
    expect([irish.json(), irish.err]).toEqual([[], expect.stringContaining('in the UK were not compared')])
  })

  test('does not say that this computer made a change that somebody else changed again', async () => {
    const { add, changes, moveToYork, baseUrl } = await stored()
    await add('UK-1')
    await changes()
    await moveToYork('UK-1')
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    await payroll(asTyped`candidates update UK-1 --set city=Bath --yes --incomplete`, { env })
    expect((await changes('--json')).json()).toMatchObject([
      {
        ...{ field: 'City or town', here: false },
        by: expect.stringContaining('and again elsewhere'),
      },
    ])
  })

  test('takes no change of somebody for one made here whose reference is the id of a person who was changed here', async () => {
    const { env, people } = await keepingPeople()
    people.push(sample('2'), sample('1'))
    const home = freshHome()
    const run = (words: string[]) =>
      payroll(words, { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } })
    await run(asTyped`changes --mark m`)
    await run(asTyped`candidates update 1 --id --set accountNumber=12345678 --yes --incomplete`)
    people[1].bankSetting.accountNumber = '12345678'
    expect((await run(asTyped`changes --since m --json`)).json()).toMatchObject([
      { id: '2', reference: '1', field: 'Account number', here: false },
      { id: '1', reference: '2', field: 'Account number', here: true },
    ])
  })

  test('knows that bank details were taken away from here, which nothing shows without a mask', async () => {
    const { env, people } = await keepingPeople()
    people.push(sample('UK-1'))
    const home = freshHome()
    const { generalSetting } = sample('UK-1')
    writeFileSync(join(home, 'without.json'), JSON.stringify({ generalSetting }))
    const run = (words: string[]) =>
      payroll(words, {
        home,
        env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out', EDITOR: `cp ${home}/without.json` },
      })
    await run(asTyped`changes --mark m`)
    const { code, err } = await run(asTyped`candidates update UK-1 --edit --yes --incomplete`)
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('bankSetting.accountNumber: ******819 → (not set)'),
    ])
    expect((await run(asTyped`history -o table`)).out).not.toContain('31926819')
    expect((await run(asTyped`changes --since m --json`)).json()).toMatchObject([
      { field: 'Sort code', here: true },
      { field: 'Account number', here: true },
    ])
  })

  test('says of a field that an update from here did not send that the service may have cleared it', async () => {
    let hides = false
    const { env, people } = await keepingPeople(() => (hides ? { bank: undefined } : {}))
    people.push(sample('UK-1'), sample('UK-2'))
    const home = freshHome()
    const run = (words: string[]) =>
      payroll(words, { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } })
    await run(asTyped`changes --mark m`)
    hides = true
    const update = asTyped`candidates update UK-1 --set city=York --yes --incomplete --allow-missing bank`
    expect(await run(update)).toMatchObject({ code: 0 })
    hides = false
    const by = expect.stringMatching(/^perhaps changed from this computer on /)
    expect((await run(asTyped`changes --since m --json`)).json()).toMatchObject([
      { field: 'Sort code', here: null, by },
      { field: 'Account number', here: null, by },
      { field: 'City or town', here: true },
    ])
  })

  test('does not take 125 for the 12.5 that this computer sent', async () => {
    const { add, changes, run, baseUrl } = await stored()
    await add('UK-1')
    await changes()
    const update = asTyped`candidates update UK-1 --yes --incomplete`
    await run([...update, '--profile', 'production', '--set', 'rateHour=12.5'])
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    await payroll([...update, '--set', 'rateHour=125'], { env })
    expect((await changes('--json')).json()).toMatchObject([{ field: 'Hourly rate', here: false }])
  })

  test('does not take a raw request about a document for one that changed its person', async () => {
    const { add, changes, run, baseUrl } = await stored()
    await add('UK-1')
    await changes()
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    const [{ id }] = (await payroll(asTyped`candidates list --json`, { env })).json()
    const raw = ['api', 'POST', `/svc/employees/${id}/documents`, '--profile', 'production', '--yes']
    const input = JSON.stringify({ name: 'p60.txt', contentType: 'text/plain', content: 'eA==' })
    const { code } = await run([...raw, '--file', '-'], { input })
    expect(code).toBe(0)
    await payroll(asTyped`candidates update UK-1 --set city=Bath --yes --incomplete`, { env })
    expect((await changes('--json')).json()).toMatchObject([{ field: 'City or town', here: false }])
  })

  test('compares lists and yes or no with what this computer sent too', async () => {
    const { add, changes, run, baseUrl } = await stored()
    await add('UK-1')
    await changes()
    const update = asTyped`candidates update UK-1 --yes --incomplete`
    await run([
      ...update,
      '--profile',
      'production',
      '--set',
      'address=["1 New Road"]',
      '--set',
      'isRestrictedHours=yes',
    ])
    const here = async () => (await changes('--json')).json().map(({ here }: { here: boolean }) => here)
    expect(await here()).toEqual([true, true])
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    const others = ['--set', 'address=["2 Other Road"]', '--set', 'isRestrictedHours=no']
    await payroll([...update, ...others], { env })
    expect(await here()).toEqual([false, false])
  })

  test('knows the day that a service shows of a time that this computer sent', async () => {
    const { call, changes, run } = await stored()
    await call('POST', '/svc/candidates/ireland', { generalSetting: { agencyRef: 'IE-1', forename: 'Ann' } })
    await changes('--ireland')
    await run(
      asTyped`candidates update IE-1 --ireland --profile production --yes --incomplete --set optInDate=2026-05-01`,
    )
    const { json } = await changes('--ireland', '--json')
    expect(json().find(({ field }: { field: string }) => field === 'Opted in on')).toMatchObject({
      here: true,
    })
  })

  test('counts the days of marks and of writes by the clock of London', async () => {
    const { add, changes, moveToYork } = await stored()
    await add('UK-1')
    const at = (time: string) => clock.mockReturnValue(Date.parse(time))
    const clock = vi.spyOn(Date, 'now')
    at('2026-06-15T23:30:00Z')
    await changes('--mark', 'night')
    expect(await changes('--since', '2026-06-15')).toMatchObject(
      endedWith(5, 'There is no mark of 15 June 2026 or before'),
    )
    at('2026-06-15T23:40:00Z')
    await moveToYork('UK-1')
    const [{ by }] = (await changes('--since', '2026-06-16', '--json')).json()
    clock.mockRestore()
    expect(by).toMatch(/^changed from this computer on 16 June 2026 by /)
  })

  test('since a day compares with the last mark that has the people of each country that is asked for', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-01T12:00:00Z') })
    try {
      const { run } = await serve()
      await run('--mark', 'all')
      vi.setSystemTime(Date.parse('2026-06-02T12:00:00Z'))
      await run('--uk', '--mark', 'british')
      vi.setSystemTime(Date.parse('2026-06-03T12:00:00Z'))
      expect((await run('--since', '2026-06-02')).err).toContain('(mark all)')
      expect((await run('--uk', '--since', '2026-06-02')).err).toContain('(mark british)')
    } finally {
      vi.useRealTimers()
    }
  })

  test('does not say that this computer made a change where the history has not what it sent: somebody may have written after it', async () => {
    const { run, add, changes, moveToYork } = await stored()
    await run(['profiles', 'set', 'production', '--history', 'names'])
    await add('UK-1')
    await changes()
    await moveToYork('UK-1')
    expect((await changes('--json')).json()).toMatchObject([
      {
        ...{ field: 'City or town', here: null },
        by: expect.stringMatching(/^perhaps changed from this computer on /),
      },
    ])
  })

  test('at a terminal shows the people in groups, each with a command to see it', async () => {
    const { state, run, home, env } = await serve()
    await run()
    state.people = [person(1, {}, { accountNumber: '12345678', sortCode: '200415' }), person(2)]
    const shown = await atTerminal(['changes', '--no-pager'], { home, env, columns: 80 }).ended
    expect(shown.out).toContain(
      'Bank details changed (1 person)\n\nUK-1 Ann Sample1 (UK)\n  Sort code, Account number: changed, but not from this computer\n    payroll candidates get id-1\n',
    )
  })

  test('marks lists the marks, and forget removes one', async () => {
    const { run, files } = await serve()
    await run('--mark', 'payday')
    expect((await run('marks', '--json')).json()).toMatchObject([{ name: 'payday', people: 2 }])
    expect((await run('forget', 'paydy', '--yes')).code).toBe(5)
    for (const words of [['payday'], ['payday', '--all']])
      expect(await run('forget', ...words)).toMatchObject(endedWith(2, '. Nothing was removed.\n'))
    expect((await run('forget', 'payday', '--yes')).code).toBe(0)
    expect(files()).toEqual([])
  })

  test.each([
    [['--since', 'nobody'], 5, 'There is no mark nobody'],
    [['--since', '2020-01-01'], 5, 'There is no mark of 1 January 2020 or before'],
    [['--since', 'yesterday'], 5, 'There is no mark of '],
    [['--fields', 'bnak'], 2, 'there is no such field'],
    [['--mark', '2026-01-01'], 2, 'To compare with that one: payroll changes --since 2026-01-01'],
    [['--mark', '../up'], 2, 'is not a name for a mark'],
  ])('refuses %j before it reads anything', async (words, code, says) => {
    const { run, state } = await serve()
    expect(await run(...words)).toMatchObject(endedWith(code, says))
    expect(state.asked).toEqual([])
  })
})

test('changes does not show a time that an update has sent back in another form', async () => {
  const { env, people } = await keepingPeople()
  const pensionSetting = { lastAssessmentOn: '2026-04-06', optInDate: '2026-07-06T00:00:00+01:00' }
  const city = 'Leeds'
  people.push({
    generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city, pensionSetting },
  })
  const at = { home: freshHome(), env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } }
  await payroll(['changes', '--uk', '--mark', 'm'], at)
  await payroll(['candidates', 'update', 'UK-1', '--set', 'city=York', '--yes'], at)
  expect(people[0].generalSetting.pensionSetting).not.toEqual(pensionSetting)
  const { code, json } = await payroll(['changes', '--uk', '--since', 'm', '--json'], at)
  expect([code, json()]).toMatchObject([0, [{ path: 'generalSetting.city' }]])
  expect(json()).toHaveLength(1)
})
