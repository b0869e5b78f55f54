import { describe, expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'
import { file } from '../targets.ts'

async function office(seeded = false) {
  const { env, home } = await startSandbox({ seeded })
  const run = (words: readonly string[], input = '') => payroll(words, { home, env, input })
  return { run, home }
}

describe('a record in JSON', () => {
  const flat = { agencyRef: 'F-1', forename: 'A', surname: 'B' }
  const named = { generalSetting: flat }
  const labelled = { 'Agency reference': 'F-1', Forename: 'A', Surname: 'B' }
  const nulls = { generalSetting: { ...flat, city: null }, bankSetting: { accountName: null } }
  const nullable = { generalSetting: { ...flat, department: null }, payrollSetting: { UTRNo: null } }
  const answered = { ...flat, setting: { taxCode: 'BR' } }
  test.each<[names: string, record: object, body: object]>([
    ['flat names', flat, named],
    ['labels', labelled, named],
    ['the names of the answer', answered, { ...named, payrollSetting: { taxCode: 'BR' } }],
    ['null for what is not given, and a section of nothing else', nulls, { ...named, bankSetting: {} }],
    ['null where interface.md calls the field nullable', nullable, nullable],
    ['what only the service sets', { id: 'x', status: 'ACTIVE', ...named }, named],
  ])('with %s is taken by create and by import', async (_, record, body) => {
    const { run, home } = await office()
    const created = await run(['candidates', 'create', '--dry-run', '--json'], JSON.stringify(record))
    expect([created.code, created.json().body]).toEqual([0, body])
    const people = file(home, 'people.ndjson', `${JSON.stringify(record)}\n`)
    const imported = await run(['candidates', 'import', people, '--json'])
    expect([imported.code, imported.json().created]).toEqual([0, 1])
    expect((await run(['candidates', 'list'])).json()).toMatchObject([{ agencyRef: 'F-1', surname: 'B' }])
  })
})

test.each([
  ['create --set foo=1', ''],
  ['create', '{"foo":1}'],
  ['create', '{"rates":[{"foo":1}]}'],
  ['update ID', '{"foo":1}'],
  ['update ID --set foo=1', ''],
])('a field that payroll does not know is exit 3 in timesheets %s %s', async (words, input) => {
  const { run } = await office(true)
  const list = async () => (await run(['timesheets', 'list'])).json()
  const before = await list()
  expect(await run(['timesheets', ...words.replace('ID', before[0].id).split(' ')], input)).toMatchObject(
    endedWith(3, /foo: not a field of a timesheet/),
  )
  expect(await list()).toEqual(before)
})

test('a field that payroll does not know can be changed where the timesheet has it', async () => {
  const { run } = await office()
  const week = '{"subcontractorRef":"A-1","rates":[{"units":"8"}],"costCentre":"X"}'
  await run(['api', 'POST', '/svc/time-sheets', '--file', '-'], week)
  const [{ id }] = (await run(['timesheets', 'list'])).json()
  const updated = await run(['timesheets', 'update', id, '--set', 'costCentre=Y'])
  expect([updated.code, updated.json().costCentre]).toEqual([0, 'Y'])
  const piped = await run(
    ['timesheets', 'update', id],
    JSON.stringify({ ...updated.json(), costCentre: 'Z' }),
  )
  expect([piped.code, piped.json().costCentre]).toEqual([0, 'Z'])
})
