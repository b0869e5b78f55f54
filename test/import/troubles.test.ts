// @module-tag tables

import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { StopSignal } from '../../src/errors.ts'
import { clockNow, payroll } from '../payroll.ts'
import {
  answer,
  type ImportFixture,
  importFixture,
  interceptedFixture,
  lose,
  loseAnswered,
  onPost,
  onRow,
  people,
  person,
  readTable,
  refs,
} from './import-fixture.ts'

describe('a row whose answer is lost', () => {
  test('and that is on the service is not sent again', async () => {
    const at = await interceptedFixture(onRow('A-003', loseAnswered))
    const run = await at.importRows(people(6))
    expect([run.code, run.json()]).toMatchObject([0, { created: 6, unresolved: 0 }])
    expect(at.posted()).toHaveLength(6)
    expect(await at.there()).toEqual(refs(6))
    expect(at.journal().filter(({ key }) => key === 'A-003')).toMatchObject([
      { state: 'intent', attempt: 1 },
      { state: 'ambiguous', attempt: 1 },
      { state: 'created', attempt: 1, via: 'list', id: expect.any(String) },
    ])
  })

  test.each([
    ['lost', lose],
    ['503', answer(503)],
  ])(
    'a row whose answer is %s and that is not there is sent once more, after two equal lists and the time to arrive',
    async (_, act) => {
      let since = 0
      const at = await interceptedFixture(
        onRow('A-002', (response) => {
          if (since > 0) return false
          since = clockNow()
          act(response)
        }),
      )
      expect(await at.importRows(people(3), '--settle', '1')).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(3))
      expect(at.posted()).toHaveLength(4)
      expect(clockNow() - since).toBeGreaterThan(1000)
      const first = at.received.findIndex(({ body }) => body.includes('A-002'))
      const second = at.received.findLastIndex(({ method }) => method === 'POST')
      const looks = at.received.slice(first, second).filter(({ method }) => method === 'GET')
      expect(looks.length).toBeGreaterThanOrEqual(3)
    },
  )

  test('twice is left to a person: exit 8, and never sent a third time', async () => {
    const at = await interceptedFixture(onRow('A-002', lose))
    at.write(people(3))
    for (const counts of [{ created: 2 }, { created: 0, createdEarlier: 2 }]) {
      const run = await at.import()
      expect([run.code, run.json()]).toMatchObject([8, { rows: 3, ...counts, unresolved: 1, pending: 0 }])
      expect(run.error()).toMatchObject({
        outcome: 'unknown',
        hint: expect.stringContaining('payroll candidates list'),
        issues: [{ path: 'row 2, A-002', message: expect.stringContaining('sent twice') }],
      })
    }
    expect(at.postsOf('A-002')).toBe(2)
    // The person looks, and creates it by hand: the next run finds it.
    await at.call('POST', '/svc/candidates', person('A-002'))
    expect(await at.import()).toMatchObject({ code: 0 })
  })

  test('twice, and that is there once, is given the time to be there twice', async () => {
    const at = await importFixture()
    let last = 0
    let arriveLate: (() => Promise<Response>) | undefined
    const onPosts = onRow('A-002', async (response, carryOut) => {
      last = clockNow()
      if (at.postsOf('A-002') === 2) {
        await carryOut()
        // The first one had only been slow.
        arriveLate = carryOut
      }
      lose(response)
    })
    at.intercept(async (request, response, carryOut) => {
      if (arriveLate && clockNow() - last > 500) {
        await arriveLate()
        arriveLate = undefined
      }
      return onPosts(request, response, carryOut)
    })
    const run = await at.importRows(people(3), '--settle', '1')
    expect(clockNow() - last).toBeGreaterThan(1000)
    expect(run.code).toBe(8)
    expect(at.journal().findLast(({ key }) => key === 'A-002')).toMatchObject({ state: 'duplicate' })
  })

  test('and that arrives between two runs, after it was given up for lost, is ours and is not sent again', async () => {
    const at = await importFixture()
    at.intercept(
      onRow('A-002', (response) => (at.postsOf('A-002') === 1 ? lose(response) : answer(401)(response))),
    )
    const first = await at.importRows(people(3))
    expect([first.code, first.json()]).toMatchObject([4, { created: 2, pending: 1 }])
    at.intercept(() => false)
    await at.call('POST', '/svc/candidates', person('A-002'))
    const sent = at.posted().length
    const run = await at.import()
    expect([run.code, run.json()]).toMatchObject([0, { created: 1, createdEarlier: 2, existing: 0 }])
    expect(run.err).not.toContain('already on the service')
    expect(at.posted()).toHaveLength(sent)
  })

  test('with the end of the journal is given the time to arrive before the service is looked at', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    truncateSync(at.journalPath(), statSync(at.journalPath()).size - 10)
    const since = clockNow()
    expect(await at.import('--settle', '1')).toMatchObject({ code: 0 })
    expect(clockNow() - since).toBeGreaterThan(1000)
  })

  // Other answers: test/write/outcomes.test.ts and test/import/entry.test.ts.
  test('or is a redirect, is looked up, and not sent again', async () => {
    const at = await interceptedFixture(
      onRow('A-002', async (response, carryOut) => {
        await carryOut()
        response.writeHead(303, { location: '/elsewhere' }).end()
      }),
    )
    expect(await at.importRows(people(3))).toMatchObject({ code: 0 })
    expect(at.posted()).toHaveLength(3)
    expect(await at.there()).toEqual(refs(3))
  })

  test.each([
    ['is not sent again: exit 8', false],
    ['and that arrives late, is created and not sent again', true],
  ])('while the list changes under every look %s', async (_, arrives) => {
    const at = await importFixture()
    let looks = 0
    at.intercept(async (request, response, carryOut) => {
      // Somebody is busy in another window.
      if (request.method === 'GET' && at.postsOf('A-003') > 0) {
        looks += 1
        if (arrives && looks === 2) await at.call('POST', '/svc/candidates', person('A-003'))
        await at.call('POST', '/svc/candidates', person(`B-${looks}`))
      }
      return onRow('A-003', lose)(request, response, carryOut)
    })
    const run = await at.importRows(people(3))
    expect(at.posted()).toHaveLength(3)
    if (arrives) expect([run.code, run.json()]).toMatchObject([0, { created: 3, unresolved: 0 }])
    else
      expect([run.code, run.error().issues[0].message]).toEqual([
        8,
        expect.stringContaining('is not reliable'),
      ])
  })

  test('and that an import waits for keeps nobody waiting who stops it, and is looked for by the next', async () => {
    const at = await interceptedFixture(onRow('A-002', lose))
    let send: (signal: StopSignal) => void = () => {}
    at.write(people(3))
    const run = await payroll(['candidates', 'import', at.file, '--settle', '120', '--json'], {
      home: at.home,
      env: at.env,
      onStart: (sending) => {
        send = sending
      },
      // The first look shows nothing of it, and the import begins to wait: for ever, if nothing ends that.
      onPause: (ms, signal) =>
        new Promise((resolve) => {
          if (at.postsOf('A-002') === 0 || ms < 60_000) return resolve()
          signal?.addEventListener('abort', () => resolve())
          send('SIGINT')
        }),
    })
    expect(run).toMatchObject({ signal: 'SIGINT', err: expect.stringContaining('To continue: ') })
    expect(at.journal().findLast(({ key }) => key === 'A-002')).toMatchObject({ state: 'ambiguous' })
    at.intercept(() => false)
    expect(await at.import()).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(3))
    expect(at.posted()).toHaveLength(4)
  })
})

