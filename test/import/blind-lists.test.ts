// @module-tag tables

import { describe, expect, test } from 'vitest'
import type { Run } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { answer, type ImportFixture, importFixture, onRow, people, person, refs } from './import-fixture.ts'
import { isRef, loseAnswer, records, showList } from './list-shapes.ts'

type Show = Parameters<typeof showList>[1]

/** A service that has people already: its list shows keys, whatever it does with new ones. */
async function fixtureWithPeople() {
  const at = await importFixture()
  for (const each of ['OLD-1', 'OLD-2']) await at.call('POST', '/svc/candidates', person(each))
  return at
}

/** The same, whose list shows its people so. */
async function fixtureShowing(shown: Show, intercept?: Parameters<typeof showList>[2]) {
  const at = await fixtureWithPeople()
  showList(at, shown, intercept)
  return at
}

const stored = async (at: ImportFixture, ref: string) =>
  (await at.there()).filter((each) => each === ref).length

/** That a row was sent once and is in doubt, because the list proves nothing, and that it is said why. */
async function expectInDoubt(at: ImportFixture, run: Run, ref: string, posts: number, says: string) {
  expect([run.code, run.error().issues[0].message]).toEqual([8, expect.stringMatching(says)])
  expect(await stored(at, ref)).toBe(1)
  expect(at.posted()).toHaveLength(posts)
}

const isOld = ({ agencyRef }: any) => agencyRef.startsWith('OLD')

describe('on a service that has people already, the first row goes alone and must be found', () => {
  test('a list that hides new people until they are approved: one row is sent, exit 10, and it says so', async () => {
    const at = await fixtureShowing((items) => items.filter(isOld))
    const run = await at.importRows(people(6))
    expect([run.code, run.json()]).toMatchObject([10, { created: 1, pending: 5 }])
    expect(run.error()).toMatchObject({
      outcome: 'applied',
      message:
        'Row 1, A-001 was created, but the list does not show it. A row whose answer is lost could not be found again, so nothing more was sent. 5 rows wait to be sent.',
      hint: expect.stringContaining('payroll candidates list'),
    })
    expect(at.posted()).toHaveLength(1)
    // Run again, it sees that the list shows none of those it created.
    const again = await at.import()
    expect(again.code).toBe(10)
    expect(at.posted()).toHaveLength(1)
    // And goes on when they are approved.
    at.intercept(() => false)
    expect(await at.import()).toMatchObject({ code: 0 })
    expect((await at.there()).slice(0, 6)).toEqual(refs(6))
  })

  test.each<[string, Show, string]>([
    [
      'lags longer than --settle',
      (items, ageOf) => items.filter((each) => isOld(each) || ageOf(each) > 6000),
      '1',
    ],
    [
      'cuts references off',
      (items) => items.map((each) => ({ ...each, agencyRef: each.agencyRef.slice(0, 4) })),
      '0',
    ],
  ])('a list that %s: one row is sent', async (_, show, settle) => {
    const at = await fixtureShowing(show)
    expect(await at.importRows(people(6), '--settle', settle)).toMatchObject({ code: 10 })
    expect(at.posted()).toHaveLength(1)
  })

  test.each([
    ['and a row whose answer is lost is found in it', 6, ['A-004']],
    ['and is read once more before its last rows are called missing', 3, []],
  ])('a list that lags less than --settle is waited for, %s', async (_, count, lost) => {
    const late: Show = (items, ageOf) => items.filter((each) => ageOf(each) > 700)
    const at = await fixtureShowing(late, loseAnswer(isRef(...lost)))
    const run = await at.importRows(people(count), '--settle', '2')
    expect([run.code, run.json()]).toMatchObject([0, { created: count, unresolved: 0 }])
    expect(at.posted()).toHaveLength(count)
    // It looks from time to time, and not as often as it can.
    expect(at.received.filter(({ method }) => method === 'GET').length).toBeLessThan(20)
  })

  test('a first row whose answer is lost is not sent again while nothing shows that the list is up to date', async () => {
    const at = await fixtureShowing((items) => items.filter(isOld), loseAnswer(isRef('A-001')))
    at.write(people(1))
    for (const why of ['the connection was lost before the whole answer arrived', 'no answer came']) {
      const run = await at.import()
      const message = `it was sent once: ${why}; the list does not show it; the list has not shown any new row yet, so a row that it lacks may be there all the same.`
      expect([run.code, run.error().issues]).toEqual([8, [{ path: 'row 1, A-001', message }]])
    }
    expect(at.posted()).toHaveLength(1)
  })
})

