import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asTyped, payroll } from '../payroll.ts'
import { answer, importFixture, lose, onPost, people, person, readTable } from './import-fixture.ts'

const header = 'Agency reference,Forename,Surname,Hourly rate,id'
const line = (reference: string, rate = '12.5') =>
  `${reference},Alex,Example ${reference},${rate},old-${reference}`

/** A CSV with these lines, and a sandbox in which B-1 is already. */
async function starters(...lines: readonly string[]) {
  const at = await importFixture()
  const file = at.save('starters.csv', header, ...lines)
  await at.call('POST', '/svc/candidates', person('B-1'))
  const import_ = (...argv: string[]) => at.importFile(file, ...argv)
  return { ...at, file, import: import_, path: (name: string) => join(at.home, name) }
}

const outcomes = (rows: readonly any[]) => rows.map(({ outcome }) => outcome)

/** Refuses one person, and does not answer for another. */
const troubled = onPost((response, _, { ref }) => {
  if (ref !== 'A-2' && ref !== 'A-3') return false
  return ref === 'A-2' ? answer(422, { message: 'no' })(response) : lose(response)
})

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe('--results', () => {
  test('are not written over the imported file', async () => {
    const at = await starters(line('A-1'))
    const text = readFileSync(at.file, 'utf8')
    expect((await at.import('--results', at.file)).code).toBe(2)
    expect(at.received.filter(({ method }) => method === 'POST')).toEqual([])
    expect(readFileSync(at.file, 'utf8')).toBe(text)
  })

  test.each(['r.csv', 'r.xlsx'])(
    'keep in %s a text that looks like a formula for the next import',
    async (name) => {
      const at = await starters("A-1,'=Alex,''=Example,12.5,")
      await at.import('--results', at.path(name))
      const ignored = ['outcome', 'time'].flatMap((column) => ['--ignore-column', column])
      const argv = ['candidates', 'import', at.path(name), '--update', '--dry-run', ...ignored]
      const again = await payroll(argv, at)
      expect([again.err, again.code]).toEqual([expect.anything(), 0])
      expect(again.json()).toMatchObject({ unchanged: 1, update: 0, create: 0 })
    },
  )

  test('writes the rows as they were, each with outcome, id and time, for you alone', async () => {
    const at = await starters(line('A-1'), line('B-1'), line('A-2'), line('A-3'), line('A-4', 'tba'))
    at.intercept(troubled)
    const run = await at.import('--ready-only', '--results', at.path('results.csv'))
    expect(run.code).toBe(8)
    const lines = readFileSync(at.path('results.csv'), 'utf8').trimEnd().split('\n')
    const timed = expect.stringMatching(time)
    expect(lines.map((line) => line.split(',').filter((_, nth) => nth !== 1 && nth !== 2))).toEqual([
      ['Agency reference', 'Hourly rate', 'outcome', 'id', 'time'],
      ['A-1', '12.5', 'created', (await at.record('A-1')).id, timed],
      ['B-1', '12.5', 'held back', (await at.record('B-1')).id, timed],
      ['A-2', '12.5', 'refused', '', timed],
      ['A-3', '12.5', 'unknown', '', timed],
      ['A-4', 'tba', 'not sent', '', expect.any(String)],
    ])
    expect(lines[1]).toMatch(/^A-1,Alex,Example A-1,/)
    expect(statSync(at.path('results.csv')).mode & 0o777).toBe(0o600)
  })

  test('say of a row that is wrong now that it was not sent, and not what an earlier run said of another value', async () => {
    const at = await starters(line('A-1'), line('A-2'))
    at.intercept(troubled)
    const path = at.path('results.json')
    expect((await at.import('--results', path)).code).toBe(9)
    expect(outcomes(await readTable(path))).toEqual(['created', 'refused'])
    at.save('starters.csv', header, line('A-1'), line('A-2', 'tba'))
    const run = await at.import('--ready-only', '--results', path)
    expect([run.code, run.json()]).toMatchObject([9, { createdEarlier: 1, refused: 0, invalid: 1 }])
    expect(outcomes(await readTable(path))).toEqual(['created', 'not sent'])
  })

  test.each(['json', 'ndjson', 'xlsx'])('as %s has the same of each row', async (ending) => {
    const at = await starters(line('A-1'))
    const path = at.path(`results.${ending}`)
    await at.import('--results', path)
    const { id } = await at.record('A-1')
    expect(await readTable(path)).toMatchObject([
      {
        'Agency reference': 'A-1',
        'Hourly rate': '12.5',
        outcome: 'created',
        id,
        time: expect.stringMatching(time),
      },
    ])
  })

  test('turns objects into columns', async () => {
    const at = await importFixture()
    const results = join(at.home, 'results.csv')
    await at.importRows([person('A-1', { city: 'Leeds' }), person('A-2')], '--results', results)
    const [head, first, second] = readFileSync(results, 'utf8').split('\n')
    expect(head).toBe(
      'generalSetting.agencyRef,generalSetting.forename,generalSetting.surname,generalSetting.city,outcome,id,time',
    )
    expect(first).toMatch(/^A-1,Ann,Sample A-1,Leeds,created,/)
    expect(second).toMatch(/^A-2,Ann,Sample A-2,,created,/)
  })

  test.each([
    ['the file itself', 'starters.csv', 'cannot be both the file that is imported and the results'],
    ['the rejects', 'starters.rejects.csv', 'cannot be both the results and the rejects'],
    ['an ending without a format', 'results.doc', '.csv, .xlsx, .ndjson or .json'],
    ['a folder that is not there', 'none/results.csv', 'could not be written'],
  ])('is exit 2 for %s, before anything is sent', async (_, name, says) => {
    const at = await starters(line('A-1'))
    const run = await at.import('--results', at.path(name))
    expect([run.code, run.error().message]).toEqual([2, expect.stringContaining(says)])
    expect(at.posted()).toEqual([])
  })

  test('with --dry-run is checked, and not written', async () => {
    const at = await starters(line('A-1'))
    expect((await at.import('--dry-run', '--results', at.path('r.csv'))).code).toBe(0)
    expect(existsSync(at.path('r.csv'))).toBe(false)
    expect((await at.import('--dry-run', '--results', at.path('r.doc'))).code).toBe(2)
  })

  test('is written when the import is interrupted too', async () => {
    const at = await importFixture()
    at.write(people(5))
    const results = join(at.home, 'results.json')
    const argv = asTyped`candidates import ${at.file} --settle 0 --concurrency 1 --results ${results}`
    const onStart = (send: (signal: 'SIGINT') => void) =>
      at.intercept(({ method, post }) => {
        if (method === 'POST' && post === 2) send('SIGINT')
        return false
      })
    expect(await payroll(argv, { ...at, onStart })).toMatchObject({ signal: 'SIGINT' })
    expect(outcomes(JSON.parse(readFileSync(results, 'utf8')))).toEqual(
      'created, created, not sent, not sent, not sent'.split(', '),
    )
  })

  test('that cannot be written at the end does not hide that all rows were created', async () => {
    const at = await starters(line('A-1'))
    mkdirSync(at.path('out'))
    at.intercept(({ method }) => {
      if (method === 'POST') rmSync(at.path('out'), { recursive: true })
      return false
    })
    const run = await at.import('--results', at.path('out/results.csv'))
    expect(run.json()).toMatchObject({ created: 1 })
    expect(run.error()).toMatchObject({
      outcome: 'applied',
      message: expect.stringMatching(
        /^The import is done, but .*results\.csv could not be written: there is no folder .*/,
      ),
      hint: expect.stringContaining('run the same command again'),
    })
  })
})
