import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openXlsx } from '../../src/formats/xlsx/open-xlsx.ts'
import { asTyped, atTerminal, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import type { Intercept } from '../start-sandbox.ts'
import { importFixture, people, person } from './import-fixture.ts'

const header = 'Agency reference,Forename,Surname,Hourly rate,id'
const line = (reference: string, rate = '12.5') =>
  `${reference},Alex,Example ${reference},${rate},old-${reference}`

/** A CSV with these lines, and a sandbox in which B-1 is already. */
async function starters(...lines: readonly string[]) {
  const at = await importFixture()
  const file = join(at.home, 'starters.csv')
  writeFileSync(file, `${[header, ...lines].join('\n')}\n`)
  await at.call('POST', '/svc/candidates', person('B-1'))
  const import_ = (...argv: string[]) => at.importFile(file, ...argv)
  const results = (...argv: string[]) => payroll(['candidates', 'import', 'results', file, ...argv], at)
  return { ...at, file, import: import_, results, path: (name: string) => join(at.home, name) }
}

/** The ids of the people on the service, by reference. */
async function ids({ call }: Awaited<ReturnType<typeof importFixture>>): Promise<Record<string, string>> {
  const { data } = (await (await call('GET', '/svc/candidates?size=100')).json()) as any
  return Object.fromEntries(data.map(({ agencyRef, id }: any) => [agencyRef, id]))
}

/** Refuses one person, and does not answer for another. */
const troubled: Intercept = ({ method, body = '' }, response) => {
  if (method !== 'POST') return false
  if (body.includes('"A-2"')) answerJson(response, 422, { message: 'no' })
  else if (body.includes('"A-3"')) response.destroy()
  return response.writableEnded || response.destroyed
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Cuts the journal off as a run leaves it that is killed once the first row is to be sent. */
function killedAtFirstRow(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, text.indexOf('\n', text.indexOf('"state":"intent"')) + 1))
}

describe('--results', () => {
  test('writes the rows as they were, each with outcome, id and time, for you alone', async () => {
    const at = await starters(line('A-1'), line('B-1'), line('A-2'), line('A-3'), line('A-4', 'tba'))
    at.intercept(troubled)
    const run = await at.import('--ready-only', '--results', at.path('results.csv'))
    expect(run.code).toBe(8)
    const there = await ids(at)
    const [head, ...rows] = readFileSync(at.path('results.csv'), 'utf8').trimEnd().split('\n')
    expect(head).toBe('Agency reference,Forename,Surname,Hourly rate,outcome,id,time')
    const cells = rows.map((row) => row.split(','))
    expect(cells.map((row) => [row[0], row[4], row[5]])).toEqual([
      ['A-1', 'created', there['A-1']],
      ['B-1', 'already there', there['B-1']],
      ['A-2', 'refused', ''],
      ['A-3', 'unknown', ''],
      ['A-4', 'not sent', ''],
    ])
    expect(cells[0]?.[3]).toBe('12.5')
    for (const row of cells.slice(0, 4)) expect(row[6]).toMatch(time)
    expect(statSync(at.path('results.csv')).mode & 0o777).toBe(0o600)
  })

  test.each(['json', 'ndjson'])('--results as %s each row is an object', async (ending) => {
    const at = await starters(line('A-1'))
    await at.import('--results', at.path(`results.${ending}`))
    const text = readFileSync(at.path(`results.${ending}`), 'utf8')
    const [row] = ending === 'json' ? JSON.parse(text) : [JSON.parse(text)]
    expect(row).toMatchObject({
      'Agency reference': 'A-1',
      'Hourly rate': '12.5',
      outcome: 'created',
      id: (await ids(at))['A-1'],
      time: expect.stringMatching(time),
    })
  })

  test('--results as a workbook it can be opened', async () => {
    const at = await starters(line('A-1'))
    await at.import('--results', at.path('results.xlsx'))
    const sheet = await openXlsx(readFileSync(at.path('results.xlsx')))
    const rows: (readonly string[])[] = []
    for await (const { cells } of sheet?.rows({ width: 7 }) ?? []) rows.push(cells)
    expect(rows[1]?.slice(0, 5)).toEqual(['A-1', 'Alex', 'Example A-1', '12.5', 'created'])
  })

  test('turns objects into columns', async () => {
    const at = await importFixture()
    await at.importRows(
      [person('A-1', { city: 'Leeds' }), person('A-2')],
      '--results',
      join(at.home, 'results.csv'),
    )
    const [head, first, second] = readFileSync(join(at.home, 'results.csv'), 'utf8').split('\n')
    expect(head).toBe(
      'generalSetting.agencyRef,generalSetting.forename,generalSetting.surname,generalSetting.city,outcome,id,time',
    )
    expect(first).toMatch(/^A-1,Ann,Sample A-1,Leeds,created,/)
    expect(second).toMatch(/^A-2,Ann,Sample A-2,,created,/)
  })

  test.each([
    ['the file itself', 'starters.csv', 'name another one'],
    ['an ending without a format', 'results.doc', '.csv, .xlsx, .ndjson or .json'],
    ['a folder that is not there', 'none/results.csv', 'could not be written'],
  ])('is exit 2 for %s, before anything is sent', async (_, name, says) => {
    const at = await starters(line('A-1'))
    const run = await at.import('--results', at.path(name))
    expect(run.code).toBe(2)
    expect(run.error().message).toContain(says)
    expect(at.posted()).toEqual([])
  })

  test('--results with --dry-run is checked, and not written', async () => {
    const at = await starters(line('A-1'))
    expect((await at.import('--dry-run', '--results', at.path('r.csv'))).code).toBe(0)
    expect(existsSync(at.path('r.csv'))).toBe(false)
    expect((await at.import('--dry-run', '--results', at.path('r.doc'))).code).toBe(2)
  })

  test('is written when the import is interrupted too', async () => {
    const at = await importFixture()
    at.write(people(5))
    let stop: ((signal: 'SIGINT') => void) | undefined
    at.intercept(({ method, post }) => {
      if (method === 'POST' && post === 2) stop?.('SIGINT')
      return false
    })
    const results = join(at.home, 'results.json')
    const argv = asTyped`candidates import ${at.file} --settle 0 --concurrency 1 --results ${results}`
    const onStart = (send: (signal: 'SIGINT') => void) => {
      stop = send
    }
    expect(await payroll(argv, { ...at, onStart })).toMatchObject({ signal: 'SIGINT' })
    const outcomes = JSON.parse(readFileSync(results, 'utf8')).map(({ outcome }: any) => outcome)
    expect(outcomes).toEqual(['created', 'created', 'not sent', 'not sent', 'not sent'])
  })

  test('--results that cannot be written at the end does not hide that all rows were created', async () => {
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
      hint: expect.stringMatching(
        /^To write them again: payroll candidates import results .*starters\.csv .*--out /,
      ),
    })
  })
})