describe('a row that the service refuses', () => {
  const refusing = onPost(
    (response, _, { ref }) =>
      ['A-002', 'A-004'].includes(ref) &&
      answer(422, { error: { code: 'X', message: 'surname is needed', details: [] } })(response),
  )

  test('goes to a file of its own, the others go on, and the corrected file is imported: exit 9, then 0', async () => {
    const at = await interceptedFixture(refusing)
    const run = await at.importRows(people(6))
    const rejects = at.file.replace('.ndjson', '.rejects.ndjson')
    expect([run.code, run.json()]).toMatchObject([
      9,
      { rows: 6, created: 4, refused: 2, pending: 0, rejects },
    ])
    const { hint, issues } = run.error()
    expect(hint).toContain(rejects)
    expect(issues.map(({ path }: any) => path).sort()).toEqual(['row 2, A-002', 'row 4, A-004'])
    expect(issues[0].message).toContain('surname is needed')
    const lines = readFileSync(rejects, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).generalSetting.agencyRef).sort()).toEqual(['A-002', 'A-004'])
    at.intercept(() => false)
    expect((await at.importFile(rejects)).json()).toMatchObject({ rows: 2, created: 2 })
    const all = await at.import()
    expect([all.code, all.json()]).toMatchObject([
      0,
      { rows: 6, created: 0, createdEarlier: 4, existing: 2, refused: 0 },
    ])
    expect(await at.there()).toEqual(refs(6))
  })

  test('is in one file of rejects, which the next run replaces, and which may be imported itself', async () => {
    const at = await interceptedFixture(refusing)
    const rejects = `${at.home}/starters.rejects.ndjson`
    for (const file of [at.file, at.file, rejects]) {
      if (file === at.file) at.write(people(4))
      const run = await at.importFile(file, '--results', `${at.home}/results.ndjson`)
      expect([run.code, run.json().rejects]).toEqual([9, rejects])
      const rows = (await readTable(rejects)).map(({ generalSetting }: any) => generalSetting.agencyRef)
      expect(rows).toEqual(['A-002', 'A-004'])
    }
    expect(readdirSync(at.home).filter((name) => name.includes('rejects'))).toEqual([
      'starters.rejects.ndjson',
    ])
  })

  test('that came by standard input is in no file, unless one is named', async () => {
    const at = await interceptedFixture(refusing)
    const input = people(4)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('')
    const run = (...more: string[]) =>
      payroll(['candidates', 'import', '-', '--settle', '0', '--json', '--yes', ...more], { ...at, input })
    const silent = await run()
    expect([silent.code, silent.json().rejects]).toEqual([9, null])
    expect(readdirSync(at.home).some((name) => name.includes('rejects'))).toBe(false)
    expect((await run('--rejects', `${at.home}/mine.ndjson`)).json().rejects).toBe(`${at.home}/mine.ndjson`)
  })

  test('is in no rejects where the file was changed meanwhile, and the error says so', async () => {
    const at = await interceptedFixture(
      onPost((response) => {
        writeFileSync(at.file, '{}\n')
        return answer(422, { message: 'surname is needed' })(response)
      }),
    )
    const run = await at.importRows(people(1))
    expect([run.code, run.json()]).toMatchObject([9, { refused: 1, rejects: null }])
    expect(run.error().issues).toMatchObject([{ message: expect.stringContaining('surname is needed') }])
    expect(run.err).toContain('was changed while payroll was importing it')
  })

  test('is tried again by the next run, because no is no record', async () => {
    const at = await interceptedFixture(refusing)
    await at.importRows(people(4))
    at.intercept(() => false)
    expect((await at.import()).json()).toMatchObject({ created: 2, createdEarlier: 2, refused: 0 })
    expect(await at.there()).toEqual(refs(4))
  })
})

