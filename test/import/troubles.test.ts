// @module-tag tables

import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clockNow, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import type { Intercept } from '../start-sandbox.ts'
import { importFixture, interceptedFixture, people, person, refs } from './import-fixture.ts'
import { isRef, loseAnswer } from './list-shapes.ts'

/** What becomes of a POST. */
type Act = (
  at: Awaited<ReturnType<typeof importFixture>>,
  response: ServerResponse,
  carryOut: () => Promise<Response>,
) => unknown

const refOf = (body: string) => JSON.parse(body).generalSetting.agencyRef as string

/** Does to the POSTs what a test says, and lets everything else pass. */
const onPost =
  (
    act: (ref: string, response: ServerResponse, carryOut: () => Promise<Response>, post: number) => unknown,
  ): Intercept =>
  async ({ method, body, post }, response, carryOut) =>
    method === 'POST' && (await act(refOf(body), response, carryOut, post)) === true

/** Breaks the connection, and says that the request was dealt with. */
const cut = (response: ServerResponse) => {
  response.destroy()
  return true
}

/** Does this to the POSTs of one row, and lets everything else pass. */
const onRow = (
  row: string,
  act: (response: ServerResponse, carryOut: () => Promise<Response>) => unknown,
): Intercept =>
  onPost(async (ref, response, carryOut) => ref === row && (await act(response, carryOut)) !== false)

