import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

/** A sandbox with records of each kind, and what it has of them. */
async function office() {
  const { env, home } = await startSandbox()
  const run = (words: readonly string[], input: unknown = '') =>
    payroll(words, { home, env, input: typeof input === 'string' ? input : JSON.stringify(input) })
  const create = async (noun: string, more: readonly string[], record: unknown) => {
    await run(['api', 'POST', noun, '--file', '-'], record)
    const resource = noun.includes('candidates')
      ? 'candidates'
      : noun.includes('rate')
        ? 'payment-rates'
        : 'timesheets'
    const id: string = (await run([resource, 'list', ...more])).json().at(-1).id
    const get = async () => (await run([resource, 'get', id, ...more])).json()
    const update = (record: unknown, ...options: string[]) =>
      run([resource, 'update', id, ...more, '--json', ...options], record)
    return { id, get, update }
  }
  return { run, home, create }
}

type Created = Awaited<ReturnType<Awaited<ReturnType<typeof office>>['create']>>

const person = {
  generalSetting: { agencyRef: 'A-1', forename: 'Ann', surname: 'Example', city: 'Leeds' },
  bankSetting: { accountName: 'Ann Example', accountNumber: '31926819', sortCode: '601613' },
  payrollSetting: { paymentModel: 'PAYEE', taxCode: '1257L' },
}
const rate = { code: 'NIGHT', description: 'Night', hoursPerUnit: 7.5, includeInPayeCalculation: true }
const week = { subcontractorRef: 'A-1', rates: [{ rateId: 'r', rate: '10.00', units: '8' }], costCentre: 'X' }

describe('what get prints, changed and piped to update', () => {
  test.each<[string, string, readonly string[], unknown, (record: any) => object, object]>([
    [
      'a UK candidate',
      '/svc/candidates',
      [],
      everyField('uk'),
      (it) => ({ ...it, setting: { ...it.setting, taxCode: '1300L' } }),
      { setting: expect.objectContaining({ taxCode: '1300L' }) },
    ],
    [
      'an Irish candidate',
      '/svc/candidates/ireland',
      ['--ireland'],
      everyField('ireland'),
      (it) => ({ ...it, bank: { ...it.bank, accountName: 'A Example' } }),
      { bank: expect.objectContaining({ accountName: 'A Example' }) },
    ],
    [
      'a payment rate',
      '/svc/payment-rate',
      [],
      rate,
      (it) => ({ ...it, hoursPerUnit: '8' }),
      { hoursPerUnit: '8', includeInPayeUmbrellaCalculation: true, description: 'Night' },
    ],
    [
      'a timesheet',
      '/svc/time-sheets',
      [],
      week,
      (it) => ({ ...it, rates: [{ ...it.rates[0], units: '7.5' }] }),
      { costCentre: 'X', rates: [{ rateId: 'r', rate: '10.00', units: '7.5' }] },
    ],
  ])('changes %s and nothing else', async (_, path, more, record, change, wanted) => {
    const one = await (await office()).create(path, more, record)
    const before = await one.get()
    const unchanged = await one.update(before)
    expect([unchanged.code, unchanged.err]).toEqual([0, expect.stringContaining('Nothing to change')])
    const updated = await one.update(change(before))
    expect(updated.code).toBe(0)
    const after = await one.get()
    expect(after).toMatchObject(wanted)
    const { updatedAt: _then, ...changed } = change(before) as Record<string, unknown>
    expect(after).toMatchObject(changed)
  })

  test('may be a record of export', async () => {
    const { run, create } = await office()
    const one = await create('/svc/candidates', [], person)
    const [exported] = (await run(['candidates', 'export', '-o', 'json'])).json()
    expect(exported.id).toBe(one.id)
    expect((await one.update({ ...exported, city: undefined })).code).toBe(0)
    const updated = await one.update({ id: exported.id, payrollSetting: { taxCode: 'BR' } })
    expect([updated.code, updated.json().setting.taxCode]).toEqual([0, 'BR'])
  })

  test.each<[string, (one: Created) => Promise<unknown>, number, string]>([
    ['another id', async () => ({ id: 'somebody-else', city: 'Hull' }), 3, 'it is somebody-else'],
    [
      'a field that only the service sets',
      async (one) => ({ ...(await one.get()), status: 'LEFT' }),
      3,
      'status: only the service sets',
    ],
    [
      'two values of one field',
      async (one) => ({ ...(await one.get()), payrollSetting: { taxCode: 'BR' } }),
      3,
      'setting.taxCode and payrollSetting.taxCode are one field',
    ],
    [
      'a field that nobody knows',
      async (one) => ({ ...(await one.get()), shoeSize: 7 }),
      3,
      'shoeSize: not a field',
    ],
    [
      'null in place of a value',
      async (one) => ({ ...(await one.get()), city: null }),
      3,
      'generalSetting.city: expected text',
    ],
  ])(
    'what get prints, changed and piped to update with %s is refused, and nothing is sent',
    async (_, given, code, says) => {
      const { run, create } = await office()
      const one = await create('/svc/candidates', [], person)
      const before = await one.get()
      const updated = await run(['candidates', 'update', one.id], await given(one))
      expect([updated.code, updated.err]).toEqual([code, expect.stringContaining(says)])
      expect(updated.err).toContain('Nothing was sent.')
      expect(await one.get()).toEqual(before)
    },
  )

  test('is refused with exit 6 where the record was changed after it was read', async () => {
    const one = await (await office()).create('/svc/payment-rate', [], rate)
    const read = await one.get()
    expect((await one.update({ description: 'Late' })).code).toBe(0)
    const updated = await one.update({ ...read, code: 'LATE', updatedAt: '2020-01-01T00:00:00.000Z' })
    expect([updated.code, updated.error().message]).toEqual([6, expect.stringContaining('Somebody changed')])
    expect(await one.get()).toMatchObject({ code: 'NIGHT', description: 'Late' })
  })
})

