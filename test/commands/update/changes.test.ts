import { describe, expect, test } from 'vitest'
import { updateOne } from './one-record.ts'

const person = {
  ...{ id: 'a1', agencyRef: 'A-1', forename: 'Ann', surname: 'Example', city: 'Leeds' },
  bank: { accountName: 'Ann Example', accountNumber: '31926819', sortCode: '601613' },
  setting: { paymentModel: 'PAYEE', taxCode: '1257L' },
}
const argv = (...words: string[]) => ['candidates', 'update', 'a1', '--id', ...words]
const moved = { path: 'generalSetting.city', from: 'Leeds', to: 'York' }
const inYork = { reads: [person, person, { ...person, city: 'York' }] }

describe('update --changes', () => {
  test('prints what was changed in place of the record', async () => {
    const { run, puts } = await updateOne(argv('--set', 'city=York', '--changes', '--json'), inYork)
    expect([run.code, run.json()]).toEqual([0, { changed: true, id: 'a1', changes: [moved] }])
    expect(puts).toHaveLength(1)
  })

  test('says that nothing was changed where the record has the values, and sends nothing', async () => {
    const { run, puts } = await updateOne(argv('--set', 'city=Leeds', '--changes', '--json'), inYork)
    expect([run.code, run.json()]).toEqual([0, { changed: false, id: 'a1', changes: [] }])
    expect(puts).toEqual([])
  })

  test.each([
    ['--json', ['31926819', '55779911']],
    ['--output=table', ['******819', '******911']],
  ])('%s shows a sensitive value as it shows that of a record', async (format, [from, to]) => {
    const set = ['--set-raw', 'accountNumber=55779911', '--changes', '--query', 'changes[0].[from,to]']
    const bank = { ...person.bank, accountNumber: '55779911' }
    const { run } = await updateOne(argv(...set, format), { reads: [person, person, { ...person, bank }] })
    expect(run.code).toBe(0)
    for (const value of [from, to]) expect(run.out).toContain(value)
    if (format !== '--json') expect(run.out).not.toContain('55779911')
  })

  test.each([
    ['--dry-run', '--dry-run prints the changes already'],
    ['--columns=city', '--columns selects fields of the record'],
  ])('update --changes with %s is exit 2, and nothing is sent', async (option, says) => {
    const { run, puts, gets } = await updateOne(argv('--set', 'city=York', '--changes', option), inYork)
    expect([run.code, run.err]).toEqual([2, expect.stringContaining(says)])
    expect([puts, gets]).toEqual([[], 0])
  })
})

describe('update --dry-run', () => {
  test('has what would change, old and new', async () => {
    const { run, puts } = await updateOne(argv('--set', 'city=York', '--dry-run', '--json'), inYork)
    expect(run.json()).toMatchObject({ dryRun: true, method: 'PUT', changes: [moved] })
    expect(puts).toEqual([])
  })

  test('names no request where nothing would be sent', async () => {
    const { run } = await updateOne(argv('--set', 'city=Leeds', '--dry-run', '--json'), inYork)
    const nothing = { method: null, url: null, headers: {}, body: null, changes: [], warnings: [] }
    expect([run.code, run.json()]).toEqual([0, { dryRun: true, ...nothing }])
  })

  test.each([
    ['York', 'This would change:\n  generalSetting.city: Leeds → York\nNothing was sent.\n'],
    ['Leeds', 'Nothing would change, and nothing was sent.\n'],
  ])(
    'update --dry-run to %s says to a person what would change, and that nothing was sent',
    async (city, text) => {
      const { run } = await updateOne(argv('--set', `city=${city}`, '--dry-run', '-o', 'table'), inYork)
      expect([run.code, run.out]).toEqual([0, text])
    },
  )
})
