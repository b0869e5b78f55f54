import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { candidate, candidateIreland } from '../../src/api/contract/candidate/candidate.ts'
import { openSource } from '../../src/bulk/reading/source.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

const sandbox = ['--profile', 'sandbox']

async function seeded() {
  const home = freshHome()
  expect((await payroll([...sandbox, 'sandbox', 'seed'], { home })).code).toBe(0)
  return { home }
}

/** What a file would send, row by row. */
async function readBack(path: string, type: typeof candidate) {
  const source = await openSource(path, { type, today: '2026-11-21' })
  const rows = []
  for await (const row of source.rows()) rows.push({ record: row.record, issues: row.issues })
  return rows
}

describe('an export of candidates', () => {
  test.each([
    ['uk', candidate],
    ['ireland', candidateIreland],
  ] as const)('(%s) is read again as the same records, whatever its format', async (country, type) => {
    const setting = await seeded()
    const records = []
    for (const format of ['csv', 'ndjson', 'json', 'xlsx']) {
      const path = join(setting.home, `candidates.${format}`)
      const run = await payroll([...sandbox, 'candidates', 'export', `--${country}`, '--out', path], setting)
      expect(run.code, run.err).toBe(0)
      expect(run.out).toBe('')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const rows = await readBack(path, type)
      expect(rows).toHaveLength(20)
      expect(rows.flatMap(({ issues }) => issues)).toEqual([])
      records.push(rows.map(({ record }) => record))
    }
    const [csv, ndjson, json, xlsx] = records
    expect(csv).toEqual(xlsx)
    expect(ndjson).toEqual(json)
    expect(withoutEmpty(ndjson)).toEqual(withoutEmpty(csv))
    expect(csv?.[0]).toMatchObject({ generalSetting: { forename: expect.any(String) } })
  })
})

/** A cell cannot say null, nor an empty text or list. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([, inner]) => inner !== null && inner !== '' && !(Array.isArray(inner) && inner.length === 0),
  )
  return Object.fromEntries(
    kept
      .map(([name, inner]) => [name, withoutEmpty(inner)])
      .filter(([, inner]) => JSON.stringify(inner) !== '{}'),
  )
}

describe('an export', () => {
  test.each(['payment-rates', 'timesheets', 'payslips'])('of %s is CSV unless told', async (resource) => {
    const setting = await seeded()
    const run = await payroll([...sandbox, resource, 'export'], setting)
    expect(run.code).toBe(0)
    const listed = await payroll([...sandbox, '--json', resource, 'list'], setting)
    const [header, ...rows] = run.out.trim().split('\n')
    expect(header?.split(',')).toContain('id')
    expect(rows).toHaveLength(listed.json().length)
  })

  test('of a workbook needs a file, and keeps the zeros of a sort code', async () => {
    const setting = await seeded()
    const nowhere = await payroll([...sandbox, 'payslips', 'export', '--format', 'xlsx'], setting)
    expect(nowhere.code).toBe(2)
    const other = await payroll([...sandbox, 'payslips', 'export', '--format', 'pdf'], setting)
    expect(other.code).toBe(2)
  })
})

/** A service whose payslips a test adds to. */
async function growing() {
  const slips: { id: string }[] = [{ id: 'p1' }, { id: 'p2' }]
  const { env } = await service(({ url }, response) => {
    const page = Number(new URL(url, 'http://service.example').searchParams.get('page'))
    answerJson(response, 200, { data: page === 1 ? slips : [], totalDocs: slips.length })
  })
  const home = freshHome()
  const out = join(home, 'new.csv')
  const run = (...options: string[]) =>
    payroll(['payslips', 'export', '--since-last', 'nightly', '-q', '--out', out, ...options], { home, env })
  return { slips, run, out, home, env, lines: () => readFileSync(out, 'utf8').trim().split('\n').slice(1) }
}

describe('--since-last', () => {
  test('writes what no export of that name has written, and says nothing', async () => {
    const { slips, run, lines } = await growing()
    expect(await run()).toMatchObject({ code: 0, out: '', err: '' })
    expect(lines()).toEqual(['p1', 'p2'])
    slips.unshift({ id: 'p3' })
    expect((await run()).code).toBe(0)
    expect(lines()).toEqual(['p3'])
    expect((await run()).code).toBe(0)
    expect(lines()).toEqual([])
  })

  test('of another name begins anew', async () => {
    const { run, lines, home, env, out } = await growing()
    await run()
    await payroll(['payslips', 'export', '--since-last', 'weekly', '-q', '--out', out], { home, env })
    expect(lines()).toEqual(['p1', 'p2'])
  })

  test('forgets nothing when the file could not be written', async () => {
    const { run, lines, home, env } = await growing()
    const nowhere = join(home, 'missing', 'new.csv')
    const failed = await payroll(['payslips', 'export', '--since-last', 'nightly', '--out', nowhere], {
      home,
      env,
    })
    expect(failed.code).not.toBe(0)
    expect((await run()).code).toBe(0)
    expect(lines()).toEqual(['p1', 'p2'])
  })

  test('with --expect-min writes nothing when too few are new, and remembers nothing', async () => {
    const { slips, run, lines, out } = await growing()
    const few = await run('--expect-min', '3')
    expect(few.code).toBe(10)
    expect(few.err).toContain('There are 2, and at least 3 were expected. Nothing was written.')
    expect(existsSync(out)).toBe(false)
    slips.push({ id: 'p3' })
    expect((await run('--expect-min', '3')).code).toBe(0)
    expect(lines()).toEqual(['p1', 'p2', 'p3'])
  })

  test('does not begin anew behind a bookmark that is damaged', async () => {
    const { run, home } = await growing()
    await run()
    const { readdirSync, writeFileSync } = await import('node:fs')
    const [file = ''] = readdirSync(join(home, 'bookmarks'))
    const path = join(home, 'bookmarks', file)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    writeFileSync(path, '{"seen":')
    const run2 = await run()
    expect(run2.code).toBe(2)
    expect(run2.err).toContain(path)
  })
})
