import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, endedWith, payroll } from '../payroll.ts'
import { answer, importFixture, listing, lose, onPost, people, person, readTable } from './import-fixture.ts'

const header = 'Agency reference,Forename,Surname,Hourly rate,id'
const line = (reference: string, rate = '12.5') =>
  `${reference},Alex,Example ${reference},${rate},old-${reference}`

/** A CSV with these lines, and a sandbox in which B-1 is already. */
async function starters(...lines: readonly string[]) {
  const at = await importFixture()
  const file = at.save('starters.csv', header, ...lines)
  await at.call('POST', '/svc/candidates', person('B-1'))
  const import_ = (...argv: string[]) => at.importFile(file, ...argv)
  const results = (...argv: string[]) => payroll(['candidates', 'import', 'results', file, ...argv], at)
  return { ...at, file, import: import_, results, path: (name: string) => join(at.home, name) }
}

const outcomes = (rows: readonly any[]) => rows.map(({ outcome }) => outcome)

/** Refuses one person, and does not answer for another. */
const troubled = onPost((response, _, { ref }) => {
  if (ref !== 'A-2' && ref !== 'A-3') return false
  return ref === 'A-2' ? answer(422, { message: 'no' })(response) : lose(response)
})

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Cuts the journal off as a run leaves it that is killed once the first row is to be sent. */
function killedAtFirstRow(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, text.indexOf('\n', text.indexOf('"state":"intent"')) + 1))
}

describe('--results', () => {
  test('are not written over the imported file, by the import or later', async () => {
    const at = await starters(line('A-1'))
    const text = readFileSync(at.file, 'utf8')
    expect((await at.import('--results', at.file)).code).toBe(2)
    expect(at.received.filter(({ method }) => method === 'POST')).toEqual([])
    await at.import()
    expect((await at.results('--out', at.file)).code).toBe(2)
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

  test('writes the rows as they were, each with outcome, id and time, for you alone; import results says the same afterwards, and asks the service nothing', async () => {
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
    const asked = at.received.length
    expect(await at.results('--out', at.path('again.csv'))).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(at.path('again.csv'), 'utf8').trimEnd().split('\n')).toEqual(lines)
    expect(outcomes((await at.results()).json())).toEqual(
      'created, held back, refused, unknown, not sent'.split(', '),
    )
    expect(at.received).toHaveLength(asked)
  })

  test('say of a row that is wrong now that it was not sent, and not what an earlier run said of another value', async () => {
    const at = await starters(line('A-1'), line('A-2'))
    at.intercept(troubled)
    expect((await at.import()).code).toBe(9)
    expect(outcomes((await at.results()).json())).toEqual(['created', 'refused'])
    at.save('starters.csv', header, line('A-1'), line('A-2', 'tba'))
    const run = await at.import('--ready-only', '--results', at.path('results.json'))
    expect([run.code, run.json()]).toMatchObject([9, { createdEarlier: 1, refused: 0, invalid: 1 }])
    for (const rows of [await readTable(at.path('results.json')), (await at.results()).json()])
      expect(outcomes(rows)).toEqual(['created', 'not sent'])
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
    const run = await at.import('--results', at.path('out/results.csv'), '--ignore-column', 'id')
    expect(run.json()).toMatchObject({ created: 1 })
    expect(run.error()).toMatchObject({
      outcome: 'applied',
      message: expect.stringMatching(
        /^The import is done, but .*results\.csv could not be written: there is no folder .*/,
      ),
      hint: expect.stringMatching(
        /^To write them again: payroll candidates import results .*starters\.csv .*--ignore-column id --out /,
      ),
    })
  })
})

describe('import results', () => {
  test('says of a killed import too which rows were there before it', async () => {
    const at = await starters(line('A-1'), line('B-1'))
    await at.import()
    killedAtFirstRow(at.journalPath())
    expect(outcomes((await at.results()).json())).toEqual(['unknown', 'held back'])
  })

  test('is a table of references at a terminal', async () => {
    const at = await starters(line('A-1'), line('B-1'))
    await at.import()
    const { out, err } = await atTerminal(['candidates', 'import', 'results', at.file], at).ended
    expect(out).toContain('A-1')
    expect(out).toContain('held back')
    expect(err).toContain('2 rows: 1 created, 1 held back.\n')
  })

  test('takes the country from its option', async () => {
    const at = await starters(line('A-1'))
    await at.import('--ireland')
    expect(await at.results('--uk')).toMatchObject({ code: 2 })
    expect((await at.results('--ireland')).json()).toMatchObject([{ outcome: 'created' }])
  })

  test('of a row that has been taken back says unknown', async () => {
    const at = await importFixture()
    await at.importRows(people(2))
    const argv = ['candidates', 'import', 'results', at.file]
    for (const [service, code, outcome] of [
      [listing([{ id: '1', agencyRef: 'A-001' }]), 8, 'unknown'],
      [() => false, 0, 'created'],
    ] as const) {
      at.intercept(service)
      expect((await at.import()).code).toBe(code)
      expect(outcomes((await payroll(argv, at)).json())).toEqual(['created', outcome])
    }
  })

  test('of a file that was not imported is exit 2', async () => {
    const at = await starters(line('A-1'))
    const run = await at.results('--json')
    expect([run.code, run.error().message]).toEqual([
      2,
      expect.stringContaining('has no journal of an import of'),
    ])
  })

  test('refuses an option that only the import has', async () => {
    const at = await starters(line('A-1'))
    await at.import()
    const run = await at.results('--settle', '5')
    const says = '--settle has no effect on candidates import results: leave it out.'
    expect(run).toMatchObject(endedWith(2, says))
  })
})

test('the results of an import need its country, and not its map again', async () => {
  const at = await importFixture()
  const file = at.save('starters.csv', 'No,Called,Forename,PPSN', 'IE-1,Sample,Ann,1234567FA')
  const map = at.save('map.json', JSON.stringify({ No: 'Agency reference', Called: 'Surname' }))
  expect(await at.importFile(file, '--ireland', '--map', map)).toMatchObject({ code: 0 })
  const results = ['candidates', 'import', 'results', file]
  expect(await payroll(results, at)).toMatchObject(endedWith(2, 'Choose the profile and the country'))
  const run = await payroll([...results, '--ireland'], at)
  expect([run.code, run.err]).toEqual([0, ''])
  expect(run.json()).toMatchObject([{ No: 'IE-1', outcome: 'created' }])
})
