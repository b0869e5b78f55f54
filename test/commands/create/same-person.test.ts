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

  test('nothing for a record without an NI number', async () => {
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
    const says = `is not known: the list cannot be read (${status})`
    expect(await create(...again)).toMatchObject(endedWith(0, says))
    expect(posts()).toBe(1)
  })
})