describe('the run stops, and its rows wait', () => {
  test.each([
    [401, 4],
    [404, 6],
  ])(
    'an import stops, and its rows wait, at a %i: exit %i, and run again it goes on',
    async (status, code) => {
      const at = await interceptedFixture(
        onPost((response, _, { post }) => post > 10 && answer(status, { message: 'no' })(response)),
      )
      const run = await at.importRows(people(40))
      expect(run.code).toBe(code)
      expect(run.json()).toMatchObject({ created: 10, refused: 0, unresolved: 0, pending: 30, rejects: null })
      for (const command of run.error().next) expect(command).toMatch(/^payroll [a-z -]+$/)
      // No more than were under way together.
      expect(at.posted().length).toBeLessThanOrEqual(14)
      at.intercept(() => false)
      expect(await at.import()).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(40))
    },
  )

  test('an import stops, and its rows wait, when too many answers are lost: what was sent is looked up, and exit 9', async () => {
    const at = await interceptedFixture(
      onPost((response, carryOut, sent) => sent.post > 20 && loseAnswered(response, carryOut, sent)),
    )
    const run = await at.importRows(people(60))
    expect([run.code, run.json()]).toMatchObject([9, { unresolved: 0 }])
    const { created, pending } = run.json()
    expect(created).toBeGreaterThanOrEqual(25)
    expect(created).toBeLessThan(30)
    expect(created + pending).toBe(60)
    at.intercept(() => false)
    expect(await at.import()).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(60))
  })

  test('an import stops, and its rows wait, when nothing answers any more: exit 7', async () => {
    const at = await importFixture()
    at.write(people(3))
    const env = { ...at.env, PAYROLL_BASE_URL: 'http://127.0.0.1:1' }
    const run = await payroll(['candidates', 'import', at.file, '--json'], { home: at.home, env })
    expect(run).toMatchObject({ code: 7, out: '' })
  })
})

