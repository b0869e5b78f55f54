import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { clockNow, payroll } from '../payroll.ts'
import type { Intercept } from '../start-sandbox.ts'
import {
  type Act,
  answer,
  importFixture,
  lose,
  loseAnswered,
  onPost,
  onRow,
  people,
  person,
  refs,
} from './import-fixture.ts'
import { sharedJournal } from './shared-journal/empty-journal.ts'
import { otherRun } from './shared-journal/other-run.ts'
import { withoutPostgres } from './shared-journal/postgres.ts'

type Other = Awaited<ReturnType<typeof otherRun>>

describe.skipIf(withoutPostgres)(`imports on several computers (${withoutPostgres ?? 'PostgreSQL'})`, () => {
  const { journal, claims, sql, shared } = sharedJournal()
  /** `wait`: really, because another run does something meanwhile. */
  const here = (wait?: (ms: number) => Promise<void>) => importFixture('candidates', shared(), wait)
  /** The same, with a file of people whose town becomes York. */
  async function withTowns(count: number, wait?: (ms: number) => Promise<void>) {
    const at = await here(wait)
    for (const each of people(count)) await at.call('POST', '/svc/candidates', each)
    const file = at.save('staff.csv', 'Agency reference,City', ...refs(count).map((ref) => `${ref},York`))
    return { ...at, update: (...argv: string[]) => at.importFile(file, '--update', ...argv) }
  }

  /** The same people, of whom one says something else. */
  const corrected = [person('A-001'), person('A-002', { surname: 'corrected' }), ...people(3, 3)]
  const refuse: Act = (response, _, { body }) => !body.includes('corrected') && answer(422)(response)
  const all = { createdEarlier: 5 }

  /** What a run and the next one end with where the requests meet this, and how many requests they send. */
  test.each<[string, Intercept, [number, object], [number, object], number]>([
    ['creates every row once', onPost(() => false), [0, { created: 5 }], [9, all], 5],
    ['finds a row whose answer was lost', onRow('A-003', loseAnswered), [0, { created: 5 }], [9, all], 5],
    [
      'sends a row that never arrives twice, and no more',
      onRow('A-003', lose),
      [8, { created: 4 }],
      [8, { unresolved: 1 }],
      6,
    ],
    [
      'sends a refused row when it was corrected',
      onRow('A-002', refuse),
      [9, { refused: 1 }],
      [0, { created: 1 }],
      6,
    ],
    [
      'sends rows that the service put off, once',
      onPost((response, _, { post }) => post < 5 && answer(429)(response)),
      [0, { created: 5 }],
      [9, all],
      9,
    ],
    [
      'stops when the key is refused, and goes on when it is right',
      onPost((response, _, { post }) => post === 4 && answer(401)(response)),
      [4, { created: 3, pending: 2 }],
      [9, { created: 2, createdEarlier: 3 }],
      6,
    ],
  ])('an import with a shared journal %s', async (_, intercept, first, next, posts) => {
    const at = await here()
    at.intercept(intercept)
    const run = await at.importRows(people(5), '--concurrency', '1')
    expect([run.code, run.json()]).toMatchObject(first)
    const again = await at.importRows(corrected)
    expect([again.code, again.json()]).toMatchObject(next)
    expect(at.posted()).toHaveLength(posts)
    expect(await at.there()).toEqual(refs(5).filter((ref) => again.code !== 8 || ref !== 'A-003'))
  })

  test('an import with a shared journal leaves those alone who are there already, and names nobody in what it keeps', async () => {
    const at = await here()
    await at.call('POST', '/svc/candidates', person(' a-002 '))
    const secret = person('A-1', { NINumber: 'QQ123456A', email: 'ann@example.com', DOB: '1990-01-01' })
    expect((await at.importRows([person('A-002'), secret])).json()).toMatchObject({ created: 1, existing: 1 })
    for (const text of [readFileSync(at.journalPath(), 'utf8'), sql('table payroll_journal')])
      for (const personal of ['Sample', 'QQ123456A', 'example.com', '1990-'])
        expect(text).not.toContain(personal)
  })

  test('a row that another is at is left to it: exit 11, and it says who and since when', async () => {
    const at = await here()
    await otherRun(journal.url, at.baseUrl, ['a-002'])
    const run = await at.importRows(people(4))
    expect(run.code).toBe(11)
    // It asks four times a second what became of the row.
    expect(run.pauses).toContain(250)
    expect(run.json()).toMatchObject({ rows: 4, created: 3, pending: 1 })
    expect(run.error()).toMatchObject({ code: 'locked', retryable: true, outcome: null })
    expect(run.error().message).toMatch(
      /^\S+@\S+ \(process \d+\) has been working on 1 row since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. 1 row waits to be sent\.$/,
    )
    expect(await at.there()).toEqual(['A-001', 'A-003', 'A-004'])
  })

  test('a row that another creates meanwhile is there already, and is looked for at the end', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003'])
    at.intercept(async ({ method, post }) => {
      if (method !== 'POST' || post !== 1) return false
      await at.call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-002' } })
      for (const key of ['a-002', 'a-003']) await other.note(key, 'created')
      return false
    })
    const run = await at.importRows(people(4))
    // A-003 is said to be created, and is nowhere.
    expect([run.code, run.json()]).toMatchObject([8, { rows: 4, created: 2, existing: 1, unresolved: 1 }])
    const message = expect.stringMatching(
      /^\S+@\S+ \(process \d+\) created it at .+ UTC\. The list does not show it, and it was not sent again\.$/,
    )
    expect(run.error().issues).toEqual([{ path: 'row 3, A-003', message }])
    expect(at.postsOf('A-003')).toBe(0)
    // Its journal is not here, so that is not what has to be deleted.
    const [, free = ''] =
      / on purpose, the owner of the shared journal sets them free: (.+)$/.exec(run.error().hint) ?? []
    await other.close()
    sql(free)
    expect((await at.import()).json()).toMatchObject({ created: 1, unresolved: 0 })
    expect(await at.there()).toEqual(refs(4))
  })

  test('a row whose record a run that is gone created counts as there already, in the history too: it has the values of that run', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003'])
    await other.close()
    // A-002 shows at once, and A-003 only after this run has read the list.
    await at.call('POST', '/svc/candidates', person('A-002', { city: 'York' }))
    at.intercept(async ({ method, post }) => {
      if (method === 'POST' && post === 1)
        await at.call('POST', '/svc/candidates', person('A-003', { city: 'York' }))
      return false
    })
    const run = await at.importRows(people(4))
    expect([run.code, run.json()]).toMatchObject([0, { created: 2, existing: 2 }])
    expect(claims(at)).toMatchObject({ 'a-002': 'created 1', 'a-003': 'created 1' })
    const written = (await payroll(['history', '--json'], { home: at.home, env: at.env })).json()
    expect(written.map(({ reference }: { reference: string }) => reference).sort()).toEqual([
      'A-001',
      'A-004',
    ])
  })

  test('--update holds back a row whose record another run creates meanwhile, and compares it the next time', async () => {
    const at = await here(pause)
    await at.call('POST', '/svc/candidates', person('A-001'))
    const other = await otherRun(journal.url, at.baseUrl, ['a-002'])
    const file = at.save(
      'staff.csv',
      'Agency reference,Forename,Surname,City',
      ...refs(3).map((ref) => `${ref},Ann,Sample,York`),
    )
    const running = at.importFile(file, '--update', '--settle', '5')
    while (at.posted().length === 0) await pause(5)
    await at.call('POST', '/svc/candidates', person('A-002'))
    await other.note('a-002', 'created')
    const run = await running
    expect([run.code, run.json()]).toMatchObject([9, { created: 1, updated: 1, held: 1, existing: 0 }])
    expect(run.error().issues).toEqual([
      {
        path: 'row 3, A-002',
        message: expect.stringMatching(
          / created it at .+ UTC, and it was not compared with the row: run the same command again\.$/,
        ),
      },
    ])
    expect((await at.importFile(file, '--update')).json()).toMatchObject({ updated: 1, unchanged: 2 })
    expect(await at.record('A-002')).toMatchObject({ city: 'York' })
  })

  test('hours of a week that another run creates meanwhile are held back, and compared the next time', async () => {
    const at = await importFixture('timesheets', shared())
    const days = ['2026-05-25', '2026-05-31']
    const other = await otherRun(journal.url, at.baseUrl, [`a-2 / - / ${days.join(' / ')}`], {
      operation: 'timesheets.create',
    })
    const [startDate, endDate] = days
    const theirs = { subcontractorRef: 'A-2', startDate, endDate, rates: [{ rate: '15', units: '20' }] }
    at.intercept(async ({ method, post }) => {
      if (method !== 'POST' || post !== 1) return false
      await at.call('POST', '/svc/time-sheets', theirs)
      await other.note(`a-2 / - / ${days.join(' / ')}`, 'created')
      return false
    })
    const rows = ['A-1', 'A-2'].map((ref) => `${ref},15,38,31/05/2026`)
    const file = at.save('week.csv', 'Employee ref,Rate,Hours,Week ending', ...rows)
    const run = await at.importFile(file, '--yes')
    expect([run.code, run.json()]).toMatchObject([9, { created: 1, existing: 0, held: 1 }])
    expect(run.error().issues[0].message).toContain('it was not compared with the row')
    const again = await at.importFile(file, '--yes')
    expect([again.code, again.error().issues[0].message]).toEqual([
      9,
      expect.stringContaining('the service has other hours for it'),
    ])
  })

  test('a run that stops early says nothing of what another created meanwhile', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, [])
    at.intercept(async ({ method, post }, response) => {
      if (method !== 'POST') return false
      if (post === 2) {
        for (const ref of ['A-039', 'A-040']) {
          await other.claim({ key: ref.toLowerCase(), attempt: 1, fingerprint: 'x' })
          await at.call('POST', '/svc/candidates', person(ref))
        }
        await other.note('a-040', 'created')
      }
      if (post > 2) response.destroy()
      return post > 2
    })
    const run = await at.importRows(people(40))
    expect(run.code).toBe(9)
    expect(run.error().message).toContain('The service gave too many unclear answers, so the import stopped.')
    const named = run.error().issues.map(({ path }: { path: string }) => path)
    expect(named).not.toContain('row 39, A-039')
    expect(named).not.toContain('row 40, A-040')
    expect(run.json()).toMatchObject({ rows: 40, existing: 1 })
  })

  test('--update leaves a record that another is changing to it, then compares it anew: each change is sent once', async () => {
    const at = await withTowns(4, pause)
    // It changes A-002, and gives A-003 up.
    const other = await otherRun(journal.url, at.baseUrl, ['change of a-002', 'change of a-003'])
    const putsOf = (ref: string) =>
      at.received.filter(({ method, body }) => method === 'PUT' && body.includes(ref)).length
    const running = at.update('--settle', '5')
    while (putsOf('A-004') === 0) await pause(5)
    expect([putsOf('A-002'), putsOf('A-003')]).toEqual([0, 0])
    const { id } = await at.record('A-002')
    await at.call('PUT', `/svc/candidates/${id}`, person('A-002', { city: 'York' }))
    for (const key of ['change of a-002', 'change of a-003']) await other.note(key, 'refused', 0)
    const run = await running
    expect([run.code, run.json()]).toMatchObject([0, { rows: 4, updated: 3, unchanged: 1 }])
    expect(refs(4).map(putsOf)).toEqual([1, 0, 1, 1])
  })

  test('--update takes the record of a run that is gone once its request must have arrived, and ends with 11 where it lives', async () => {
    const at = await withTowns(2)
    const other = await otherRun(journal.url, at.baseUrl, ['change of a-002'])
    const first = await at.update()
    expect([first.code, first.json()]).toMatchObject([11, { updated: 1, pending: 1 }])
    await other.close()
    const again = await at.update()
    expect([again.code, again.json()]).toMatchObject([0, { updated: 1, unchanged: 1 }])
  })

  test('--update keeps the claim on a record whose answer was lost until it is known what became of it', async () => {
    const seen = new Set<string | undefined>()
    let puts = 0
    const at = await withTowns(1, async () => {
      if (puts === 1) seen.add(claims(at)['change of a-001'])
    })
    at.intercept(({ method }, response) => {
      if (method !== 'PUT') return false
      puts += 1
      if (puts === 1) response.destroy()
      return puts === 1
    })
    expect((await at.update('--settle', '3')).json()).toMatchObject({ updated: 1 })
    expect([puts, [...seen]]).toEqual([2, ['sending 1']])
    expect(claims(at)).toMatchObject({ 'change of a-001': 'refused 0' })
  })

  test('--update of a record whose change was lost and that another is changing now ends: exit 8, and nothing is sent', async () => {
    const at = await withTowns(1)
    let puts = 0
    at.intercept(({ method }, response) => {
      if (method !== 'PUT') return false
      puts += 1
      response.destroy()
      return true
    })
    await at.update()
    // As a run leaves it that is killed after its first request.
    const text = readFileSync(at.journalPath(), 'utf8')
    const unknown = text.indexOf('"state":"unknown"')
    writeFileSync(at.journalPath(), text.slice(0, text.indexOf('\n', unknown) + 1))
    const before = puts
    await otherRun(journal.url, at.baseUrl, ['change of a-001'])
    const run = await at.update()
    expect([run.code, run.json(), puts]).toMatchObject([8, { unresolved: 1 }, before])
  })

  test('--update changes a record that a run created which is gone', async () => {
    const at = await withTowns(1)
    const other = await otherRun(journal.url, at.baseUrl, ['a-001'])
    await other.note('a-001', 'doubt', 2)
    await other.close()
    const run = await at.update()
    expect([run.code, run.json()]).toMatchObject([0, { updated: 1 }])
    expect(claims(at)).toMatchObject({ 'a-001': 'created 2' })
  })

  test('an import waits for another as long as that one goes on: --settle counts from the last row that it created', async () => {
    let [pauses, created] = [0, 1]
    // A row of the other every one and a half seconds, by the clock of the import.
    const at = await here(async () => {
      pauses += 1
      if (pauses % 6 !== 0 || created === 5) return
      created += 1
      await at.call('POST', '/svc/candidates', people(5)[created - 1])
      await other.note(`a-00${created}`, 'created')
    })
    const other = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003', 'a-004', 'a-005'])
    const run = await at.importRows(people(5), '--settle', '2')
    expect([run.code, run.json()]).toMatchObject([0, { rows: 5, created: 1, existing: 4 }])
  })

  test('a row that a run on another computer and a file with another name sent once between them is sent once more', async () => {
    const at = await here()
    const { PAYROLL_JOURNAL: _, ...alone } = at.env as Record<string, string>
    at.write(people(3))
    at.intercept(onRow('A-003', lose))
    await payroll(['candidates', 'import', at.file, '--settle', '0'], { home: at.home, env: alone })
    // As a run leaves it that is killed when it knows that A-003 is missing.
    const text = readFileSync(at.journalPath(), 'utf8')
    const missing = text.indexOf('"key":"A-003"', text.indexOf('"state":"ambiguous"'))
    writeFileSync(at.journalPath(), text.slice(0, text.indexOf('\n', missing + 1) + 1))
    expect(at.journal().at(-1)).toMatchObject({ key: 'A-003', state: 'pending', attempt: 2 })
    at.intercept(() => false)
    const other = await otherRun(journal.url, at.baseUrl, ['a-003'])
    await other.note('a-003', 'doubt', 1)
    await other.close()
    const copy = join(at.home, 'copy.ndjson')
    at.write(people(3), copy)
    const run = await at.importFile(copy)
    expect([run.code, run.json()]).toMatchObject([0, { created: 1, existing: 2, unresolved: 0 }])
    expect(await at.there()).toEqual(refs(3))
  })

  test.each([
    ['that another gives up', (other: Other) => other.note('a-002', 'refused', 0)],
    ['of a run that is gone while this one waits for it', (other: Other) => other.close()],
  ])('a row %s is sent by this one', async (_, leave) => {
    const at = await here(pause)
    const other = await otherRun(journal.url, at.baseUrl, ['a-002'])
    const running = at.importRows(people(3))
    while (at.posted().length < 2) await pause(5)
    await leave(other)
    expect((await running).json()).toMatchObject({ created: 3 })
    expect(await at.there()).toEqual(refs(3))
  })

  test('the rows of a run that is gone are looked for: what is there was created, what is not is sent once more', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003'])
    await at.call('POST', '/svc/candidates', people(3)[1])
    await other.close()
    const run = await at.importRows(people(4))
    expect([run.code, run.json()]).toMatchObject([0, { rows: 4, unresolved: 0, pending: 0 }])
    expect(await at.there()).toEqual(refs(4))
    expect(claims(at)).toMatchObject({ 'a-003': 'created 2' })
    expect(at.postsOf('A-002')).toBe(0)
  })

  test.each(['sending', 'created'])('a row (%s) whose time is damaged ends no run', async (state) => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002'])
    if (state === 'created') await other.note('a-002', 'created')
    await at.call('POST', '/svc/candidates', people(3)[1])
    await other.close()
    sql("update payroll_journal set at = 'infinity'")
    expect((await payroll(['journal', 'status'], at)).code).toBe(0)
    expect((await at.importRows(people(3), '--dry-run')).code).toBe(0)
    expect((await at.import()).code).toBe(0)
    expect(await at.there()).toEqual(refs(3))
  })

  test.each([
    ['a NUL', 'A-0\u0000'],
    ['half of a character', 'A-0\ud83d'],
  ])('a reference with %s is exit 3, named, and nothing is sent', async (_, ref) => {
    const at = await here()
    const run = await at.importRows([...people(2), person(ref)])
    expect(run).toMatchObject({ code: 3 })
    expect(run.err.toLowerCase()).toContain('a-0')
    expect(at.posted()).toEqual([])
  })

  test('a row that two runs sent before is not sent a third time', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002'])
    await other.note('a-002', 'doubt', 2)
    await other.close()
    const run = await at.importRows(people(3))
    expect([run.code, run.error().issues]).toEqual([8, [expect.objectContaining({ path: 'row 2, A-002' })]])
    expect(await at.there()).toEqual(['A-001', 'A-003'])
  })

  test('a row that another run sent once and gave up has its second and last request left', async () => {
    const at = await here()
    const other = await otherRun(journal.url, at.baseUrl, ['a-002'])
    await other.note('a-002', 'refused', 1)
    at.intercept(onRow('A-002', lose))
    expect((await at.importRows(people(3))).json()).toMatchObject({ created: 2, unresolved: 1 })
    expect(at.postsOf('A-002')).toBe(1)
  })

  test('the rows of a run that is gone are looked for after the longest time that one of both waits', async () => {
    const at = await here()
    await (await otherRun(journal.url, at.baseUrl, ['a-002'], { settleMs: 3000 })).close()
    const since = clockNow()
    expect(await at.importRows(people(3))).toMatchObject({ code: 0 })
    expect(clockNow() - since).toBeGreaterThan(3000)
  })

  test('a row whose request had to wait too long after its claim is claimed again, and sent once', async () => {
    const at = await here()
    at.intercept(
      onRow('A-003', (response) => {
        if (at.postsOf('A-003') > 1) return false
        // The client waits for as long as the service asks, and would then send with a claim of two seconds ago.
        response.setHeader('Retry-After', '2')
        answer(429, { success: false })(response)
      }),
    )
    expect((await at.importRows(people(4))).json()).toMatchObject({ created: 4 })
    expect(at.postsOf('A-003')).toBe(2)
    expect(await at.there()).toEqual(refs(4))
    expect(new Set(Object.values(claims(at)))).toEqual(new Set(['created 1']))
  })

  test('a database that ends connections which rest does not end the run', async () => {
    const at = await here()
    at.intercept(onPost((response, _, { post }) => post === 2 && lose(response)))
    sql("alter role payroll set idle_session_timeout = '700ms'")
    const run = await at.importRows(people(3), '--settle', '1')
    sql('alter role payroll reset idle_session_timeout')
    expect(run.json()).toMatchObject({ created: 3, unresolved: 0 })
  })

  test('a database that is away: exit 7, and not one request is sent', async () => {
    const at = await here()
    at.write(people(3))
    journal.server.stop()
    const run = await at.import().finally(() => journal.server.start())
    expect(run.code).toBe(7)
    expect(run.error()).toMatchObject({
      code: 'temporary',
      outcome: 'not-sent',
      retryable: true,
      message: `The shared journal (127.0.0.1:${journal.server.port}/computers) could not be reached: nothing listens there. Nothing was sent.`,
    })
    expect(at.received).toHaveLength(0)
  })

  const locks = "from pg_locks where locktype = 'advisory'"
  const cut = (which: 'in' | 'not in') => {
    sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'payroll' and pid ${which} (select pid ${locks})`,
    )
    // The server ends it a moment later, and the run could be over before.
    while (which === 'in' && sql(`select count(*) ${locks}`) !== '0');
  }
  const unreachable =
    /^The shared journal \(127\.0\.0\.1:\d+\/computers\) could not be reached(?: \(\w+\)|: [a-z ]+)\. \d+ rows wait to be sent\.$/

  test.each<[string, () => void, () => void, RegExp]>([
    [
      'a database that stops',
      () => journal.server.stop('immediate'),
      () => journal.server.start(),
      unreachable,
    ],
    [
      'a right that is taken away',
      () => void sql('revoke insert on payroll_journal from payroll'),
      () => void sql('grant insert on payroll_journal to payroll'),
      / does not let this user do that\. \d+ rows wait to be sent\.$/,
    ],
    ['a cut connection that says that the run is alive', () => void cut('in'), () => {}, unreachable],
    ['other connections that are cut', () => void cut('not in'), () => {}, unreachable],
  ])(
    '%s in the middle: exit 7, nothing more is sent, and the outcomes are written by the next run, no row twice',
    async (_, harm, mend, says) => {
      const at = await here()
      at.intercept(({ method, post }) => {
        if (method === 'POST' && post === 5) harm()
        return false
      })
      const run = await at.importRows(people(30)).finally(mend)
      expect([run.code, run.error().message]).toEqual([7, expect.stringMatching(says)])
      const sent = at.posted().length
      expect(sent).toBeLessThan(12)
      expect(await at.there()).toHaveLength(sent)
      at.intercept(() => false)
      expectAllCreated((await at.import()).json())
      expect(at.posted()).toHaveLength(30)
      expect(new Set(Object.values(claims(at)))).toEqual(new Set(['created 1']))
    },
  )

  test.each([
    [
      'a user who may not write',
      'revoke update on payroll_journal from payroll',
      'grant update on payroll_journal to payroll',
      'does not let this user do that. Nothing was sent.',
      'payroll journal init --sql',
    ],
    [
      'a user who may not connect',
      'alter role payroll nologin',
      'alter role payroll login',
      'does not let this user in from this computer, or has no such user. Nothing was sent.',
      'In pg_hba.conf',
    ],
    [
      'a database that can only be read',
      'alter role payroll set default_transaction_read_only = on',
      'alter role payroll reset default_transaction_read_only',
      'can only be read: it is a copy, or is set so. Nothing was sent.',
      'Name the server that is written to',
    ],
  ])('%s: exit 2 with what to do, and not one request is sent', async (_, harm, mend, says, hint) => {
    const at = await here()
    at.write(people(3))
    sql(harm)
    const run = await at.import().finally(() => sql(mend))
    expect(run.code).toBe(2)
    expect(run.error().message).toContain(says)
    expect(run.error().hint).toContain(hint)
    expect(at.received).toHaveLength(0)
  })

  test('a database with two connections left is enough', async () => {
    const at = await here()
    sql('alter role payroll connection limit 2')
    const run = await at.importRows(people(9)).finally(() => sql('alter role payroll connection limit -1'))
    expect([run.code, run.json()]).toMatchObject([0, { created: 9 }])
  })
})

/** Of thirty rows each was created once; how many of them by the run before depends on when it was stopped. */
function expectAllCreated({ created, createdEarlier, unresolved }: Record<string, number>): void {
  expect([Number(created) + Number(createdEarlier), unresolved]).toEqual([30, 0])
  expect(createdEarlier).toBeGreaterThan(0)
}