describe('import results', () => {
  test('says the same afterwards, and asks the service nothing', async () => {
    const at = await starters(line('A-1'), line('B-1'), line('A-2'), line('A-3'), line('A-4', 'tba'))
    at.intercept(troubled)
    await at.import('--ready-only', '--results', at.path('results.csv'))
    const asked = at.received.length
    const run = await at.results('--out', at.path('again.csv'))
    expect(run).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(at.path('again.csv'), 'utf8')).toBe(readFileSync(at.path('results.csv'), 'utf8'))
    expect((await at.results()).json().map(({ outcome }: any) => outcome)).toEqual(
      'created, already there, refused, unknown, not sent'.split(', '),
    )
    expect(at.received).toHaveLength(asked)
  })

  test('says of a killed import too which rows were there before it', async () => {
    const at = await starters(line('A-1'), line('B-1'))
    await at.import()
    killedAtFirstRow(at.journalPath())
    expect((await at.results()).json().map(({ outcome }: any) => outcome)).toEqual([
      'unknown',
      'already there',
    ])
  })

  test('is a table of references at a terminal', async () => {
    const at = await starters(line('A-1'), line('B-1'))
    await at.import()
    const { out, err } = await atTerminal(['candidates', 'import', 'results', at.file], at).ended
    expect(out).toContain('A-1')
    expect(out).toContain('already there')
    expect(err).toContain('2 rows: 1 created, 1 already there.\n')
  })

  test('takes the country from its option', async () => {
    const at = await starters(line('A-1'))
    await at.import('--ireland')
    expect(await at.results('--uk')).toMatchObject({ code: 2 })
    expect((await at.results('--ireland')).json()).toMatchObject([{ outcome: 'created' }])
  })

  test('import results of a row that has been taken back says unknown', async () => {
    const at = await importFixture()
    await at.importRows(people(2))
    at.intercept(({ method }, response) => {
      if (method === 'GET')
        answerJson(response, 200, { data: [{ id: '1', agencyRef: 'A-001' }], totalDocs: 1 })
      return method === 'GET'
    })
    expect((await at.import()).code).toBe(8)
    const argv = ['candidates', 'import', 'results', at.file]
    expect((await payroll(argv, at)).json().map(({ outcome }: any) => outcome)).toEqual([
      'created',
      'unknown',
    ])
    at.intercept(() => false)
    expect((await at.import()).code).toBe(0)
    expect((await payroll(argv, at)).json().map(({ outcome }: any) => outcome)).toEqual([
      'created',
      'created',
    ])
  })

  test('import results of a file that was not imported is exit 2', async () => {
    const at = await starters(line('A-1'))
    const run = await at.results('--json')
    expect(run.code).toBe(2)
    expect(run.error().message).toContain('there is no journal of it')
  })

  test('refuses an option that only the import has', async () => {
    const at = await starters(line('A-1'))
    await at.import()
    const run = await at.results('--settle', '5')
    expect(run.code).toBe(2)
    expect(run.err).toContain('--settle has no effect on payroll candidates import results: leave it out.')
  })
})

test('the results of an import need neither its country nor its map again', async () => {
  const at = await importFixture()
  const file = join(at.home, 'starters.csv')
  writeFileSync(file, 'No,Called,Forename,PPSN\nIE-1,Sample,Ann,1234567FA\n')
  writeFileSync(join(at.home, 'map.json'), JSON.stringify({ No: 'Agency reference', Called: 'Surname' }))
  expect(await at.importFile(file, '--ireland', '--map', join(at.home, 'map.json'))).toMatchObject({
    code: 0,
  })
  const run = await payroll(['candidates', 'import', 'results', file], at)
  expect([run.code, run.err]).toEqual([0, 'Read as it was imported, with --ireland.\n'])
  expect(run.json()).toMatchObject([{ No: 'IE-1', outcome: 'created' }])
})
