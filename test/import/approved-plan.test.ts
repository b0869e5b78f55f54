import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { office } from './import-fixture.ts'

const header = 'Agency reference,Forename,Surname,City,Account number'

/** Three people who change, one of them the account, and one who is new; with the plan of it. */
async function planned(name: string) {
  const at = await office(3)
  const plan = join(at.home, name)
  at.save(header, 'E-1,,,York,', 'E-2,,,,31926820', 'E-3,,,Hull,', 'N-1,Tom,Newly,Hull,')
  expect((await at.run('--bank', '--dry-run', '--plan', plan)).code).toBe(0)
  return { ...at, plan, asPlanned: (...more: string[]) => at.run('--bank', '--as-planned', plan, ...more) }
}

describe('import --as-planned', () => {
  test.each(['plan.csv', 'plan.xlsx'])('sends what %s has', async (name) => {
    const at = await planned(name)
    const run = await at.asPlanned()
    expect([run.code, run.json()]).toMatchObject([0, { updated: 3, created: 1, held: 0 }])
  })

  test.each(['plan.csv', 'plan.xlsx'])(
    'knows a yes in %s again, and a text that looks like a formula, with and without an apostrophe of its own',
    async (name) => {
      const at = await office(2)
      const plan = join(at.home, name)
      at.save('Agency reference,City,Allow portal login', "E-1,'=York,yes", "E-2,''=Hull,no")
      await at.run('--dry-run', '--plan', plan)
      const run = await at.run('--as-planned', plan)
      expect([run.code, run.json()]).toMatchObject([0, { updated: 2, held: 0 }])
      expect([(await at.record('E-1')).city, (await at.record('E-2')).city]).toEqual(['=York', "'=Hull"])
    },
  )

  test('sends nothing of a record whose line was deleted, and names it: exit 9', async () => {
    const at = await planned('plan.csv')
    const lines = readFileSync(at.plan, 'utf8').split('\n')
    writeFileSync(at.plan, lines.filter((line) => !/^E-3,|Tom$|,Forename,/.test(line)).join('\n'))
    const run = await at.asPlanned()
    expect([run.code, run.json()]).toMatchObject([9, { updated: 2, created: 0, held: 2 }])
    expect(run.err).not.toContain('already on the service')
    expect(run.error().issues).toEqual([
      { path: 'row 4, E-3', message: `it is not as planned: ${at.plan} does not have it.` },
      { path: 'row 5, N-1', message: `it is not as planned: ${at.plan} does not have its Forename.` },
    ])
    expect((await at.record('E-3')).city).toBe('Leeds')
    expect(await at.there()).toEqual(['E-1', 'E-2', 'E-3'])
  })

  test('creates nobody without a field that the plan has', async () => {
    const at = await planned('plan.csv')
    at.save(header, 'E-1,,,York,', 'E-2,,,,31926820', 'E-3,,,Hull,', 'N-1,Tom,Newly,,')
    const run = await at.asPlanned()
    expect([run.code, run.json()]).toMatchObject([9, { updated: 3, created: 0, held: 1 }])
    expect(run.error().issues[0].message).toContain('the file no longer has its City or town')
  })

  test('sends no other new value than that which was looked at, and none where the old value is another one by now', async () => {
    const at = await planned('plan.xlsx')
    at.save(header, 'E-1,,,Selby,', 'E-2,,,,31926821', 'E-3,,,Hull,', 'N-1,Tom,Newly,Leeds,')
    await at.edit('E-3', { city: 'Ripon' })
    const run = await at.asPlanned()
    expect([run.code, run.json(), at.puts().length]).toMatchObject([
      9,
      { updated: 0, created: 0, held: 4 },
      0,
    ])
    expect(run.error().issues.map(({ message }: any) => message.slice(message.indexOf('has')))).toEqual([
      'has another new value for its City or town.',
      'has another new value for its Account number.',
      'has another old value of its City or town.',
      'has another new value for its City or town.',
    ])
    // A value is in no message.
    expect(run.err).not.toContain('31926821')
  })

  test('takes a bank detail that the plan held back for one that nobody approved', async () => {
    const at = await office(1)
    const plan = join(at.home, 'plan.csv')
    at.save('Agency reference,Account number', 'E-1,31926820')
    await at.run('--dry-run', '--plan', plan)
    const run = await at.run('--bank', '--as-planned', plan)
    expect([run.code, at.puts()]).toEqual([9, []])
  })

  test.each([
    [
      'two new values for one field',
      (line: string) => line.replace('York', 'Selby'),
      'E-1 has City or town in',
    ],
    ['a change of a person and a new person', (line: string) => line.replace('change', 'create'), 'E-1 has'],
  ])('takes no plan with %s: exit 3, and nothing is sent', async (_, other, message) => {
    const at = await planned('plan.csv')
    const text = readFileSync(at.plan, 'utf8')
    const line = /^E-1,.*$/m.exec(text)?.[0] ?? ''
    expect(other(line)).not.toBe(line)
    writeFileSync(at.plan, `${text.trimEnd()}\n${other(line)}\n`)
    const run = await at.asPlanned()
    expect([run.code, at.puts()]).toEqual([3, []])
    expect(run.error().issues).toEqual([
      { path: `row ${text.trimEnd().split('\n').length + 1}`, message: expect.stringContaining(message) },
    ])
  })

  test('is exit 2 without --update, and with a file that is no plan', async () => {
    const at = await planned('plan.csv')
    expect((await at.importFile(at.csv, '--as-planned', at.plan)).code).toBe(2)
    const json = await planned('plan.json')
    for (const file of [at.csv, json.plan])
      expect((await at.run('--as-planned', file)).error()).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('is not a plan of an import'),
      })
  })
})
