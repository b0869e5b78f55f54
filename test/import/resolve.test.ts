import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withLock } from '../../src/files/local/lock.ts'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { importFixture, lose, onRow, people, person } from './import-fixture.ts'
import { sharedJournal } from './shared-journal/empty-journal.ts'
import { otherRun } from './shared-journal/other-run.ts'
import { withoutPostgres } from './shared-journal/postgres.ts'

const { journals, shared } = sharedJournal()

/** An import of five people, of whom the service lost A-003 twice. */
async function importWithDoubt(
  more: Readonly<Record<string, string>> = {},
  rows: readonly unknown[] = people(5),
) {
  const at = await importFixture('candidates', more)
  at.intercept(onRow('A-003', lose))
  const first = await at.importRows(rows)
  at.intercept(() => false)
  const words = ['candidates', 'import', 'resolve', at.file, '--settle', '0']
  return {
    ...at,
    first,
    words,
    resolve: (...argv: string[]) => payroll([...words, '--json', ...argv], at),
    unknown: async () =>
      (await payroll([...words, '--json'], at)).json().map(({ row }: { row: number }) => row),
    idOf: async (reference: string) => (await at.record(reference))?.id,
  }
}

describe.each(journals)('import resolve with a journal $where', ({ variables, missing }) => {
  const it = test.skipIf(missing)
  const here = () => importWithDoubt(variables())

  it('takes one row at a time', async () => {
    const at = await here()
    const run = await at.resolve('--row', '3', '--row', '4', '--send-again')
    expect(run).toMatchObject(endedWith(2, 'Name one at a time.'))
    expect(await at.unknown()).toEqual([3])
  })

  it('--send-again lets the next import send a row that is not there', async () => {
    const at = await here()
    expect(at.first.code).toBe(8)
    const run = await at.resolve('--row', '3', '--send-again')
    expect(run).toMatchObject({ code: 0 })
    expect(run.json()).toMatchObject({ row: 3, key: 'A-003', resolved: 'send-again', unknown: 0 })
    expect(await at.unknown()).toEqual([])
    const again = await at.import()
    expect([again.code, again.json()]).toMatchObject([
      0,
      { rows: 5, created: 1, createdEarlier: 4, unresolved: 0 },
    ])
    expect(at.postsOf('A-003')).toBe(3)
  })

  it('--created counts a row as created, under the id of a record that is compared with it', async () => {
    const at = await here()
    await at.call('POST', '/svc/candidates', people(3)[2])
    const id = await at.idOf('A-003')
    const run = await at.resolve('--row', '3', '--created', id)
    expect(run.json()).toMatchObject({ resolved: 'created', id })
    expect(await at.unknown()).toEqual([])
    const again = await at.import()
    expect([again.code, again.json()]).toMatchObject([0, { createdEarlier: 5, unresolved: 0 }])
  })

  it('--leave leaves a row for good: it is counted, and not looked for again', async () => {
    const at = await here()
    // As the error of the import names it.
    expect(await at.resolve('--row', 'row 3', '--leave')).toMatchObject({ code: 0 })
    expect(await at.unknown()).toEqual([])
    const again = await at.import('--results', join(at.home, 'results.json'))
    const counts = { rows: 5, createdEarlier: 4, left: 1, unresolved: 0, pending: 0 }
    expect([again.code, again.json()]).toMatchObject([0, counts])
    expect(at.postsOf('A-003')).toBe(2)
  })
})

test.skipIf(withoutPostgres)(
  'import resolve leaves a row that a run on another computer has (exit 11)',
  async () => {
    const at = await importWithDoubt()
    const other = await otherRun(shared().PAYROLL_JOURNAL, at.baseUrl, ['a-003'])
    const env = { ...at.env, ...shared() }
    const run = await payroll([...at.words, '--row', '3', '--send-again'], { home: at.home, env })
    await other.close()
    expect(run.code).toBe(11)
    expect(await at.unknown()).toEqual([3])
  },
)

