import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const ann = { forename: 'Ann', surname: 'Sample', DOB: '1990-01-02' }
const there = { id: 'id-1', agencyRef: 'OLD-1', ...ann, NINumber: 'ZY300001A' }
const set = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).flatMap(([name, value]) => ['--set', `${name}=${value}`])
const again = set({ agencyRef: 'NEW-9', ...ann, NINumber: 'ZY300001A' })

/** A service with a list of people, each page of them as it is asked for; or one that answers it with a status. */
async function having(people: readonly unknown[], listStatus = 200) {
  const { env, received } = await service(({ method, url }, response) => {
    if (method === 'POST') return response.writeHead(201).end()
    const query = new URL(url, 'http://127.0.0.1').searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
    const data = people.slice((page - 1) * size, page * size)
    return answerJson(response, listStatus, { data, totalDocs: people.length })
  })
  const home = freshHome()
  const count = (wanted: string) => received.filter(({ method }) => method === wanted).length
  return {
    env,
    home,
    create: (...more: string[]) => payroll(['candidates', 'create', '--uk', ...more], { home, env }),
    posts: () => count('POST'),
    gets: () => count('GET'),
  }
}

describe('candidates create of a person whom the service has', () => {
  test('is held back for the same NI number under another reference (exit 3), naming both', async () => {
    const { create, posts } = await having([there])
    const run = await create(...again, '--json')
    const message = 'NEW-9 has the same National Insurance number as OLD-1 (Ann Sample) on the service'
    expect([run.code, posts()]).toEqual([3, 0])
    expect(run.error()).toMatchObject({
      outcome: 'not-sent',
      issues: [{ path: 'generalSetting.NINumber', message }],
      hint: expect.stringContaining('--same-person'),
      next: ['payroll candidates get id-1'],
    })
    expect(run.err).not.toContain('300001')
  })

  test('is held back when the same record is created twice', async () => {
    const { create, posts } = await having([{ ...there, agencyRef: 'NEW-9' }])
    expect(await create(...again)).toMatchObject(endedWith(3, ' as the record id-1 (Ann Sample) on'))
    expect(posts()).toBe(0)
  })

  test('is held back without a number too when it is created twice under one reference, as after a kill', async () => {
    const { create, posts } = await having([
      { id: 'id-0', agencyRef: 'OLD-1', ...ann, email: 'ann@example.com' },
      { id: 'id-1', agencyRef: 'NEW-9', ...ann, email: 'ann@example.com' },
    ])
    const record = set({ agencyRef: 'NEW-9', ...ann, email: 'ann@example.com' })
    expect(await create(...record)).toMatchObject(
      endedWith(3, 'the email of the record id-1 (Ann Sample) on'),
    )
    expect(posts()).toBe(0)
    expect([(await create(...record, '--same-person')).code, posts()]).toEqual([0, 1])
  })

  test('is held back where somebody else has the reference (exit 3), and sent with --same-person', async () => {
    const { create, posts } = await having([there])
    const other = { forename: 'Bea', surname: 'Example', email: 'bea@example.com' }
    const argv = set({ agencyRef: 'old-1', ...other })
    const run = await create(...argv, '--yes', '--json')
    const message = 'old-1 is the reference of the record id-1 (Ann Sample, not Bea Example) on the service'
    expect([run.code, posts()]).toEqual([3, 0])
    expect(run.error()).toMatchObject({
      message: expect.stringContaining('Somebody on the service has this reference already.'),
      issues: [{ path: 'generalSetting.agencyRef', message }],
      next: ['payroll candidates get id-1'],
    })
    expect([(await create(...argv, '--same-person')).code, posts()]).toEqual([0, 1])
  })

  test('is said to be the one with the number, where somebody else has the reference', async () => {
    const { create } = await having([{ id: 'id-0', agencyRef: 'NEW-9', forename: 'Bea' }, there])
    expect(await create(...again)).toMatchObject(
      endedWith(3, 'NEW-9 has the same National Insurance number as OLD-1 (Ann Sample) on the service'),
    )
  })

  test('is asked about once at a terminal, where somebody else has the reference', async () => {
    const { env, home, posts } = await having([there])
    const record = set({ agencyRef: 'OLD-1', forename: 'Bea', surname: 'Example', email: 'bea@example.com' })
    const terminal = atTerminal(['candidates', 'create', '--uk', ...record], { env, home })
    await terminal.type('Create it anyway?', 'y\r')
    expect([(await terminal.ended).code, posts()]).toEqual([0, 1])
  })

  test('is sent with --same-person, and no list is read; not with --yes, which answers another question', async () => {
    const { create, posts, gets } = await having([there])
    expect((await create(...again, '--same-person')).code).toBe(0)
    expect([posts(), gets()]).toEqual([1, 0])
    expect([(await create(...again, '--yes')).code, posts()]).toEqual([3, 1])
  })

  test('is a warning where only name and birthday are the same', async () => {
    const { create, posts } = await having([there])
    const run = await create(...set({ agencyRef: 'NEW-9', ...ann, NINumber: 'ZY300002A' }))
    const says = 'NEW-9 has the name and the date of birth of OLD-1 (Ann Sample) on the service'
    expect(run).toMatchObject(endedWith(0, says))
    expect(posts()).toBe(1)
  })

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'the name and the bank account',
      { bank: { accountNumber: '31926819' } },
      { IBAN: 'GB29NWBK60161331926819' },
    ],
    ['the name and the email', { email: 'Ann@example.com' }, { email: 'ann@example.com' }],
    ['the name and the telephone number', { mobile: '07700 900321' }, { mobile: '+44 7700 900321' }],
    [
      'the forename and the surname (swapped) and the date of birth',
      { forename: 'Sample', surname: 'Ann' },
      { email: 'a@example.com' },
    ],
    ['the surname, the initial and the date of birth', { forename: 'A.' }, { email: 'a@example.com' }],
    [
      'the surname, the initial, the date of birth and the email',
      { forename: 'A J', email: 'a@example.com' },
      { email: 'a@example.com' },
    ],
  ])('is a warning, and exit 3 with --strict, where both have %s', async (both, theirs, mine) => {
    const { create, posts } = await having([{ ...there, NINumber: null, ...theirs }])
    const fields = both.includes('birth') ? ann : { forename: 'Ann', surname: 'Sample' }
    const argv = set({ agencyRef: 'NEW-9', ...fields, ...mine })
    const says = expect.stringContaining(`NEW-9 has ${both} of OLD-1 (`)
    const strict = await create(...argv, '--strict', '--json')
    const issues = expect.arrayContaining([{ path: 'generalSetting.agencyRef', message: says }])
    expect([strict.code, strict.error().issues, posts()]).toEqual([3, issues, 0])
    expect([await create(...argv), posts()]).toMatchObject([{ code: 0, err: says }, 1])
  })

  test.each([
    ['another name', { forename: 'Bea', email: 'ann@example.com' }],
    ['another birthday and nothing else', { DOB: '1991-03-04' }],
    ['the initial alone', { forename: 'A', DOB: null }],
  ])('is nobody with %s', async (_, theirs) => {
    const { create } = await having([{ ...there, NINumber: null, ...theirs }])
    const argv = set({ agencyRef: 'NEW-9', ...ann, email: 'ann@example.com' })
    expect(await create(...argv, '--strict')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('OLD-1'),
    })
  })

  test.each([
    ['stops at Enter', keys.enter, 2, 0],
    ['sends it after a yes', 'y\r', 0, 1],
  ])('is asked about at a terminal, which %s', async (_, typed, code, sent) => {
    const { env, home, posts } = await having([there])
    const { type, screen, ended } = atTerminal(['candidates', 'create', '--uk', ...again], { home, env })
    await type('Send it anyway?', typed)
    expect([(await ended).code, posts()]).toEqual([code, sent])
    expect(screen()).toContain('as OLD-1 (Ann Sample)')
  })
})