describe('a record in JSON', () => {
  const named = { generalSetting: { agencyRef: 'F-1', forename: 'A', surname: 'B' } }
  test.each<[string, unknown, object]>([
    ['with flat names', { agencyRef: 'F-1', forename: 'A', surname: 'B' }, named],
    ['with labels', { 'Agency reference': 'F-1', Forename: 'A', Surname: 'B' }, named],
    [
      'with the names of the answer',
      { agencyRef: 'F-1', forename: 'A', surname: 'B', setting: { taxCode: 'BR' } },
      { ...named, payrollSetting: { taxCode: 'BR' } },
    ],
    [
      'with null for what is not given',
      { generalSetting: { ...named.generalSetting, city: null }, bankSetting: { accountName: null } },
      named,
    ],
    ['with what only the service sets', { id: 'x', status: 'ACTIVE', ...named }, named],
  ])('%s is taken by create and by import', async (_, record, body) => {
    const { run, home } = await office()
    const created = await run(['candidates', 'create', '--dry-run', '--json'], record)
    expect([created.code, created.json().body]).toEqual([0, body])
    const file = join(home, 'people.ndjson')
    writeFileSync(file, `${JSON.stringify(record)}\n`)
    const imported = await run(['candidates', 'import', file, '--json'])
    expect([imported.code, imported.json().created]).toEqual([0, 1])
    expect((await run(['candidates', 'list'])).json()).toMatchObject([{ agencyRef: 'F-1', surname: 'B' }])
  })

  test('a record in JSON with flat names is taken by update', async () => {
    const one = await (await office()).create('/svc/candidates', [], person)
    expect((await one.update({ city: 'Hull', taxCode: 'BR' })).code).toBe(0)
    expect(await one.get()).toMatchObject({ city: 'Hull', setting: { taxCode: 'BR' } })
  })
})

describe('a field of a timesheet that payroll does not know', () => {
  test.each([
    ['create --set', ['create', '--set', 'foo=1'], ''],
    ['create', ['create'], '{"foo":1}'],
    ['create, in a rate', ['create'], '{"rates":[{"foo":1}]}'],
    ['update', ['update', 'ID'], '{"foo":1}'],
    ['update --set', ['update', 'ID', '--set', 'foo=1'], ''],
  ])('is exit 3 in %s', async (_, words, input) => {
    const { run, create } = await office()
    const { id } = await create('/svc/time-sheets', [], week)
    const argv = ['timesheets', ...words.map((word) => (word === 'ID' ? id : word))]
    const ended = await run(argv, input)
    expect([ended.code, ended.err]).toEqual([3, expect.stringMatching(/foo: not a field of a timesheet/)])
    expect((await run(['timesheets', 'list'])).json()).toHaveLength(1)
  })

  test('can be changed where the timesheet has it', async () => {
    const one = await (await office()).create('/svc/time-sheets', [], week)
    expect((await one.update('', '--set', 'costCentre=Y')).code).toBe(0)
    expect((await one.get()).costCentre).toBe('Y')
    expect((await one.update({ ...(await one.get()), costCentre: 'Z' })).code).toBe(0)
    expect((await one.get()).costCentre).toBe('Z')
  })
})