describe('a row whose answer is lost', () => {
  test('a row whose answer is lost and that is on the service is not sent again', async () => {
    const at = await interceptedFixture(loseAnswer(isRef('A-003')))
    const run = await at.importRows(people(6))
    expect(run).toMatchObject({ code: 0 })
    expect(run.json()).toMatchObject({ created: 6, unresolved: 0 })
    expect(at.posted()).toHaveLength(6)
    expect(await at.there()).toEqual(refs(6))
    expect(at.journal().filter(({ key }) => key === 'A-003')).toMatchObject([
      { state: 'intent', attempt: 1 },
      { state: 'ambiguous', attempt: 1 },
      { state: 'created', attempt: 1, via: 'list', id: expect.any(String) },
    ])
  })

  test('a row whose answer is lost and that is not there is sent once more, after two equal lists and the time to arrive', async () => {
    const at = await importFixture()
    let cutAt = 0
    at.intercept(
      onPost((ref, response, _carryOut, post) => {
        if (ref !== 'A-002' || post > 3) return false
        cutAt = clockNow()
        return cut(response)
      }),
    )
    const run = await at.importRows(people(3), '--settle', '1')
    expect(run).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(3))
    const second = at.received.findLastIndex(({ method }) => method === 'POST')
    expect(at.posted()).toHaveLength(4)
    expect(clockNow() - cutAt).toBeGreaterThan(1000)
    const first = at.received.findIndex(({ body }) => body.includes('A-002'))
    const looks = at.received.slice(first, second).filter(({ method }) => method === 'GET')
    expect(looks.length).toBeGreaterThanOrEqual(3)
  })

  test('a row whose answer is lost twice is left to a person: exit 8, and never sent a third time', async () => {
    const at = await interceptedFixture(onPost((ref, response) => ref === 'A-002' && cut(response)))
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
    expect(at.posted().filter(({ body }) => refOf(body) === 'A-002')).toHaveLength(2)
    // The person looks, and creates it by hand: the next run finds it.
    await at.call('POST', '/svc/candidates', person('A-002'))
    expect(await at.import()).toMatchObject({ code: 0 })
  })

  test('a row whose answer is lost twice, and that is there once, is given the time to be there twice', async () => {
    const at = await importFixture()
    let last = 0
    let arriveLate: (() => Promise<Response>) | undefined
    const onPosts = onPost(async (ref, response, carryOut) => {
      if (ref !== 'A-002') return false
      last = clockNow()
      if (at.posted().filter(({ body }) => refOf(body) === ref).length === 2) {
        await carryOut()
        // The first one had only been slow.
        arriveLate = carryOut
      }
      return cut(response)
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

  test('a row whose answer is lost and that arrives between two runs, after it was given up for lost, is ours and is not sent again', async () => {
    const at = await importFixture()
    at.intercept(
      onRow('A-002', (response) =>
        at.posted().filter(({ body }) => refOf(body) === 'A-002').length === 1
          ? cut(response)
          : answerJson(response, 401, {}),
      ),
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

  test('a row whose answer is lost with the end of the journal is given the time to arrive before the service is looked at', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    truncateSync(at.journalPath(), statSync(at.journalPath()).size - 10)
    const since = clockNow()
    expect(await at.import('--settle', '1')).toMatchObject({ code: 0 })
    expect(clockNow() - since).toBeGreaterThan(1000)
  })

  test.each([
    ['409', (response: ServerResponse) => answerJson(response, 409, { message: 'exists' })],
    ['success: false', (response: ServerResponse) => answerJson(response, 200, { success: false })],
    ['500', (response: ServerResponse) => answerJson(response, 500, {})],
    ['a web page', (response: ServerResponse) => response.writeHead(200).end('<html></html>')],
    ['a redirect', (response: ServerResponse) => response.writeHead(303, { location: '/elsewhere' }).end()],
  ])('a row whose answer is lost or is %s, is looked up', async (_, answer) => {
    const at = await interceptedFixture(
      onRow('A-002', async (response, carryOut) => carryOut().then(() => void answer(response))),
    )
    expect(await at.importRows(people(3))).toMatchObject({ code: 0 })
    expect(at.posted()).toHaveLength(3)
  })

  test('a row whose answer is lost while the list changes under every look is not sent again: exit 8', async () => {
    const at = await importFixture()
    let number = 0
    let lost = false
    at.intercept(async ({ method, body }, response) => {
      if (method === 'POST' && refOf(body) === 'A-003') {
        lost = true
        return cut(response)
      }
      // Somebody is busy in another window.
      if (method === 'GET' && lost) await at.call('POST', '/svc/candidates', person(`B-${number++}`))
      return false
    })
    const run = await at.importRows(people(3))
    expect(run.code).toBe(8)
    expect(run.error().issues[0].message).toContain('is not reliable')
    expect(at.posted()).toHaveLength(3)
  })
})

describe('a row that the service refuses', () => {
  const refusing = onPost((ref, response) => {
    if (ref !== 'A-002' && ref !== 'A-004') return false
    answerJson(response, 422, { error: { code: 'X', message: 'surname is needed', details: [] } })
    return true
  })

  test('goes to a file of its own, the others go on, and the corrected file is imported: exit 9, then 0', async () => {
    const at = await interceptedFixture(refusing)
    const run = await at.importRows(people(6))
    const rejects = at.file.replace('.ndjson', '.rejects.ndjson')
    expect(run.code).toBe(9)
    expect(run.json()).toMatchObject({ rows: 6, created: 4, refused: 2, pending: 0, rejects })
    expect(run.error().hint).toContain(rejects)
    expect(
      run
        .error()
        .issues.map(({ path }: any) => path)
        .sort(),
    ).toEqual(['row 2, A-002', 'row 4, A-004'])
    expect(run.error().issues[0].message).toContain('surname is needed')
    const lines = readFileSync(rejects, 'utf8').trim().split('\n')
    expect(lines.map((line) => refOf(line)).sort()).toEqual(['A-002', 'A-004'])
    at.intercept(() => false)
    const fixed = await payroll(['candidates', 'import', rejects, '--json'], at)
    expect(fixed.json()).toMatchObject({ rows: 2, created: 2 })
    const all = await at.import()
    expect(all.code).toBe(0)
    expect(all.json()).toMatchObject({ rows: 6, created: 0, createdEarlier: 4, existing: 2, refused: 0 })
    expect(await at.there()).toEqual(refs(6))
  })

  test('never writes over the rejects that somebody is correcting', async () => {
    const at = await interceptedFixture(refusing)
    at.write(people(4))
    const mine = `${at.home}/mine.ndjson`
    writeFileSync(mine, 'being corrected')
    const run = await at.import('--rejects', mine)
    expect(run.json().rejects).toBe(`${at.home}/mine-2.ndjson`)
    expect(readFileSync(mine, 'utf8')).toBe('being corrected')
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
    [403, 4],
    [404, 6],
    [405, 6],
  ])(
    'an import stops, and its rows wait, at a %i: exit %i, and run again it goes on',
    async (status, code) => {
      const at = await interceptedFixture(
        onPost((_ref, response, _carryOut, post) => {
          if (post <= 10) return false
          answerJson(response, status, { message: 'no' })
          return true
        }),
      )
      const run = await at.importRows(people(40))
      expect(run.code).toBe(code)
      expect(run.json()).toMatchObject({ created: 10, refused: 0, unresolved: 0, pending: 30, rejects: null })
      // No more than were under way together.
      expect(at.posted().length).toBeLessThanOrEqual(14)
      at.intercept(() => false)
      expect(await at.import()).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(40))
    },
  )

  test('an import stops, and its rows wait, when too many answers are lost: what was sent is looked up, and exit 8', async () => {
    const at = await interceptedFixture(
      onPost(async (_ref, response, carryOut, post) => {
        if (post <= 20) return false
        await carryOut()
        return cut(response)
      }),
    )
    const run = await at.importRows(people(60))
    expect([run.code, run.json()]).toMatchObject([8, { unresolved: 0 }])
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
    const nowhere = { ...at.env, PAYROLL_BASE_URL: 'http://127.0.0.1:1' }
    const run = await payroll(['candidates', 'import', at.file, '--json'], { home: at.home, env: nowhere })
    expect(run).toMatchObject({ code: 7, out: '' })
  })
})

test('a service that is too busy is asked less, and the rest is done later with one POST a row', async () => {
  const at = await importFixture()
  const times: number[] = []
  at.intercept(
    onPost((_ref, response, _carryOut, post) => {
      times.push(clockNow())
      if (post <= 10 || post > 16) return false
      response.setHeader('retry-after', '1')
      answerJson(response, 429, {})
      return true
    }),
  )
  const run = await at.importRows(people(40), '--concurrency', '8')
  expect(run.code).toBe(0)
  expect(await at.there()).toEqual(refs(40))
  expect(at.posted().length).toBe(46)
})

describe('the last look', () => {
  test('sees a row that was acknowledged and taken back: exit 8, and it is not created again', async () => {
    const at = await interceptedFixture(onRow('A-002', (response) => response.writeHead(201).end()))
    at.write(people(3))
    for (const counts of [{ created: 2 }, { created: 0, createdEarlier: 2 }]) {
      const run = await at.import()
      expect([run.code, run.json()]).toMatchObject([8, { rows: 3, ...counts, unresolved: 1 }])
      expect(run.error().issues).toEqual([
        {
          path: 'row 2, A-002',
          message:
            'it was sent once: the service acknowledged it. The list does not show it, and it was not sent again.',
        },
      ])
    }
    expect(at.posted()).toHaveLength(3)
  })

  test.each<[string, Act, RegExp, number]>([
    [
      'a row whose answer is lost, and whose key another person has',
      async (at, response) => {
        await at.call('POST', '/svc/candidates', person('A-002', { surname: 'Somebody Else' }))
        cut(response)
      },
      /another person/,
      3,
    ],
    [
      'a row whose answer is lost, and that arrived twice',
      async (_at, response, carryOut) => {
        await carryOut()
        await carryOut()
        cut(response)
      },
      /The service has it more than once; nothing was deleted\./,
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
      (_at, response, carryOut) => carryOut().then(() => answerJson(response, 422, {})),
      /did not create it, but the service has it/,
      3,
    ],
  ])(
    'the last look sees %s: exit 8, and nothing is sent again or deleted',
    async (_, act, message, records) => {
      const at = await importFixture()
      at.intercept(onRow('A-002', (response, carryOut) => act(at, response, carryOut)))
      const run = await at.importRows(people(3))
      expect(run.code).toBe(8)
      expect(run.error().issues).toEqual([{ path: 'row 2, A-002', message: expect.stringMatching(message) }])
      expect(at.posted()).toHaveLength(3)
      expect(await at.there()).toHaveLength(records)
    },
  )

  test('the last look that cannot be had is told: exit 10, and everything is accounted for', async () => {
    const at = await importFixture()
    at.intercept(({ method }, response) => {
      if (method !== 'GET' || at.posted().length < 3) return false
      answerJson(response, 200, 'no list')
      return true
    })
    const run = await at.importRows(people(3))
    expect([run.code, run.json()]).toMatchObject([10, { created: 3 }])
  })
})

describe('a file that was edited between two runs', () => {
  const changed = { surname: 'Changed' }

  test('a row that was created is told, and not sent: exit 9', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    const run = await at.importRows([people(1)[0], person('A-002', changed), person('A-003')])
    expect([run.code, run.json()]).toMatchObject([9, { created: 0, createdEarlier: 3, refused: 0 }])
    expect(run.error().issues).toMatchObject([{ path: 'row 2, A-002' }])
    expect(at.posted()).toHaveLength(3)
  })

  test('a new row is created, an order or a field order is no change, a row that went is forgotten', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    const { agencyRef, forename, surname } = person('A-003').generalSetting
    const run = await at.importRows([
      person('A-004'),
      { generalSetting: { surname, forename, agencyRef } },
      person('A-001'),
    ])
    expect([run.code, run.json()]).toMatchObject([0, { rows: 3, created: 1, createdEarlier: 2 }])
    expect(await at.there()).toEqual(refs(4))
  })

  /** Leaves A-002 in doubt, because the list cannot be read after its answer is lost, and changes it in the file. */
  async function changedInDoubt({ isStored }: { isStored: boolean }) {
    const at = await importFixture()
    at.intercept(
      onRow('A-002', async (response, carryOut) => {
        if (isStored) await carryOut()
        at.intercept(({ method }, other) => {
          if (method === 'GET') answerJson(other, 401, {})
          return method === 'GET'
        })
        cut(response)
      }),
    )
    expect((await at.importRows(people(3))).code).toBe(8)
    at.intercept(() => false)
    const run = await at.importRows([person('A-001'), person('A-002', changed), person('A-003')])
    expect(await at.there()).toEqual(refs(3))
    return { at, run }
  }

  test('a row in doubt is cleared up as it was sent: there already, it is told as changed', async () => {
    const { run } = await changedInDoubt({ isStored: true })
    expect([run.code, run.json()]).toMatchObject([9, { created: 1, createdEarlier: 2 }])
  })

  test('a row in doubt that is not there is created as it is now', async () => {
    const { at, run } = await changedInDoubt({ isStored: false })
    expect(run).toMatchObject({ code: 0 })
    expect(at.posted().at(-1)?.body).toContain('Changed')
  })

  test('a row in doubt that was taken out is looked for anyway', async () => {
    const at = await interceptedFixture(onPost((ref, response) => ref === 'A-002' && cut(response)))
    await at.importRows(people(3))
    const run = await at.importRows([person('A-001'), person('A-003')])
    expect(run.code).toBe(8)
    expect(run.error().issues).toMatchObject([
      { path: 'A-002', message: expect.stringContaining('no longer in the file') },
    ])
  })

  test('a refused row is sent as it is now', async () => {
    const at = await interceptedFixture(onRow('A-002', (response) => answerJson(response, 400, {})))
    await at.importRows(people(3))
    at.intercept(() => false)
    expect(await at.importRows([person('A-001'), person('A-002', changed), person('A-003')])).toMatchObject({
      code: 0,
    })
    expect(at.posted().at(-1)?.body).toContain('Changed')
  })

  test.each([
    ['says something else', () => [person('A-001', changed), ...people(4, 2)]],
    ['is in another order', () => people(5).reverse()],
    ['has a row more', () => people(6)],
    ['has a row less', () => people(4)],
  ])(
    'a file that was edited between two runs and that %s when it is read to be sent stops the run: exit 3, and run again it goes on',
    async (_, rows) => {
      const at = await importFixture()
      // Between the two readings the service is looked at.
      at.intercept(({ method }) => {
        if (method === 'GET' && at.posted().length === 0) at.write(rows())
        return false
      })
      const run = await at.importRows(people(5))
      expect(run.code).toBe(3)
      expect(run.error().message).toMatch(/was changed while payroll was (reading|importing) it/)
      at.intercept(() => false)
      expect(await at.import()).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(rows().length))
    },
  )

  test('a file that is edited after rows were sent stops the import, which does not say that nothing was sent', async () => {
    const at = await importFixture()
    // More than one chunk of the file.
    const long = (count: number) =>
      people(count).map((each) => ({
        generalSetting: { ...each.generalSetting, address: ['x'.repeat(1500)] },
      }))
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