test('a service that is too busy is asked less, and the rest is done later with one POST a row', async () => {
  const at = await interceptedFixture(
    onPost((response, _, { post }) => {
      if (post <= 10 || post > 16) return false
      response.setHeader('retry-after', '1')
      answer(429)(response)
    }),
  )
  expect((await at.importRows(people(40), '--concurrency', '8')).code).toBe(0)
  expect(await at.there()).toEqual(refs(40))
  expect(at.posted()).toHaveLength(46)
})

describe('the last look', () => {
  test('sees a row that was acknowledged and taken back: exit 8, and it is not created again', async () => {
    const at = await interceptedFixture(onRow('A-002', (response) => response.writeHead(201).end()))
    at.write(people(3))
    for (const counts of [{ created: 2 }, { created: 0, createdEarlier: 2 }]) {
      const run = await at.import()
      expect([run.code, run.json()]).toMatchObject([8, { rows: 3, ...counts, unresolved: 1 }])
      const message =
        'it was sent once: the service acknowledged it. The list does not show it, and it was not sent again.'
      expect(run.error().issues).toEqual([{ path: 'row 2, A-002', message }])
    }
    expect(at.posted()).toHaveLength(3)
  })

  type Act = (at: ImportFixture, response: ServerResponse, carryOut: () => Promise<unknown>) => unknown

  test.each<[string, Act, RegExp, number]>([
    [
      'a row whose answer is lost, and whose key another person has',
      async (at, response) => {
        await at.call('POST', '/svc/candidates', person('A-002', { surname: 'Somebody Else' }))
        lose(response)
      },
      /another person/,
      3,
    ],
    [
      'a row whose answer is lost, and that arrived twice',
      async (_at, response, carryOut) => {
        await carryOut()
        await carryOut()
        lose(response)
      },
      /the service has it more than once/,
      4,
    ],
    [
      'a row that arrived twice',
      (_at, _response, carryOut) => carryOut().then(() => false),
      /The service has it 2 times instead of once \(.+, .+\)/,
      4,
    ],
    [
      'a refused row that is there anyway',
      (_at, response, carryOut) => carryOut().then(() => answer(422)(response)),
      /did not create it, but the service has it/,
      3,
    ],
  ])('sees %s: exit 8, and nothing is sent again or deleted', async (_, act, message, records) => {
    const at = await importFixture()
    at.intercept(onRow('A-002', (response, carryOut) => act(at, response, carryOut)))
    const run = await at.importRows(people(3))
    expect(run.code).toBe(8)
    expect(run.error().issues).toEqual([{ path: 'row 2, A-002', message: expect.stringMatching(message) }])
    expect(at.posted()).toHaveLength(3)
    expect(await at.there()).toHaveLength(records)
  })

  test('that cannot be had is told: exit 10, and everything is accounted for', async () => {
    const at = await importFixture()
    at.intercept(({ method }, response) => {
      if (method !== 'GET' || at.posted().length < 3) return false
      answer(200, 'no list')(response)
      return true
    })
    const run = await at.importRows(people(3))
    expect([run.code, run.json()]).toMatchObject([10, { created: 3 }])
  })
})

