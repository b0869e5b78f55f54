// @module-tag tables

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { importFixture, interceptedFixture, people, refs } from './import-fixture.ts'

test('an import at a terminal shows how far it is, and ends with one line', async () => {
  const at = await interceptedFixture(async ({ method }) => {
    if (method === 'POST') await pause(40)
    return false
  })
  at.write(people(40))
  const terminal = atTerminal(['candidates', 'import', at.file, '--settle', '0'], at)
  const run = await terminal.ended
  expect([run.code, run.out]).toEqual([0, '40 rows: 40 created.\n'])
  expect(terminal.screen()).toMatch(/\d+ of 40 sent, \d+ a second, \d+ seconds? left/)
  expect(await at.there()).toEqual(refs(40))
})

test('a protected profile asks how many are to be created, and where; no is no request', async () => {
  const at = await importFixture()
  at.write(people(3))
  const production = await at.asProfile('production')
  const terminal = atTerminal(['candidates', 'import', at.file, '--profile', 'production'], production)
  await terminal.type(/Create 3 candidates on production \(http:\/\/127\.0\.0\.1:\d+\)\?/, 'n\r')
  expect(await terminal.ended).toMatchObject({ code: 2, out: '' })
  expect(at.posted()).toEqual([])
})

test('a protected profile asks before a row in doubt may be sent once more', async () => {
  const at = await importFixture()
  at.write(people(1))
  const production = await at.asProfile('production')
  const argv = ['candidates', 'import', at.file, '--profile', 'production', '--settle', '0']
  at.intercept(({ method }, response) => {
    if (method === 'POST') response.destroy()
    // Nor can it be looked for: it stays in doubt.
    if (method === 'GET' && at.posted().length > 0) response.writeHead(401).end()
    return response.destroyed || response.writableEnded
  })
  expect((await payroll([...argv, '--yes'], production)).code).toBe(8)
  at.intercept(() => false)
  const terminal = atTerminal(argv, production)
  await terminal.type('Create 1 candidate on production', 'n\r')
  expect(await terminal.ended).toMatchObject({ code: 2 })
  expect(at.posted()).toHaveLength(1)
})

test('an import into the sandbox is alone there, and keeps none waiting that goes into the sandbox of other settings', async () => {
  const [home, other] = [freshHome(), freshHome()]
  const file = join(home, 'starters.csv')
  writeFileSync(file, 'Agency reference,Forename,Surname,Hourly rate\nA-1,Alex,Example,600\n')
  const argv = ['candidates', 'import', file, '--uk', '--profile', 'sandbox']
  const terminal = atTerminal(argv, { home })
  await terminal.type(/\(y\/N\)/, '')
  expect(await payroll(argv, { home })).toMatchObject(
    endedWith(11, `the import of ${file} into the sandbox in ${home}, so this one stopped`),
  )
  expect((await payroll(argv, { home: other })).code).toBe(0)
  await terminal.type('', 'n\r')
  expect((await terminal.ended).code).toBe(2)
})