describe('that a list does not show a row proves nothing', () => {
  test('a list without a row proves nothing when it does not show rows either that the service acknowledged', async () => {
    // Only the first is shown: from then on new people are hidden.
    const at = await fixtureShowing(
      (items) => items.filter(({ agencyRef }) => /OLD|A-001/.test(agencyRef)),
      loseAnswer(isRef('A-003')),
    )
    const run = await at.importRows(people(6), '--settle', '2')
    expect(run.code).toBe(8)
    expect(await stored(at, 'A-003')).toBe(1)
    expect(at.posted()).toHaveLength(6)
    const about = run.error().issues.find(({ path }: any) => path === 'row 3, A-003')
    expect(about.message).toBe(
      'it was sent once: the connection was lost before the whole answer arrived; the list does not show it; the list also lacks 4 rows that the service acknowledged (A-002, A-004, A-005 and 1 more).',
    )
    for (const { message } of run.error().issues) expect(message).not.toContain('twice')
  })

  test.each([
    ['by an earlier import of another file', 'others.ndjson'],
    ['from the same file, and have been taken out of it', 'starters.ndjson'],
  ])('a list without a row proves nothing when the rows that it hides were created %s', async (_, name) => {
    const at = await fixtureWithPeople()
    await at.importRows(people(3))
    showList(
      at,
      (items) => items.filter(({ agencyRef }) => agencyRef !== 'A-002' && agencyRef !== 'B-2'),
      loseAnswer(isRef('B-2')),
    )
    const file = `${at.home}/${name}`
    at.write([person('B-1'), person('B-2'), person('B-3')], file)
    await expectInDoubt(at, await at.importFile(file), 'B-2', 6, 'that the service acknowledged \\(a-002\\)')
  })

  test('a list without a row proves nothing when somebody of the same name is there under a cut reference', async () => {
    const at = await fixtureShowing(
      (items) => items.map((each) => ({ ...each, agencyRef: each.agencyRef.slice(0, 8) })),
      loseAnswer(isRef('LONG-REFERENCE')),
    )
    const run = await at.importRows([person('A-001'), person('LONG-REFERENCE'), person('A-003')])
    const says = 'the service has a record of the same name under another reference \\(LONG-REF\\)'
    await expectInDoubt(at, run, 'LONG-REFERENCE', 3, says)
  })

  /** Without A-003, and with somebody else each time. */
  const changing = (shown: (item: any, isNew: boolean) => object): Show => {
    let number = 0
    return (items) => [
      shown({ id: `x${number}`, agencyRef: `X-${number++}` }, true),
      ...items.filter(({ agencyRef }) => agencyRef !== 'A-003').map((item) => shown(item, false)),
    ]
  }
  /** Once it is there, A-001 is missing from the first list, and A-003 from all. */
  const late = (): Show => {
    let lists = 0
    return (items) => {
      if (items.some(({ agencyRef }) => agencyRef === 'A-001')) lists += 1
      return items.filter(({ agencyRef }) => agencyRef !== (lists === 1 ? 'A-001' : 'A-003'))
    }
  }
  const changed = 'kept changing while it was read'

  test.each<[string, Show, string]>([
    ['two of it have as many people, and not the same', changing((item) => item), changed],
    [
      'two of it have not the same keys, and no record has an id',
      changing(({ id, ...item }) => item),
      changed,
    ],
    [
      'two of it have not the same ids, and those who change have no key',
      changing(({ agencyRef, ...item }, isNew) => (isNew ? item : { ...item, agencyRef })),
      changed,
    ],
    [
      'a person is in it twice, and so another is missing',
      (items) => items.map((each) => (each.agencyRef === 'A-003' ? items[0] : each)),
      changed,
    ],
    [
      'it shows a new row later than --settle waits',
      late(),
      'the list takes longer to show a new row \\(\\d+ s\\) than --settle waits for it',
    ],
  ])('a list without a row proves nothing when %s', async (_, show, says) => {
    const at = await fixtureShowing(show, loseAnswer(isRef('A-003')))
    await expectInDoubt(at, await at.importRows(people(5)), 'A-003', 5, says)
  })

  test('a list without a row proves nothing when an earlier run saw that it shows a new row a little later than --settle waits', async () => {
    const at = await fixtureShowing(
      (items, ageOf) =>
        items.filter((each) => isOld(each) || (each.agencyRef === 'A-001' && ageOf(each) > 1100)),
      loseAnswer(isRef('B-001')),
    )
    expect(await at.importRows(people(1), '--settle', '10')).toMatchObject({ code: 0 })
    const run = await at.importRows([person('B-001')], '--settle', '1')
    const says = 'the list takes longer to show a new row \\(\\d+ s\\) than --settle waits for it'
    await expectInDoubt(at, run, 'B-001', 2, says)
  })

  test('a list without a row proves nothing when its total is another from page to page', async () => {
    const at = await fixtureWithPeople()
    let requests = 0
    const lose = loseAnswer(isRef('A-003'))
    at.intercept(async (request, response, carryOut) => {
      if (request.method === 'POST') return lose(request, response, carryOut)
      if (at.postsOf('A-003') === 0) return false
      const items = (await records(at)).filter(({ agencyRef }) => agencyRef !== 'A-003')
      const page = Number(new URL(request.url, at.baseUrl).searchParams.get('page'))
      const totalDocs = items.length - (requests++ % 2)
      answerJson(response, 200, { data: items.slice(page * 2 - 2, page * 2), totalDocs })
      return true
    })
    await expectInDoubt(at, await at.importRows(people(5)), 'A-003', 5, changed)
  })
})