describe('candidates create reads of the list', () => {
  const others = (fields: Readonly<Record<string, unknown>>) =>
    Array.from({ length: 250 }, (_, at) => ({ id: `other-${at}`, agencyRef: `R-${at}`, ...fields }))

  test('nothing for a record with neither an NI number nor an account, an email or a telephone number', async () => {
    const { create, gets } = await having([there])
    expect([(await create(...set({ agencyRef: 'NEW-9', ...ann }))).code, gets()]).toEqual([0, 0])
  })

  test('one page where that shows no NI numbers, and says so', async () => {
    const { create, gets, posts } = await having(others({}))
    expect(await create(...again)).toMatchObject(endedWith(0, 'The list shows no National Insurance number'))
    expect([gets(), posts()]).toEqual([1, 1])
  })

  test('all pages where they show NI numbers', async () => {
    const { create, posts } = await having([...others({ NINumber: 'ZY300009A' }), there])
    expect([(await create(...again)).code, posts()]).toEqual([3, 0])
  })

  test.each([403, 404])('nothing that it may not read (%i): it warns, and sends', async (status) => {
    const { create, posts } = await having([], status)
    const says = `is there already: the list cannot be read (${status})`
    expect(await create(...again)).toMatchObject(endedWith(0, says))
    expect(posts()).toBe(1)
  })
})
