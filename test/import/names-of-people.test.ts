import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, keys, payroll } from '../payroll.ts'
import { sheetOf } from './week-sheet.ts'

const names = ['Amélie Sample', "Bronagh O'Example", 'Callum McSample']
const sheet = () =>
  sheetOf('Name,Week ending,Hours,Rate', ...names.map((name) => `${name},31/05/2026,8,14.20`))

test('of people who have a name and no reference, the wrong one is chosen from a list, and the others are sent', async () => {
  const at = await sheet()
  const terminal = atTerminal(at.argv, at)
  await terminal.type('Are these the 3 people?', `n${keys.enter}`)
  await terminal.type('Which one is wrong?', `Callum${keys.enter}`)
  await terminal.type('Are the other 2 right?', `y${keys.enter}`)
  await terminal.type('Create 2 timesheets', `y${keys.enter}`)
  const run = await terminal.ended
  expect([run.code, run.out]).toEqual([9, expect.stringContaining('2 created, 1 to put right')])
  const rejects = join(at.home, 'week.rejects.csv')
  const rejected = readFileSync(rejects, 'utf8')
  expect(rejected).toContain(
    'it was not confirmed that this is Callum McSample (SANDBOX-UK-03): add a column Reference, with the reference of the person, or leave the row out',
  )
  writeFileSync(
    rejects,
    rejected.replace('Name,', 'Reference,Name,').replace('Callum', 'SANDBOX-UK-03,Callum'),
  )
  expect(await payroll(['timesheets', 'import', rejects, '--yes'], at)).toMatchObject({ code: 0 })
})

test('a verdict on a row knows whom somebody at a terminal named', async () => {
  const at = await sheet()
  at.intercept(({ body }, response) => {
    const isLost = body.includes('SANDBOX-UK-03')
    if (isLost) response.destroy()
    return isLost
  })
  const terminal = atTerminal([...at.argv, '--settle', '0'], at)
  await terminal.type('Are these the 3 people?', `y${keys.enter}`)
  await terminal.type('Create 3 timesheets', `y${keys.enter}`)
  expect((await terminal.ended).code).toBe(8)
  const resolve = (...more: string[]) =>
    payroll(['timesheets', 'import', 'resolve', at.argv[2] ?? '', '--json', ...more], at)
  expect((await resolve()).json()).toMatchObject([{ row: 4 }])
  expect((await resolve('--row', '4', '--leave')).json()).toMatchObject({ row: 4, resolved: 'leave' })
  expect((await resolve()).json()).toEqual([])
})

test('where nobody of a sheet is the person that was found, no row is sent', async () => {
  const at = await sheet()
  const terminal = atTerminal(at.argv, at)
  await terminal.type('Are these the 3 people?', `n${keys.enter}`)
  await terminal.type('Which one is wrong?', keys.enter)
  expect(await terminal.ended).toMatchObject(endedWith(3, '3 rows cannot be sent as they are'))
})

/** Adds a second Amélie Sample. */
async function addTwin(at: Awaited<ReturnType<typeof sheetOf>>, reference = 'UK-2') {
  const twin = [
    `agencyRef=${reference}`,
    'forename=Amélie',
    'surname=Sample',
    'start date=2026-05-11',
    'hourly rate=15.5',
  ]
  const create = ['candidates', 'create', '--yes', ...twin.flatMap((each) => ['--set', each])]
  expect(await payroll(create, at)).toMatchObject({ code: 0 })
}

test('of two people with one name none is taken by Enter, and what tells them apart is shown', async () => {
  const at = await sheetOf('Name,Week ending,Hours,Rate', 'Amélie Sample,31/05/2026,8,14.20')
  await addTwin(at)
  const terminal = atTerminal([...at.argv, '--dry-run'], at)
  await terminal.type(
    /which of 2 people is it\?\n❯ None of them, or not known\n.*\n {2}Amélie Sample \(UK-2\), UK, since 11 May 2026, £15\.50 an hour/,
    keys.enter,
  )
  expect(await terminal.ended).toMatchObject(endedWith(3, '1 row cannot be sent'))
})

test('the sum of a sheet says which part of it is of nobody known, and so in no currency', async () => {
  const line = (who: string) => `${who},31/05/2026,8,14.20`
  const at = await sheetOf('Ref,Week ending,Hours,Rate', line('SANDBOX-UK-01'), line('SANDBOX-UK-99'))
  const { out } = await atTerminal([...at.argv, '--dry-run'], at).ended
  expect(out).toContain('2 timesheets, 16 hours, £113.60 and 113.60 of people who are not known\n')
})