test('a list that is short only in the second reading before an import is read again', async () => {
  const at = await fixtureWithPeople()
  let readings = 0
  at.intercept(async ({ method, url }, response) => {
    if (method !== 'GET') return false
    const items = await records(at)
    const page = Number(new URL(url, at.baseUrl).searchParams.get('page'))
    if (page === 1) readings += 1
    const data = items.slice(page - 1, page)
    answerJson(response, 200, { data: readings === 2 && page === 2 ? [] : data, totalDocs: items.length })
    return true
  })
  expect(await at.importRows(people(1))).toMatchObject({ code: 0 })
  expect(await at.there()).toEqual(['A-001', 'OLD-1', 'OLD-2'])
})

test('a key that the list writes otherwise is found as a number without its leading zeros', async () => {
  const at = await fixtureWithPeople()
  const numeric = (items: readonly any[]) =>
    items.map((each) => ({ ...each, agencyRef: Number(each.agencyRef) || each.agencyRef }))
  showList(at, numeric, loseAnswer(isRef('0003')))
  const four = ['0001', '0002', '0003', '0004'].map((each) => person(each))
  expect(await at.importRows(four)).toMatchObject({ code: 0 })
  expect(at.posted()).toHaveLength(4)
  // And it is left alone when it is imported from another file.
  const other = `${at.home}/others.ndjson`
  at.write([person('0003'), person('0005')], other)
  expect((await at.importFile(other)).json()).toMatchObject({ created: 1, existing: 1 })
  // Two that are one number cannot be told apart.
  at.write([person('3'), person('0003')], other)
  const both = await at.importFile(other)
  expect([both.code, both.error().message]).toEqual([2, expect.stringContaining('cannot be told apart')])
})

test('a key that the list writes as a number may be that of another person: exit 8, and nothing is sent again', async () => {
  const at = await fixtureWithPeople()
  const other = (each: any) =>
    each.agencyRef === '0003' ? { ...each, agencyRef: 3, surname: 'Somebody Else' } : each
  showList(at, (items) => items.map(other), loseAnswer(isRef('0003')))
  const run = await at.importRows(['0001', '0002', '0003'].map((each) => person(each)))
  expect([run.code, run.json().unresolved]).toEqual([8, 1])
  expect(run.error().issues).toMatchObject([{ message: expect.stringContaining('another person') }])
  expect(at.posted()).toHaveLength(3)
})

