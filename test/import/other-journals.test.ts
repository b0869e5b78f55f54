import { copyFileSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { clockNow, endedWith, payroll } from '../payroll.ts'
import type { Received } from '../service.ts'
import type { Intercept } from '../start-sandbox.ts'
import {
  type ImportFixture,
  importFixture,
  interceptedFixture,
  office,
  people,
  person,
  refs,
} from './import-fixture.ts'
import { isRef, loseAnswer, showList } from './list-shapes.ts'

/** Imports a file of a fixture with other variables. */
const importWith = (at: ImportFixture, env: Record<string, string>, ...argv: string[]) =>
  payroll(['candidates', 'import', at.file, '--settle', '0', '--json', ...argv], {
    home: at.home,
    env: { ...at.env, ...env },
  })

/** Shows everybody, this one only some time from now. */
function showLate(at: ImportFixture, late: string, onPost?: Intercept): void {
  const since = clockNow()
  showList(
    at,
    (items) => items.filter(({ agencyRef }) => agencyRef !== late || clockNow() - since > 600),
    onPost,
  )
}

/** Cuts the journal off as a run leaves it that is killed before the answer for this row is written down. */
function killedBeforeAnswer(at: ImportFixture, ref: string): void {
  const path = at.journalPath()
  const text = readFileSync(path, 'utf8')
  const intent = text.indexOf(`"key":"${ref}"`)
  truncateSync(path, text.indexOf('\n', intent) + 1)
}

function copyOf(at: ImportFixture): string {
  const copy = join(at.home, 'copy.ndjson')
  copyFileSync(at.file, copy)
  return copy
}

describe('a file that was imported by another name', () => {
  test('and whose run was killed: what it was about to send is looked for, and not sent again', async () => {
    const at = await importFixture()
    await at.importRows(people(4), '--concurrency', '1')
    killedBeforeAnswer(at, 'A-002')
    // The first look does not show it.
    showLate(at, 'A-002')
    const run = await at.importFile(copyOf(at), '--settle', '1')
    expect([run.code, run.json()]).toMatchObject([0, { created: 1, existing: 3 }])
    expect(at.postsOf('A-002')).toBe(1)
    expect(await at.there()).toEqual(refs(4))
  })

  test('and of which a row was lost twice: it is not sent a third time', async () => {
    const at = await interceptedFixture(loseAnswer(isRef('A-002'), { stored: false, times: 9 }))
    expect(await at.importRows(people(4))).toMatchObject({ code: 8 })
    expect(at.postsOf('A-002')).toBe(2)
    const run = await at.importFile(copyOf(at))
    expect([run.code, run.error().issues[0].message]).toEqual([
      8,
      expect.stringContaining('it was sent twice'),
    ])
    expect(at.postsOf('A-002')).toBe(2)
  })

  test('and whose run was killed between two requests for a row: only one more is sent for it', async () => {
    const at = await interceptedFixture(loseAnswer(isRef('A-002'), { stored: false, times: 9 }))
    expect(await at.importRows(people(4))).toMatchObject({ code: 8 })
    const before = at.postsOf('A-002')
    const text = readFileSync(at.journalPath(), 'utf8')
    const next = text.indexOf('"state":"pending","attempt":2')
    truncateSync(at.journalPath(), text.indexOf('\n', next) + 1)
    expect(await at.importFile(copyOf(at))).toMatchObject({ code: 8 })
    expect(at.postsOf('A-002') - before).toBe(1)
  })

  test('and that the list does not show now: nothing is sent again, and it is said what to do', async () => {
    const at = await importFixture()
    await at.importRows(people(4))
    showList(at, (items) => items.filter(({ agencyRef }) => agencyRef !== 'A-002'))
    const run = await at.importFile(copyOf(at))
    expect([run.code, run.json()]).toMatchObject([8, { existing: 3, unresolved: 1 }])
    expect(run.error().issues[0].message).toMatch(
      /^it was sent once: the service acknowledged it; the list does not show it; /,
    )
    expect(run.error().hint).toContain('If they were deleted at the service on purpose, delete ')
    expect(at.posted()).toHaveLength(4)
  })

  test('is not kept from being imported by a journal that cannot be read', async () => {
    const at = await importFixture()
    await at.importRows(people(2))
    const path = at.journalPath()
    symlinkSync(path, join(path, '..', 'z.journal'))
    at.write([person('B-1')], copyOf(at))
    expect(await at.importFile(join(at.home, 'copy.ndjson'))).toMatchObject(
      endedWith(0, 'z.journal: this journal of an earlier import cannot be read'),
    )
  })
})

const keyOfB = 'CANARYkeyOfTenantB'

/** Two companies at one address: by their key, and by the path of their base URL. */
async function twoCompanies() {
  const [at, other] = [await importFixture(), await importFixture()]
  const toOther = async (
    { method, url, body }: Pick<Received, 'method' | 'url' | 'body'>,
    response: ServerResponse,
  ) => {
    const answer = await other.call(method, url, body ? JSON.parse(body) : undefined)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
    return true
  }
  at.intercept(async (request, response) => {
    const { headers, url } = request
    if (url.startsWith('/b/')) return toOther({ ...request, url: url.slice(2) }, response)
    return headers.authorization === keyOfB ? toOther(request, response) : false
  })
  return { at, other, run: (env: Record<string, string>) => importWith(at, env) }
}

describe('two companies at one address', () => {
  test.each([
    ['told apart by their key', () => ({ PAYROLL_API_KEY: keyOfB })],
    [
      'told apart by the path of their base URL',
      (at: ImportFixture) => ({ PAYROLL_BASE_URL: `${at.baseUrl}/b` }),
    ],
  ])('%s each get the whole of one file', async (_, envOf) => {
    const { at, other, run } = await twoCompanies()
    at.write(people(4))
    for (const now of [
      { created: 4, createdEarlier: 0 },
      { created: 0, createdEarlier: 4 },
    ]) {
      expect((await run({})).json()).toMatchObject(now)
      const second = await run(envOf(at))
      expect([second.code, second.json()]).toMatchObject([0, { ...now, existing: 0, unresolved: 0 }])
    }
    expect(await at.there()).toEqual(refs(4))
    expect(await other.there()).toEqual(refs(4))
    expect(at.posted()).toHaveLength(8)
  })

  test('are told apart when the first one was stopped in the middle, and do not see each other’s keys in a journal', async () => {
    const { at, other, run } = await twoCompanies()
    at.write(people(4))
    await run({})
    killedBeforeAnswer(at, 'A-003')
    expect((await run({ PAYROLL_API_KEY: keyOfB })).json()).toMatchObject({ created: 4, unresolved: 0 })
    expect(await other.there()).toEqual(refs(4))
    const folder = join(at.home, 'imports')
    const all = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(all).toHaveLength(2)
    for (const key of [keyOfB, sandboxKey]) expect(all.join()).not.toContain(key)
  })
})

describe('a company that changed its key', () => {
  const newKey = 'CANARYkeyAfterRotation'

  async function rotated() {
    const at = await importFixture()
    await at.importRows(people(4), '--concurrency', '1')
    const withNewKey = (...argv: string[]) => importWith(at, { PAYROLL_API_KEY: newKey }, ...argv)
    const takeNewKey: Intercept = async ({ headers }, response, carryOut) => {
      headers.authorization = sandboxKey
      const answer = await carryOut()
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end()
      return true
    }
    return { at, withNewKey, takeNewKey }
  }

  test('goes on with its journal', async () => {
    const { at, withNewKey, takeNewKey } = await rotated()
    killedBeforeAnswer(at, 'A-003')
    showLate(at, 'A-003', takeNewKey)
    const next = await withNewKey('--settle', '1')
    expect([next.code, next.json()]).toMatchObject([0, { created: 1, createdEarlier: 2, existing: 1 }])
    expect(at.posted()).toHaveLength(4)
    expect(await at.there()).toEqual(refs(4))
    expect((await withNewKey()).json()).toMatchObject({ rows: 4, unresolved: 0 })
    expect(at.posted()).toHaveLength(4)
  })

  test('goes on with the journal of an update, and is told what the killed run changed', async () => {
    const at = await office(3)
    at.save('Agency reference,City', 'E-1,York', 'E-2,York', 'E-3,Leeds')
    expect((await at.run()).json()).toMatchObject({ updated: 2, unchanged: 1 })
    const text = readFileSync(at.journalPath(), 'utf8')
    truncateSync(
      at.journalPath(),
      text.indexOf('\n', text.search(/"of":"E-2","hash":"[^"]*","state":"sending"/)) + 1,
    )
    at.intercept(({ headers }) => {
      headers.authorization = sandboxKey
      return false
    })
    const argv = ['candidates', 'import', at.csv, '--update', '--settle', '0', '--json']
    const next = await payroll(argv, { home: at.home, env: { ...at.env, PAYROLL_API_KEY: newKey } })
    expect([next.code, next.json()]).toMatchObject([0, { updated: 0, updatedEarlier: 2, unchanged: 1 }])
    expect(at.puts()).toHaveLength(2)
    expect(readdirSync(join(at.home, 'imports'))).toHaveLength(1)
  })

  test('before any row was seen in the list: what is in doubt is looked for', async () => {
    const { at, withNewKey, takeNewKey } = await rotated()
    killedBeforeAnswer(at, 'A-001')
    showList(at, (items) => items, takeNewKey)
    expect(await withNewKey()).toMatchObject({ code: 0 })
    expect(at.postsOf('A-001')).toBe(1)
    expect(await at.there()).toEqual(refs(4))
  })
})

describe('an import whose service is named in another way', () => {
  const asLocalhost = (at: ImportFixture) => at.baseUrl.replace('127.0.0.1', 'localhost')
  const run = (at: ImportFixture) => importWith(at, { PAYROLL_BASE_URL: asLocalhost(at) })
  const allThere = { rows: 3, created: 0, createdEarlier: 3, existing: 0 }

  test('goes on with the journal of the other name', async () => {
    const at = await importFixture()
    await at.importRows(people(3))
    expect((await run(at)).json()).toMatchObject(allThere)
    expect(readdirSync(join(at.home, 'imports'))).toHaveLength(1)
    expect(at.posted()).toHaveLength(3)
  })
})
