import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { endedWith, payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

/** Nobody declared these. */
const strange = { strangeField: { kept: ['as', 'it', 'is'] }, byYear: { 2025: null, 2026: { 4: 'open' } } }
const rates = [{ units: '8' }, { rateId: '1', rate: '10.00', units: '8' }]
const inBank = (body: any) => ({ ...body, bankSetting: { ...body.bankSetting, ...strange } })

interface Case {
  readonly path: string
  readonly noun: string
  readonly more?: readonly string[]
  readonly body: object
  readonly set: string
  /** What the answer has then. */
  readonly changed: Record<string, unknown>
}

const cases: Record<string, Case> = {
  'a UK candidate': {
    path: '/svc/candidates',
    noun: 'candidates',
    body: inBank(everyField('uk')),
    set: 'generalSetting.city=Leeds',
    changed: { city: 'Leeds' },
  },
  'an Irish candidate': {
    path: '/svc/candidates/ireland',
    noun: 'candidates',
    more: ['--ireland'],
    body: inBank(everyField('ireland')),
    set: 'generalSetting.city=Cork',
    changed: { city: 'Cork' },
  },
  'a payment rate': {
    path: '/svc/payment-rate',
    noun: 'payment-rates',
    body: { code: 'N', description: 'Night', hoursPerUnit: 7.5, includeInPayeCalculation: true, ...strange },
    set: 'description=Night shift',
    changed: { description: 'Night shift' },
  },
  'a timesheet': {
    path: '/svc/time-sheets',
    noun: 'timesheets',
    body: { subcontractorRef: 'TEST', rates, ...strange },
    set: 'rates[1].units=7.5',
    changed: { rates: [rates[0], { ...rates[1], units: '7.5' }] },
  },
}

/** A sandbox with one of these, created by a raw call so that unknown fields pass. */
async function held({ path, noun, more = [], body }: Pick<Case, 'path' | 'noun' | 'more' | 'body'>) {
  const { env: own, home, received } = await startSandbox()
  const run = (words: readonly string[], input?: unknown, env = {}) =>
    payroll(words, { home, input: input === undefined ? '' : JSON.stringify(input), env: { ...own, ...env } })
  await run(['api', 'POST', path, '--file', '-'], body)
  const [{ id }] = (await run([noun, 'list', ...more])).json()
  const get = async () => (await run([noun, 'get', id, ...more])).json()
  const update = (options: readonly string[], input?: unknown, env = {}) =>
    run([noun, 'update', id, ...more, ...options], input, env)
  const puts = () => received.filter(({ method }) => method === 'PUT')
  return { home, env: own, run, id, get, update, puts }
}

/** What a service writes down by itself at every change. */
const clock = ({ updatedAt: _, warnings: __, ...record }: Record<string, unknown>) => record

describe.each(Object.entries(cases))('an update of %s', (name, each) => {
  test('with one --set changes one field and no other, and keeps what nobody declared', async () => {
    const { id, env, get, update } = await held(each)
    const before = await get()
    const { code, err, json } = await update(['--set', each.set])
    expect([code, err]).toEqual([0, expect.stringContaining('→')])
    expect(err).toContain(`\nUpdated ${name} (${id}) on ${env.PAYROLL_BASE_URL}.\n`)
    expect(clock(json())).toEqual({ ...clock(before), ...each.changed })
    expect(json()).toMatchObject(await get())
    expect(json().bank ?? json()).toMatchObject(strange)
  })

  test('by what get prints changes nothing, and what is changed in it alone', async () => {
    const { get, update, puts } = await held(each)
    const before = await get()
    const same = await update([], before)
    expect([same.code, same.json(), puts()]).toEqual([0, before, []])
    expect(same.err).toContain('Nothing to change: the service already has these values.\n')
    expect((await update([], { ...before, ...each.changed })).code).toBe(0)
    expect(clock(await get())).toEqual({ ...clock(before), ...each.changed })
  })
})

test('documents update changes one field of a document and no other, its bytes included', async () => {
  const { run, id: employee } = await held({ path: '/svc/candidates', noun: 'candidates', body: {} })
  const documents = (verb: string, ...words: string[]) =>
    run(['documents', verb, ...words, '--employee', employee])
  await documents('create', '--set', 'name=a.txt', '--set', 'content=ZmFrZQ==', '--set', 'description=One')
  const [{ id }] = (await documents('list')).json()
  const before = (await documents('get', id)).json()
  await documents('update', id, '--set', 'description=Two')
  const after = (await documents('get', id)).json()
  expect(clock(after)).toEqual({ ...clock(before), description: 'Two' })
  expect(after.content).toBe('ZmFrZQ==')
})

describe('what get prints, changed and piped to update', () => {
  const person = {
    generalSetting: { agencyRef: 'A-1', forename: 'Ann', surname: 'Example', city: 'Leeds' },
    bankSetting: { accountName: 'Ann Example', accountNumber: '31926819', sortCode: '601613' },
    payrollSetting: { paymentModel: 'PAYEE', taxCode: '1257L' },
  }
  const candidate = { path: '/svc/candidates', noun: 'candidates', body: person }

  test('may be a record of export, or have flat names', async () => {
    const { run, id, update, get } = await held(candidate)
    const [exported] = (await run(['candidates', 'export', '-o', 'json'])).json()
    expect(exported.id).toBe(id)
    expect((await update([], { ...exported, city: undefined })).code).toBe(0)
    expect((await update([], { id, payrollSetting: { taxCode: 'BR' } })).json().setting.taxCode).toBe('BR')
    expect((await update([], { city: 'Hull', taxCode: '0T' })).code).toBe(0)
    expect(await get()).toMatchObject({ city: 'Hull', setting: { taxCode: '0T' } })
  })

  test.each<[what: string, more: object, says: string]>([
    ['another id', { id: 'somebody-else' }, 'it is somebody-else'],
    ['a field that only the service sets', { status: 'LEFT' }, 'status: only the service sets'],
    [
      'two values of one field',
      { payrollSetting: { taxCode: 'BR' } },
      'setting.taxCode and payrollSetting.taxCode are one field',
    ],
    ['a field that nobody knows', { shoeSize: 7 }, 'shoeSize: not a field'],
    ['null in place of a value', { city: null }, 'generalSetting.city: expected text'],
  ])('is exit 3 with %s, and nothing is sent', async (_, more, says) => {
    const { get, update } = await held(candidate)
    const before = await get()
    const { code, err } = await update([], { ...before, ...more })
    expect([code, err]).toEqual([3, expect.stringContaining(says)])
    expect(err).toContain('Nothing was sent.')
    expect(await get()).toEqual(before)
  })

  test('is exit 6 where the record was changed after it was read', async () => {
    const { get, update } = await held(cases['a payment rate'] as Case)
    const read = await get()
    expect((await update([], { description: 'Late' })).code).toBe(0)
    expect(await update([], { ...read, code: 'LATE', updatedAt: '2020-01-01T00:00:00.000Z' })).toMatchObject(
      endedWith(6, 'Somebody changed'),
    )
    expect(await get()).toMatchObject({ code: 'N', description: 'Late' })
  })

  test('is what --edit opens in the editor, whose file is gone afterwards', async () => {
    const { home, update } = await held(cases['a payment rate'] as Case)
    const EDITOR = 'sed -i s/Night/Edited/'
    const edited = await update(['--edit'], undefined, { EDITOR, PATH: process.env.PATH ?? '' })
    expect([edited.code, edited.json().description]).toEqual([0, 'Edited'])
    expect(readdirSync(home).filter((name) => name.startsWith('edit-'))).toEqual([])
  })
})
