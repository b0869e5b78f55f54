// @module-tag tables
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** What a service does with each write: whether it carries it out, and what it answers; without a status it cuts the connection. */
interface Fault {
  readonly isApplied: boolean
  readonly status?: number
  readonly body?: object | string
  /** Whether it cannot be asked afterwards either. */
  readonly isBlind?: true
}

type Way = 'update' | 'undo' | 'create' | 'import' | 'import --update'

/**
 * What becomes of it: the exit code, the outcome in the history, how many writes were sent, and what the record has afterwards.
 * A cell for update and undo, which are one, and one for each of the others.
 */
interface Row extends Fault {
  readonly change: string
  readonly create: string
  readonly import: string
  readonly 'import --update': string
}

const page = '<html>Sign in</html>'
const no = { success: false }

const table: Readonly<Record<string, Row>> = {
  'answers 409 after it was applied': {
    ...{ isApplied: true, status: 409 },
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'answers 409': {
    ...{ isApplied: false, status: 409 },
    ...{ change: '6 refused 1 old', create: '6 refused 1 old', import: '9 refused 1 old' },
    'import --update': '9 refused 1 old',
  },
  'answers 409 after it was applied, and shows nothing': {
    ...{ isApplied: true, isBlind: true, status: 409 },
    ...{ change: '8 unknown 1 new', create: '8 unknown 1 new', import: '8 unknown 1 new' },
    'import --update': '8 unknown 1 new',
  },
  'answers 412': {
    ...{ isApplied: false, status: 412 },
    ...{ change: '6 refused 1 old', create: '6 refused 1 old', import: '9 refused 1 old' },
    'import --update': '9 refused 1 old',
  },
  'answers 412 after it was applied': {
    ...{ isApplied: true, status: 412 },
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'answers 500': {
    ...{ isApplied: false, status: 500 },
    ...{ change: '8 unknown 1 old', create: '8 unknown 1 old', import: '8 unknown 1 old' },
    'import --update': '8 unknown 2 old',
  },
  'answers 500 after it was applied': {
    ...{ isApplied: true, status: 500 },
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'loses the request': {
    isApplied: false,
    ...{ change: '8 unknown 1 old', create: '8 unknown 1 old', import: '8 unknown 1 old' },
    'import --update': '8 unknown 2 old',
  },
  'loses the answer': {
    isApplied: true,
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'loses the answer, and shows nothing': {
    ...{ isApplied: true, isBlind: true },
    ...{ change: '8 unknown 1 new', create: '8 unknown 1 new', import: '8 unknown 1 new' },
    'import --update': '8 unknown 1 new',
  },
  // A UK create is answered without a record, and is not looked for: an import looks, and finds that nothing is there.
  'answers 200 and changes nothing': {
    ...{ isApplied: false, status: 200, body: { success: true } },
    ...{ change: '8 unknown 1 old', create: '0 applied 1 old', import: '10 applied 1 old' },
    'import --update': '8 unknown 2 old',
  },
  'answers a web page': {
    ...{ isApplied: false, status: 200, body: page },
    ...{ change: '8 unknown 1 old', create: '8 unknown 1 old', import: '8 unknown 1 old' },
    'import --update': '8 unknown 2 old',
  },
  'answers a web page after it was applied': {
    ...{ isApplied: true, status: 200, body: page },
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'says success: false': {
    ...{ isApplied: false, status: 200, body: no },
    ...{ change: '6 refused 1 old', create: '6 refused 1 old', import: '9 refused 1 old' },
    'import --update': '9 refused 1 old',
  },
  'says success: false after it was applied': {
    ...{ isApplied: true, status: 200, body: no },
    ...{ change: '0 applied 1 new', create: '0 applied 1 new', import: '0 applied 1 new' },
    'import --update': '0 applied 1 new',
  },
  'refuses the data': {
    ...{ isApplied: false, status: 422 },
    ...{ change: '6 refused 1 old', create: '6 refused 1 old', import: '9 refused 1 old' },
    'import --update': '9 refused 1 old',
  },
  // Of a create it is the path that is not there.
  'answers 404': {
    ...{ isApplied: false, status: 404 },
    ...{ change: '5 refused 1 old', create: '6 refused 1 old', import: '6 refused 1 old' },
    'import --update': '5 refused 1 old',
  },
  'refuses the key': {
    ...{ isApplied: false, status: 401 },
    ...{ change: '4 refused 1 old', create: '4 refused 1 old', import: '4 refused 1 old' },
    'import --update': '4 refused 1 old',
  },
  'is busy': {
    ...{ isApplied: false, status: 429 },
    ...{ change: '7 refused 3 old', create: '7 refused 3 old', import: '7 refused 27 old' },
    'import --update': '7 refused 27 old',
  },
}

const old = {
  generalSetting: { agencyRef: 'E-1', forename: 'Ann', surname: 'Fake', city: 'Leeds' },
  bankSetting: { accountNumber: '31926819', sortCode: '601613', accountName: 'A Fake' },
  payrollSetting: { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', paymentModel: 'PAYEE' },
}

/** Writes in this way to a service that does this with every write; gives the run, and the cell of it. */
async function meet(way: Way, { isApplied, status, body = {}, isBlind }: Fault) {
  const { env, call, intercept } = await startSandbox()
  const home = freshHome()
  await call('POST', '/svc/candidates', old)
  const run = (...words: readonly string[]) => payroll([...words, '--json'], { home, env })
  const sheet = (...lines: readonly string[]) => {
    writeFileSync(join(home, 'a.csv'), `${lines.join('\n')}\n`)
    return ['candidates', 'import', join(home, 'a.csv'), '--yes', '--settle', '0']
  }
  const update = ['candidates', 'update', 'E-1', '--set', 'city=York', '--incomplete', '--yes']
  const words: Readonly<Record<Way, () => readonly string[] | Promise<readonly string[]>>> = {
    update: () => update,
    undo: async () => {
      expect((await run(...update)).code).toBe(0)
      return ['undo', (await run('history')).json()[0].id, '--yes']
    },
    create: () => ['candidates', 'create', '--incomplete', '--set', 'agencyRef=N-1', '--set', 'surname=New'],
    import: () => sheet('agencyRef,forename,surname', 'N-1,Tom,New'),
    'import --update': () => [...sheet('agencyRef,City', 'E-1,York'), '--update'],
  }
  const typed = await words[way]()
  let writes = 0
  intercept(async ({ method }, response, carryOut) => {
    if (method === 'GET') {
      if (isBlind && writes > 0) answerJson(response, 404, {})
      return isBlind === true && writes > 0
    }
    writes += 1
    if (isApplied) await carryOut()
    if (status === undefined) response.destroy()
    else if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    else answerJson(response, status, body)
    return true
  })
  const ended = await run(...typed)
  intercept(() => false)
  const [{ outcome }] = (await run('history')).json()
  const { data } = (await (await call('GET', '/svc/candidates?size=100')).json()) as any
  const has = (agencyRef: string) => data.find((each: any) => each.agencyRef === agencyRef)
  const isNew =
    way === 'create' || way === 'import'
      ? has('N-1')
      : has('E-1').city === (way === 'undo' ? 'Leeds' : 'York')
  return { run: ended, outcome, cell: `${ended.code} ${outcome} ${writes} ${isNew ? 'new' : 'old'}` }
}

/** The outcome that the error of a run says; a run without an error was applied. */
const saidBy = (run: Run) => (run.code === 0 ? 'applied' : run.error().outcome)

describe('a service that', () => {
  test.each(
    Object.entries(table).flatMap(([name, { change, ...row }]) =>
      (['update', 'undo', 'create', 'import', 'import --update'] as const).map((way) => {
        const cell = way === 'update' || way === 'undo' ? change : row[way]
        return [name, way, cell, row] as const
      }),
    ),
  )('%s, %s: %s', async (_, way, cell, fault) => {
    const met = await meet(way, fault)
    expect(met.cell).toBe(cell)
    // What is printed, what the exit code says and what the history has are one.
    if (!way.startsWith('import')) expect(saidBy(met.run)).toBe(met.outcome)
  })
})

test('an update that is answered 409 and was applied in part is unknown: exit 8, with the field that it lacks', async () => {
  const { env, call, intercept } = await startSandbox()
  const home = freshHome()
  await call('POST', '/svc/candidates', old)
  intercept(async ({ method, url, body }, response) => {
    if (method !== 'PUT') return false
    const { generalSetting, ...rest } = JSON.parse(body)
    await call('PUT', url, { ...rest, generalSetting: { ...generalSetting, county: null } })
    answerJson(response, 409, {})
    return true
  })
  const sets = ['--set', 'city=York', '--set', 'county=Yorkshire']
  const run = await payroll(['candidates', 'update', 'E-1', ...sets, '--incomplete', '--yes', '--json'], {
    home,
    env,
  })
  expect(run.error()).toMatchObject({
    ...{ code: 'unknown', exitCode: 8, outcome: 'unknown' },
    issues: [{ path: 'generalSetting.county' }],
  })
  const [{ outcome }] = (await payroll(['history', '--json'], { home, env })).json()
  expect(outcome).toBe('unknown')
})

test('an update that the service denies inside of a 200 says what it said, and not to run it again', async () => {
  const fault = { isApplied: false, status: 200, body: { success: false, message: 'The month is closed.' } }
  const { run } = await meet('update', fault)
  const { message, hint } = run.error()
  expect(message).toContain('The month is closed.')
  expect([message, hint ?? ''].join(' ')).not.toMatch(/read again|run the update again/)
})