describe('a file that was edited between two runs', () => {
  const edited = [person('A-001'), person('A-002', { surname: 'Changed' }), person('A-003')]

  test('a row that was created is told, and not sent: exit 9', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    const run = await at.importRows(edited)
    expect([run.code, run.json()]).toMatchObject([9, { created: 0, createdEarlier: 3, refused: 0 }])
    expect(run.error().issues).toMatchObject([{ path: 'row 2, A-002' }])
    expect(at.posted()).toHaveLength(3)
  })

  test('a new row is created, an order or a field order is no change, a row that went is forgotten', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    const { agencyRef, forename, surname } = person('A-003').generalSetting
    const turned = { generalSetting: { surname, forename, agencyRef } }
    const run = await at.importRows([person('A-004'), turned, person('A-001')])
    expect([run.code, run.json()]).toMatchObject([0, { rows: 3, created: 1, createdEarlier: 2 }])
    expect(await at.there()).toEqual(refs(4))
  })

  test.each([
    ['and that is there, is told as changed', true, [9, { created: 1, createdEarlier: 2 }]],
    ['and that is not there, is created as it is now', false, [0, { created: 1, createdEarlier: 2 }]],
  ])('a row in doubt, because the list cannot be read, %s', async (_, isStored, expected) => {
    const at = await importFixture()
    at.intercept(
      onRow('A-002', async (response, carryOut) => {
        if (isStored) await carryOut()
        at.intercept(({ method }, other) => {
          if (method === 'GET') answer(401)(other)
          return method === 'GET'
        })
        lose(response)
      }),
    )
    expect((await at.importRows(people(3))).code).toBe(8)
    at.intercept(() => false)
    const run = await at.importRows(edited)
    expect([run.code, run.json()]).toMatchObject(expected)
    expect(await at.there()).toEqual(refs(3))
    expect(at.posted().at(-1)?.body.includes('Changed')).toBe(!isStored)
  })

  test('a row in doubt that was taken out is looked for anyway', async () => {
    const at = await interceptedFixture(onRow('A-002', lose))
    await at.importRows(people(3))
    const run = await at.importRows([person('A-001'), person('A-003')])
    expect(run.code).toBe(8)
    expect(run.error().issues).toMatchObject([
      { path: 'A-002', message: expect.stringContaining('no longer in the file') },
    ])
  })

  test('a refused row is sent as it is now', async () => {
    const at = await interceptedFixture(onRow('A-002', answer(400)))
    await at.importRows(people(3))
    at.intercept(() => false)
    expect(await at.importRows(edited)).toMatchObject({ code: 0 })
    expect(at.posted().at(-1)?.body).toContain('Changed')
  })

  test.each([
    ['says something else', [person('A-001', { surname: 'Changed' }), ...people(4, 2)]],
    ['is in another order', people(5).reverse()],
    ['has a row more', people(6)],
    ['has a row less', people(4)],
  ])(
    'and that %s when it is read to be sent stops the run: exit 3, and run again it goes on',
    async (_, rows) => {
      const at = await importFixture()
      // Between the two readings the service is looked at.
      at.intercept(({ method }) => {
        if (method === 'GET' && at.posted().length === 0) at.write(rows)
        return false
      })
      const run = await at.importRows(people(5))
      expect(run.code).toBe(3)
      expect(run.error().message).toMatch(/was changed while payroll was (reading|importing) it/)
      at.intercept(() => false)
      expect(await at.import()).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(rows.length))
    },
  )

  test('a file that is edited after rows were sent stops the import, which does not say that nothing was sent', async () => {
    const at = await importFixture()
    // More than one chunk of the file.
    const long = (count: number) => refs(count).map((ref) => person(ref, { address: ['x'.repeat(6000)] }))
    at.intercept(({ method, post }) => {
      if (method === 'POST' && post === 20) at.write(long(299))
      return false
    })
    const run = await at.importRows(long(300))
    expect(run.code).toBe(3)
    expect(run.json().created).toBeGreaterThan(0)
    expect(run.error()).not.toMatchObject({ outcome: 'not-sent' })
    expect(run.error().message).not.toContain('Nothing was sent')
  })
})