describe('import resolve', () => {
  test('is named by the error of the import, and without a row lists those that are unknown, and asks the service nothing', async () => {
    const at = await importWithDoubt()
    const { hint } = at.first.error()
    expect(hint).toContain(`payroll candidates import resolve ${at.file} --row 3`)
    const asked = at.received.length
    expect((await at.resolve()).json()).toEqual([
      { row: 3, key: 'A-003', doubt: expect.stringContaining('it was sent twice') },
    ])
    expect(at.received).toHaveLength(asked)
  })

  test('takes the command of the error for the row that it is about, where its reference is the number of another row', async () => {
    const at = await importFixture()
    at.intercept(onRow('3', lose))
    await at.importRows([...people(2), person('3')])
    const resolve = (...argv: string[]) =>
      payroll(
        ['candidates', 'import', 'resolve', at.file, '--row', '3', '--settle', '0', '--json', ...argv],
        at,
      )
    at.intercept(onRow('A-003', lose))
    const both = await at.importRows(people(3))
    expect(both.code).toBe(8)
    expect(await resolve('--leave')).toMatchObject(endedWith(2, 'both are unknown'))
    at.intercept(() => false)
    at.write(people(2).concat(person('A-009')))
    expect((await resolve('--leave')).json()).toMatchObject({ row: null, key: '3', resolved: 'leave' })
  })

  test('takes a reference of digits that is the number of no row', async () => {
    const at = await importFixture()
    at.intercept(onRow('1041', lose))
    expect((await at.importRows([...people(2), person('1041')])).code).toBe(8)
    const words = ['candidates', 'import', 'resolve', at.file, '--row', '1041', '--leave', '--json']
    expect((await payroll(words, at)).json()).toMatchObject({ row: 3, key: '1041', resolved: 'leave' })
  })

  test('notes in the journal who said it, and when', async () => {
    const at = await importWithDoubt()
    const { by, time } = (await at.resolve('--row', '3', '--send-again')).json()
    expect(by).toBe(userInfo().username)
    const line = at.journal().at(-1)
    expect(line).toMatchObject({ key: 'A-003', state: 'pending', attempt: 2, via: 'person', by })
    expect(new Date(line.at).toISOString().slice(0, 16)).toBe(time.slice(0, 16))
  })

  test.each<[string, unknown]>([
    ['the reference of the row', person('A-003')],
    ['its NI number under another reference', person('X-9', { NINumber: 'AB123456C' })],
  ])('--send-again refuses a row where somebody on the service has %s', async (_, there) => {
    const at = await importWithDoubt({}, [...people(2), person('A-003', { NINumber: 'AB123456C' })])
    await at.call('POST', '/svc/candidates', there)
    const run = await at.resolve('--row', '3', '--send-again')
    expect([run.code, run.error().message]).toEqual([6, expect.stringContaining('Nothing was noted.')])
    expect(await at.unknown()).toEqual([3])
  })

  test.each<[string, string, object | undefined, number, string]>([
    ['that is not there', 'no-such-id', undefined, 5, 'takes the id that the service gave the record'],
    ['of another row', 'A-002', undefined, 6, 'as Ann Sample A-002 (A-002), and the row is for A-003'],
    [
      ...(['of somebody with another name under its reference', 'A-003'] as const),
      ...([{ forename: 'Tom', surname: 'Other' }, 6, 'is another person than the row'] as const),
    ],
    ['of a person whose surname differs', 'A-003', { surname: 'Married' }, 2, ''],
  ])('--created refuses a record %s', async (_, record, there, code, message) => {
    const at = await importWithDoubt()
    if (there) await at.call('POST', '/svc/candidates', person('A-003', { ...there }))
    const run = await at.resolve('--row', '3', '--created', (await at.idOf(record)) ?? record)
    expect([run.code, run.err]).toEqual([code, expect.stringContaining(message)])
    expect(await at.unknown()).toEqual([3])
  })

  test('--created takes a name that differs with --yes', async () => {
    const at = await importWithDoubt()
    await at.call('POST', '/svc/candidates', person('A-003', { surname: 'Married' }))
    const id = await at.idOf('A-003')
    expect((await at.resolve('--row', '3', '--created', id, '--yes')).json()).toMatchObject({ id })
  })

  test('--created asks at a terminal about a name that differs', async () => {
    const at = await importWithDoubt()
    await at.call('POST', '/svc/candidates', person('A-003', { surname: 'Married' }))
    const run = atTerminal([...at.words, '--row', '3', '--created', await at.idOf('A-003')], at)
    await run.type('Is it the person of this row?', 'y\r')
    expect((await run.ended).code).toBe(0)
    expect(await at.unknown()).toEqual([])
  })

  test('is refused where its words do not say one verdict of one row that is unknown (exit 2)', async () => {
    const at = await importWithDoubt()
    for (const [words, message] of [
      [
        '--row 1 --leave',
        'Row 1, A-001: its outcome is known (created), so there is nothing to resolve. Nothing was noted.',
      ],
      ['--row 9 --leave', 'has the number or the reference 9. Nothing was noted.'],
      ['--row 9', 'each by its number or reference: row 3, A-003.'],
      ['--row 3', 'What became of row 3, A-003? It was sent twice: no answer came'],
      ['--row 1', 'Row 1, A-001: its outcome is known (created)'],
      ['--leave', 'Which row? Name it with --row. Nothing was noted.'],
      ['--row 3 --leave --send-again', '--send-again and --leave cannot be combined'],
    ] as const) {
      const run = await at.resolve(...words.split(' '))
      const { message: says, hint } = run.error()
      expect([run.code, `${says} ${hint}`]).toEqual([2, expect.stringContaining(message)])
    }
  })

  test('ends with exit 11 while an import of the file is running', async () => {
    const at = await importWithDoubt()
    const resolve = () => at.resolve('--row', '3', '--leave')
    const locked = { waitMs: 0, against: 'everybody' } as const
    expect((await withLock(`the import of ${at.file}`, resolve, locked)).code).toBe(11)
  })

  test('of a row that is no longer in the file takes its reference', async () => {
    const at = await importWithDoubt()
    at.write(people(5).filter((_, index) => index !== 2))
    expect((await at.resolve()).json()).toMatchObject([{ row: null, key: 'A-003' }])
    const again = await at.resolve('--row', 'A-003', '--send-again')
    expect(again).toMatchObject(endedWith(2, 'so it cannot be sent again. Nothing was noted.'))
    expect((await at.resolve('--row', 'A-003', '--leave')).code).toBe(0)
    expect((await at.import()).code).toBe(0)
  })

  test('counts for the import of another file that is in doubt about the row', async () => {
    const at = await importWithDoubt()
    const copy = join(at.home, 'copy.ndjson')
    at.write(people(5), copy)
    expect((await at.importFile(copy)).code).toBe(8)
    const words = ['candidates', 'import', 'resolve', copy, '--settle', '0', '--row', '3', '--send-again']
    expect((await payroll(words, at)).code).toBe(0)
    expect((await at.importFile(copy)).code).toBe(0)
    expect((await at.import()).code).toBe(0)
    expect((await at.there()).filter((each) => each === 'A-003')).toHaveLength(1)
  })

  test.each([
    ['--send-again', { updated: 1, left: 0 }],
    ['--leave', { updated: 0, left: 1 }],
  ])('%s settles a change whose outcome is unknown', async (verdict, summary) => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', person('A-001', { city: 'Leeds' }))
    const csv = at.save('staff.csv', 'Agency reference,Town', 'A-001,York')
    at.intercept(({ method }, response) => {
      if (method === 'PUT') response.destroy()
      return response.destroyed
    })
    const first = await at.importFile(csv, '--update')
    expect(first.code).toBe(8)
    expect(first.error().hint).toContain(`import resolve ${csv} --row 2`)
    at.intercept(() => false)
    const words = ['candidates', 'import', 'resolve', csv, '--settle', '0', '--row', '2']
    const resolve = (...argv: string[]) => payroll([...words, ...argv], at)
    expect((await resolve('--created', 'A-001')).code).toBe(2)
    const resolved = await resolve(verdict, '-o', 'table')
    expect(resolved.code).toBe(0)
    if (verdict === '--send-again')
      expect(resolved.out).toContain(`payroll candidates import ${csv} --update`)
    const again = await at.importFile(csv, '--update')
    expect([again.code, again.json()]).toMatchObject([0, { rows: 1, unresolved: 0, ...summary }])
  })
})