describe('timesheets', () => {
  const week = (subcontractorRef: string, startDate = '2026-04-06') => ({
    subcontractorRef,
    assignmentRef: 'S-1',
    startDate,
    endDate: '2026-04-12',
    rates: [{ rate: '15.00', units: '8' }],
    ...{ taxYear: '2026/27', taxPeriodConfig: 'Week 1' },
  })
  const timed = (suffix: (day: string) => string) => (items: readonly any[]) =>
    items.map((each) =>
      // The list of people is read too.
      each.startDate === undefined
        ? each
        : { ...each, startDate: suffix(each.startDate), endDate: suffix(each.endDate) },
    )

  test.each([
    ['as midnight in UTC', (day: string) => `${day}T00:00:00.000Z`],
    [
      'as midnight in London, in summer',
      (day: string) => `${new Date(Date.parse(day) - 36e5).toISOString()}`,
    ],
    ['as midnight with an offset', (day: string) => `${day}T00:00:00+01:00`],
  ])('of the same week that a colleague imported are there already: days %s', async (_, suffix) => {
    const at = await importFixture('timesheets')
    showList(at, timed(suffix))
    const rows = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map((each) => week(each))
    for (const each of rows) await at.call('POST', '/svc/time-sheets', each)
    const run = await at.importRows(rows)
    expect([run.code, run.json()]).toMatchObject([0, { created: 0, existing: 5 }])
    expect(at.posted()).toEqual([])
  })

  test('whose answer is lost are found', async () => {
    const at = await importFixture('timesheets')
    showList(
      at,
      timed((day) => `${day}T00:00:00.000Z`),
      loseAnswer(({ subcontractorRef }) => subcontractorRef === 'A-2'),
    )
    expect(await at.importRows(['A-1', 'A-2', 'A-3'].map((each) => week(each)))).toMatchObject({ code: 0 })
    expect(at.posted()).toHaveLength(3)
  })

  test('are not sent into a list whose days cannot be read: exit 2', async () => {
    const at = await importFixture('timesheets')
    showList(
      at,
      timed((day) => day.split('-').reverse().join('/')),
    )
    await at.call('POST', '/svc/time-sheets', week('A-1'))
    const run = await at.importRows([week('A-1'), week('A-2')])
    const says = expect.stringContaining('shows startDate in a form that is not a date')
    expect([run.code, run.error().message]).toEqual([2, says])
    expect(at.posted()).toEqual([])
  })
})

test('the answers of a row are told as they were: 409 keeps its reason', async () => {
  const at = await fixtureWithPeople()
  at.intercept(onRow('A-002', answer(409, { message: 'agencyRef in use' })))
  const run = await at.importRows(people(3))
  const conflict = 'the service says that this conflicts with an existing record (409): agencyRef in use'
  // The list does not show it, so the answer was a no.
  expect([run.code, run.error().issues]).toEqual([9, [{ path: 'row 2, A-002', message: conflict }]])
  expect(at.postsOf('A-002')).toBe(1)
  expect((await at.import()).json()).toMatchObject({ createdEarlier: 2, refused: 1 })
  expect((await records(at)).length).toBe(4)
})

describe('on a service whose list has its people under the names of the request', () => {
  const nested = ({ id, ...generalSetting }: any) => ({ id, generalSetting })

  test('a row that was stored and whose answer was lost is found, and not sent again', async () => {
    const at = await fixtureShowing((items) => items.map(nested), loseAnswer(isRef('A-004')))
    const run = await at.importRows(people(6))
    expect([run.code, run.json()]).toEqual([0, expect.objectContaining({ created: 6, unresolved: 0 })])
    expect(at.posted()).toHaveLength(6)
  })

  test('somebody with the key and another name is not taken for the one who was sent', async () => {
    const other = { agencyRef: 'A-004', forename: 'Bea', surname: 'Other' }
    const at = await fixtureShowing(
      (items) => items.map((item) => nested(item.agencyRef === 'A-004' ? { ...item, ...other } : item)),
      loseAnswer(isRef('A-004')),
    )
    const run = await at.importRows(people(6))
    expect([run.code, run.json().unresolved]).toEqual([8, 1])
    expect(run.error().issues).toMatchObject([{ message: expect.stringContaining('another person') }])
    expect(at.posted()).toHaveLength(6)
  })
})
