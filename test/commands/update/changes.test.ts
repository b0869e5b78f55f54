import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith } from '../../payroll.ts'
import { seededHome } from '../../start-sandbox.ts'
import { updateOne } from './one-record.ts'

const person = {
  ...{ id: 'a1', agencyRef: 'A-1', forename: 'Ann', surname: 'Example', city: 'Leeds' },
  bank: { accountName: 'Ann Example', accountNumber: '31926819', sortCode: '601613' },
  setting: { paymentModel: 'PAYEE', taxCode: '1257L' },
}
const york = 'candidates update a1 --id --set city=York'
const leeds = 'candidates update a1 --id --set city=Leeds'
const moved = { path: 'generalSetting.city', from: 'Leeds', to: 'York' }
const line = '  City or town: Manchester → Ely\n'
const updated = 'Updated Pippa Fixture (SANDBOX-UK-16) on sandbox.\n'
const inYork = { reads: [person, person, { ...person, city: 'York' }] }

describe('update --changes', () => {
  test.each([
    ['prints what was changed in place of the record', york, [moved]],
    ['sends nothing where the record has the values, and says so', leeds, []],
  ])('%s', async (_, words, changes) => {
    const { run, puts } = await updateOne(`${words} --changes --json`, inYork)
    const changed = changes.length > 0
    expect([run.code, run.json(), puts.length]).toEqual([0, { changed, id: 'a1', changes }, changes.length])
  })

  test.each([
    ['says each change once, above "Updated"', '', `${line}${updated}`],
    ['with --quiet says it all the same', ' --quiet', line],
  ])('at a terminal %s', async (_, more, says) => {
    const argv = `candidates update SANDBOX-UK-16 --set city=Ely --changes${more}`.split(' ')
    const terminal = atTerminal(argv, { home: await seededHome(), env: { PAYROLL_PROFILE: 'sandbox' } })
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen().endsWith(says)).toBe(true)
    expect(terminal.screen().split(line)).toHaveLength(2)
  })

  test.each([
    ['--json', ['31926819', '55779911'], /X/],
    ['--output=table', ['******819', '******911'], /55779911/],
  ])('%s shows a sensitive value as it shows that of a record', async (format, values, hidden) => {
    const set = '--set-raw accountNumber=55779911 --changes --query changes[0].[from,to]'
    const bank = { ...person.bank, accountNumber: '55779911' }
    const reads = [person, person, { ...person, bank }]
    const { run } = await updateOne(`candidates update a1 --id ${set} ${format}`, { reads })
    expect(run.code).toBe(0)
    for (const value of values) expect(run.out).toContain(value)
    expect(run.out).not.toMatch(hidden)
  })

  test.each([
    ['--dry-run', '--dry-run prints the changes already'],
    ['--columns=city', '--columns selects fields of the record'],
  ])('with %s is exit 2, and nothing is sent', async (option, says) => {
    const { run, puts, gets } = await updateOne(`${york} --changes ${option}`, inYork)
    expect(run).toMatchObject(endedWith(2, says))
    expect([puts, gets]).toEqual([[], 0])
  })
})

const nothing = { method: null, url: null, headers: {}, body: null, changes: [], warnings: [] }
const change = expect.objectContaining({ dryRun: true, method: 'PUT', changes: [moved] })
test.each([
  [york, change, 'This would change:\n  City or town: Leeds → York\nNothing was sent.\n'],
  [leeds, { dryRun: true, ...nothing }, 'Nothing would change, and nothing was sent.\n'],
])('%s --dry-run says what would change, to a script and to a person', async (words, json, text) => {
  const forScript = await updateOne(`${words} --dry-run --json`, inYork)
  expect([forScript.run.code, forScript.run.json(), forScript.puts]).toEqual([0, json, []])
  const { run } = await updateOne(`${words} --dry-run -o table`, inYork)
  expect([run.code, run.out]).toEqual([0, text])
})

test('update shows a change to a person in the words of the form, and to a script as it is sent', async () => {
  const words =
    'candidates update a1 --id --set rateHour=12.1 --set taxBasis=W1M1 --set dateOfJoining=2026-11-24 --dry-run'
  const { run } = await updateOne(`${words} -o table`, inYork)
  expect(run.out).toContain('Hourly rate: (not set) → £12.10\n')
  expect(run.out).toContain('Tax basis: (not set) → Week 1 / Month 1 (W1/M1)\n')
  expect(run.out).toContain('Start date: (not set) → 24 November 2026\n')
  const forScript = await updateOne(`${words} --json`, inYork)
  expect(forScript.run.json().changes).toContainEqual({
    ...{ path: 'payrollSetting.taxBasis', from: null, to: 'W1M1' },
  })
})
