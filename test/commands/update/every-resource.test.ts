import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

/** A fresh sandbox that may hold fields nobody declared: what is posted to it is not checked by the client. */
async function sandbox() {
  const { env: own, home } = await startSandbox()
  const run = (words: string[], input = '', more: Record<string, string> = {}) =>
    payroll(words, { home, input, env: { ...own, ...more } })
  /** Creates by a raw call, so that unknown fields pass. */
  const create = async (path: string, body: unknown) =>
    run(['api', 'POST', path, '--file', '-'], JSON.stringify(body))
  return { run, create, home }
}

interface Case {
  readonly path: string
  readonly words: string[]
  readonly more: string[]
  readonly body: unknown
  readonly set: string
  /** The one place of the answer that changes. */
  readonly changed: Record<string, unknown>
}

const strange = { strangeField: { kept: ['as', 'it', 'is'] } }

const cases: Record<string, Case> = {
  'a UK candidate': {
    path: '/svc/candidates',
    words: ['candidates'],
    more: [],
    body: everyField('uk'),
    set: 'generalSetting.city=Leeds',
    changed: { city: 'Leeds' },
  },
  'an Irish candidate': {
    path: '/svc/candidates/ireland',
    words: ['candidates'],
    more: ['--ireland'],
    body: (() => {
      const body = everyField('ireland')
      return { ...body, bankSetting: { ...body.bankSetting, ...strange } }
    })(),
    set: 'generalSetting.city=Cork',
    changed: { city: 'Cork' },
  },
  'a payment rate': {
    path: '/svc/payment-rate',
    words: ['payment-rates'],
    more: [],
    body: {
      code: 'NIGHT',
      description: 'Night',
      hoursPerUnit: 7.5,
      includeInPayeCalculation: true,
      ...strange,
    },
    set: 'description=Night shift',
    changed: { description: 'Night shift' },
  },
  'a timesheet': {
    path: '/svc/time-sheets',
    words: ['timesheets'],
    more: [],
    body: { subcontractorRef: 'TEST', rates: [{ rateId: '1', rate: '10.00', units: '8' }], ...strange },
    set: 'assignmentRef=TEST-2',
    changed: { assignmentRef: 'TEST-2' },
  },
}

/** What a service writes down by itself at every change. */
const clock = ({ updatedAt: _, ...record }: Record<string, unknown>) => record

describe('get, update with one --set, get', () => {
  test.each(Object.entries(cases))('changes one field of %s and no other', async (_, each) => {
    const { run, create } = await sandbox()
    await create(each.path, each.body)
    const [{ id }] = (await run([...each.words, 'list', ...each.more])).json()
    const before = (await run([...each.words, 'get', id, ...each.more])).json()
    const updated = await run([...each.words, 'update', id, ...each.more, '--set', each.set])
    expect([updated.code, updated.err]).toEqual([0, expect.stringContaining('→')])
    const after = (await run([...each.words, 'get', id, ...each.more])).json()
    expect(clock(after)).toEqual({ ...clock(before), ...each.changed })
  })

  test('keeps fields that nobody declared', async () => {
    const { run, create } = await sandbox()
    for (const { path, words, more, body, set } of Object.values(cases).slice(1)) {
      await create(path, body)
      const [{ id }] = (await run([...words, 'list', ...more])).json()
      await run([...words, 'update', id, ...more, '--set', set])
      const record = (await run([...words, 'get', id, ...more])).json()
      expect(record.bank ?? record).toMatchObject(strange)
    }
  })

  test('changes one field of a document and no other, its bytes included', async () => {
    const { run, create } = await sandbox()
    await create('/svc/candidates', {})
    const employee = (await run(['candidates', 'list'])).json()[0].id
    const of = ['--employee', employee]
    await run(['documents', 'create', ...of], '{"name":"a.txt","content":"ZmFrZQ==","description":"One"}')
    const [{ id }] = (await run(['documents', 'list', ...of])).json()
    const before = (await run(['documents', 'get', id, ...of])).json()
    await run(['documents', 'update', id, ...of, '--set', 'description=Two'])
    const after = (await run(['documents', 'get', id, ...of])).json()
    expect(clock(after)).toEqual({ ...clock(before), description: 'Two' })
    expect(after.content).toBe('ZmFrZQ==')
  })
})

describe('update', () => {
  test('--set of one element of a list leaves the others', async () => {
    const { run, create } = await sandbox()
    await create('/svc/time-sheets', { rates: [{ units: '8' }, { units: '7', rate: '10.00' }] })
    const [{ id }] = (await run(['timesheets', 'list'])).json()
    await run(['timesheets', 'update', id, '--set', 'rates[1].units=7.5'])
    expect((await run(['timesheets', 'get', id])).json().rates).toEqual([
      { units: '8' },
      { units: '7.5', rate: '10.00' },
    ])
  })

  test('names the fields that the service did not return and that are not sent', async () => {
    const { run, create } = await sandbox()
    await create('/svc/candidates/ireland', cases['an Irish candidate']?.body)
    const [{ id }] = (await run(['candidates', 'list', '--ireland'])).json()
    const { err } = await run(['candidates', 'update', id, '--ireland', '--set', 'generalSetting.city=Cork'])
    for (const name of [
      'scheme',
      'reference',
      'isSalarySacrifice',
      'pensionCalculationType',
      'holidayPayOpeningBalance',
    ]) {
      expect(err).toContain(name)
    }
  })

  test('--edit opens the editor with the record in the names of a request', async () => {
    const { run, create, home } = await sandbox()
    await create('/svc/payment-rate', { code: 'NIGHT', description: 'Night' })
    const [{ id }] = (await run(['payment-rates', 'list'])).json()
    const editor = join(home, 'editor.mjs')
    writeFileSync(
      editor,
      `import { readFileSync, writeFileSync } from 'node:fs'
       const file = process.argv[2]
       const record = JSON.parse(readFileSync(file, 'utf8'))
       writeFileSync(file, JSON.stringify({ ...record, description: 'Edited' }))`,
    )
    const argv = ['payment-rates', 'update', id, '--edit']
    expect((await run(argv)).code).toBe(2)
    const edited = await run(argv, '', {
      EDITOR: `${process.execPath} ${editor}`,
      PATH: process.env.PATH ?? '',
    })
    expect([edited.code, edited.json().description]).toEqual([0, 'Edited'])
    expect(readdirSync(home).filter((name) => name.startsWith('edit-'))).toEqual([])
  })
})
