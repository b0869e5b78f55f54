import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { importFixture, person } from './import-fixture.ts'

const header = 'Employee ref,First name,Last name,NI number,Sort code,Account no'

/** Three people, the first and the last of them with the same number. */
const lines = ['S-1,Ann,Sample,ZY300001A,,', 'S-2,Bea,Sample,ZY300002A,,', 'S-3,Anne,Sample,zy 30 00 01 a,,']

async function withTable(...rows: string[]) {
  const at = await importFixture()
  const csv = at.save('starters.csv', header, ...rows)
  return { ...at, csv, dryRun: (...more: string[]) => at.importFile(csv, '--dry-run', ...more) }
}

describe('the number of one person in several rows of a file', () => {
  test('is a doubt that names the rows, however the number is written, and not the number', async () => {
    const { dryRun, csv, home, env } = await withTable(...lines)
    const run = await dryRun()
    const message = 'column D (NI number): the same National Insurance number is in rows 2 and 4'
    expect(run.json().warnings).toEqual([{ row: 0, path: 'generalSetting.NINumber', message }])
    expect(run.out + run.err).not.toMatch(/300001/)
    // These rows are doubtful, and no others.
    const argv = ['candidates', 'import', csv, '--dry-run', '-o', 'table']
    expect((await payroll(argv, { home, env })).out).toContain('  3  to create\n  2  doubtful')
  })

  test('holds back nobody, and is in no file that the import keeps', async () => {
    const { importFile, csv, posted, home } = await withTable(...lines)
    const run = await importFile(csv)
    expect(run.err).toContain('the same National Insurance number is in rows 2 and 4')
    expect(posted()).toHaveLength(3)
    const folder = join(home, 'imports')
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.join()).not.toMatch(/300001/)
  })

  test('is found in a row that cannot be sent as well', async () => {
    const { dryRun } = await withTable(...lines.slice(0, 2), 'S-3,,,ZY300001A,,')
    expect((await dryRun()).out).toContain('the same National Insurance number is in rows 2 and 4')
  })

  test('is a PPS number in Ireland, and is found in NDJSON too', async () => {
    const at = await importFixture()
    const rows = ['I-1', 'I-2'].map((ref) => ({ ...person(ref), payrollSetting: { ppsNumber: '1234567FA' } }))
    const run = await at.importRows(rows, '--ireland', '--dry-run')
    const message = 'the same PPS number is in rows 1 and 2'
    expect(run.json().warnings).toContainEqual({ row: 0, path: 'payrollSetting.ppsNumber', message })
  })

  test('is the same where one row leaves out the last letter', async () => {
    const { dryRun } = await withTable(lines[0] ?? '', 'S-2,Ann,Sample,ZY300001,,')
    const run = await dryRun('--incomplete')
    expect([run.code, run.error().issues[0].message]).toEqual([
      3,
      expect.stringContaining('S-1 has the same National Insurance number as S-2 in row 3'),
    ])
  })

  test('is counted where it is in many rows', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `S-${at},Ann,Sample${'abcdefghijkl'[at]},ZY300001A,,`)
    const { dryRun } = await withTable(...rows)
    expect((await dryRun()).out).toContain('is in rows 2, 3, 4, 5, 6, 7 and 6 more')
  })
})

test.each([
  ['a bank account, which couples share', 'ZY300001A,601613,31926819', 'ZY300002A,601613,31926819'],
  ['an empty cell', ',,', ',,'],
  ['a word that stands for no number', 'pending,,', 'pending,,'],
])('%s in several rows is no doubt of that kind', async (_, one, other) => {
  const { dryRun } = await withTable(`S-1,Ann,Sample,${one}`, `S-2,Bob,Sample,${other}`)
  const run = await dryRun()
  expect(run.json()).toMatchObject({ rows: 2, ready: 2 })
  expect(run.out).not.toContain('is in rows')
})

test('two rows with one reference are named for that alone', async () => {
  const { dryRun } = await withTable('S-1,Ann,Sample,ZY300001A,,', 'S-1,Ann,Sample,ZY300001A,,')
  expect((await dryRun()).json()).toMatchObject({ ready: 0, warningCount: 0 })
})

describe('one bank account in several rows of a file', () => {
  const filledDown = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const ni = `ZY3${String(at).padStart(5, '0')}A`
      const surname = `Sample${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`
      return `S-${at},Ann,${surname},${ni},60-16-13,31926819`
    })

  test('is one doubt about the file, which is asked about and which --strict refuses', async () => {
    const { dryRun, importFile, csv, home, env, posted } = await withTable(...filledDown(200))
    const message =
      'column F (Account no): one account for 200 people with different surnames: rows 2, 3, 4, 5, 6, 7 and 194 more'
    const run = await dryRun()
    const about = run.json().warnings.filter(({ row }: { row: number }) => row === 0)
    expect(about).toEqual([{ row: 0, path: 'bankSetting.accountNumber', message }])
    expect(run.out + run.err).not.toContain('31926819')
    const argv = ['candidates', 'import', csv, '--dry-run', '-o', 'table']
    expect((await payroll(argv, { home, env })).out).toContain('200  doubtful')
    const strict = await importFile(csv, '--strict')
    expect(strict.code).toBe(3)
    expect(posted()).toHaveLength(0)
  })

  test('is no doubt for members of a building society, whose roll numbers differ', async () => {
    const { save, importFile } = await importFixture()
    const rows = filledDown(5).map((each, at) => `${each},D/${at}00`)
    const members = save('members.csv', `${header},Roll no`, ...rows)
    const { code, json } = await importFile(members, '--dry-run', '--strict')
    expect([code, json().warningCount]).toEqual([0, 0])
  })

  test('is no doubt for two people, who may be a couple: the preview names their rows', async () => {
    const { csv, home, env } = await withTable(...filledDown(2))
    const argv = ['candidates', 'import', csv, '--dry-run', '--strict', '-o', 'table']
    const { code, out } = await payroll(argv, { home, env })
    expect([code, out]).toEqual([0, expect.not.stringContaining('doubtful')])
    const also = 'Also:\n  column F (Account no): one account for 2 people with different surnames:'
    expect(out).toContain(also)
  })
})
