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
  /** Whether it says nothing at all, instead. */
  readonly isSilent?: true
  /** Whether it cannot be asked afterwards either. */
  readonly isBlind?: true
  /** Whether it carries it out only while payroll waits for a second look. */
  readonly isLate?: true
}

const ways = ['update', 'undo', 'create', 'import', 'import --update'] as const
type Way = (typeof ways)[number]

/** What becomes of it: the exit code, the outcome in the history, how many writes were sent, and what the record has then. */
type Cells = readonly [change: string, create: string, import: string, importUpdate: string]

const applied: Cells = ['0 applied 1 new', '0 applied 1 new', '0 applied 1 new', '0 applied 1 new']
const unseen: Cells = ['8 unknown 1 new', '8 unknown 1 new', '8 unknown 1 new', '8 unknown 1 new']
const open: Cells = ['8 unknown 1 old', '8 unknown 1 old', '8 unknown 1 old', '8 unknown 2 old']
const refused: Cells = ['6 refused 1 old', '6 refused 1 old', '9 refused 1 old', '9 refused 1 old']

const page = '<html>Sign in</html>'
const no = { success: false }

const table: readonly (readonly [does: string, fault: Fault, cells: Cells])[] = [
  ['answers 409 after it was applied', { isApplied: true, status: 409 }, applied],
  ['answers 409', { isApplied: false, status: 409 }, refused],
  [
    'answers 409 after it was applied, and shows nothing',
    { isApplied: true, isBlind: true, status: 409 },
    unseen,
  ],
  ['answers 412', { isApplied: false, status: 412 }, refused],
  ['answers 412 after it was applied', { isApplied: true, status: 412 }, applied],
  ['answers 500', { isApplied: false, status: 500 }, open],
  ['answers 500 after it was applied', { isApplied: true, status: 500 }, applied],
  ['loses the request', { isApplied: false }, open],
  ['loses the answer', { isApplied: true }, applied],
  ['loses the answer, and shows nothing', { isApplied: true, isBlind: true }, unseen],
  // A UK create is answered without a record, and is not looked for: an import looks, and finds that nothing is there.
  [
    'answers 200 and changes nothing',
    { isApplied: false, status: 200, body: { success: true } },
    ['8 unknown 1 old', '0 applied 1 old', '10 applied 1 old', '8 unknown 2 old'],
  ],
  ['answers a web page', { isApplied: false, status: 200, body: page }, open],
  ['answers a web page after it was applied', { isApplied: true, status: 200, body: page }, applied],
  ['says success: false', { isApplied: false, status: 200, body: no }, refused],
  ['says success: false after it was applied', { isApplied: true, status: 200, body: no }, applied],
  ['refuses the data', { isApplied: false, status: 422 }, refused],
  // Of a create it is the path that is not there.
  [
    'answers 404',
    { isApplied: false, status: 404 },
    ['5 refused 1 old', '6 refused 1 old', '6 refused 1 old', '5 refused 1 old'],
  ],
  [
    'refuses the key',
    { isApplied: false, status: 401 },
    ['4 refused 1 old', '4 refused 1 old', '4 refused 1 old', '4 refused 1 old'],
  ],
  [
    'is busy',
    { isApplied: false, status: 429 },
    ['7 refused 3 old', '7 refused 3 old', '7 refused 27 old', '7 refused 27 old'],
  ],
]

const old = {
  generalSetting: { agencyRef: 'E-1', forename: 'Ann', surname: 'Fake', city: 'Leeds' },
  bankSetting: { accountNumber: '31926819', sortCode: '601613', accountName: 'A Fake' },
  payrollSetting: { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', paymentModel: 'PAYEE' },
}

/** Writes in this way to a service that does this with every write; gives the run, and the cell of it. */
async function meet(way: Way, { isApplied, status, body = {}, isSilent, isBlind, isLate }: Fault) {
  const { env, call, intercept } = await startSandbox()
  const home = freshHome()
  await call('POST', '/svc/candidates', old)
  let later: () => Promise<unknown> = async () => {}
  const run = (...words: readonly string[]) =>
    payroll([...words, '--json'], { home, env, onPause: async () => void (await later()) })
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
    if (isLate) later = carryOut
    if (isSilent) return true
    if (status === undefined) response.destroy()
    else if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    else answerJson(response, status, body)
    return true
  })
  const ended = await run(...typed, ...(isSilent ? ['--timeout', '1'] : []))
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
    table.flatMap(([does, fault, [change, ...others]]) =>
      [change, change, ...others].map((cell, at) => [does, ways[at] as Way, cell, fault] as const),
    ),
  )('%s, %s: %s', async (_, way, cell, fault) => {
    const met = await meet(way, fault)
    expect(met.cell).toBe(cell)
    // What is printed, what the exit code says and what the history has are one.
    if (!way.startsWith('import')) expect(saidBy(met.run)).toBe(met.outcome)
  })
})

test.each([
  ['create', true, '0 applied 1 new'],
  ['update', true, '0 applied 1 new'],
  ['update', false, '8 unknown 1 old'],
] as const)('a service that never answers, %s, applied: %s: %s', async (way, isApplied, cell) => {
  expect((await meet(way, { isApplied, isSilent: true })).cell).toBe(cell)
})

test.each(
  (['update', 'undo', 'create'] as const).flatMap((way) =>
    [409, 412, 500, 200].map((status) => [status, way] as const),
  ),
)('a service that answers %i and shows what it stored a moment later, %s: applied', async (status, way) => {
  const { run, cell } = await meet(way, { isApplied: false, isLate: true, status, body: no })
  expect([run.err, cell]).toEqual([
    expect.stringMatching(/was read again and has the change|was looked for/),
    '0 applied 1 new',
  ])
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
