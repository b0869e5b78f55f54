import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { importFixture } from './import-fixture.ts'
import { records } from './list-shapes.ts'

/** A file of starters with these lines, and the import of it. */
async function starters(...lines: readonly string[]) {
  const at = await importFixture()
  return { ...at, argv: ['candidates', 'import', at.save('starters.csv', ...lines), '--settle', '0'] }
}

test('a row that counts people below a table is nobody, and is said', async () => {
  const at = await starters('Ref;Forename;Surname;Town', 'Z-1;Anna;Sample;York', 'Total;;15 people;')
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(
    endedWith(0, 'row 3 is a total, and is left out'),
  )
  expect(await at.there()).toEqual(['Z-1'])
})

test('a person whose reference is a word for a total is none, and one alone is', async () => {
  const at = await starters('Ref,Forename,Surname', 'Z-1,Anna,Sample', 'SUM,Sam,Umbra-Test', 'TOTAL,,')
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(endedWith(0, 'row 4 is a total'))
  expect(await at.there()).toEqual(['SUM', 'Z-1'])
})

test.each(['ACME / 01', 'ACME:01 / b'])(
  'a row below an empty line with the reference %s is no note',
  async (own) => {
    const at = await starters('Ref,Job title', 'Z-1,Site manager', '', `${own},Night porter`)
    for (const agencyRef of ['Z-1', own])
      await at.call('POST', '/svc/candidates', { generalSetting: { agencyRef, surname: agencyRef } })
    const run = await payroll([...at.argv, '--update', '--yes', '--strict', '--json'], at)
    expect([run.code, run.json()], run.err).toMatchObject([0, { rows: 2, updated: 2 }])
  },
)

test('a word for nothing is no surname: it holds the row in a script, and is asked about at a terminal', async () => {
  const at = await starters('Ref,Forename,Surname,Town', 'Z-1,Anna,Sample,n/a')
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject(endedWith(3, '"n/a" is a word for nothing'))
  expect(at.posted()).toEqual([])
  const terminal = atTerminal(at.argv, at)
  await terminal.type(/"n\/a" is a word for nothing: the cell is read as empty.*Create 1 candidate/s, 'y\r')
  expect((await terminal.ended).code).toBe(0)
  expect(at.sent().at(-1).generalSetting.city).toBeUndefined()
})

test('names in one column may have a comma or not, and a title goes to the title', async () => {
  const at = await starters('Ref,Name', 'Z-1,"Sample, Anna"', 'Z-2,John Placeholder', 'Z-3,Dr Omar Fiction')
  const terminal = atTerminal(at.argv, at)
  await terminal.type('has the whole name: how is it written?', '\r')
  await terminal.type(/Create 3 candidates|3 created/, 'y\r')
  expect((await terminal.ended).code).toBe(0)
  const sent = at.sent().map(({ generalSetting: { title, forename, surname } }) => [title, forename, surname])
  expect(sent.sort()).toEqual(
    [
      ['Dr', 'Omar', 'Fiction'],
      [undefined, 'Anna', 'Sample'],
      [undefined, 'John', 'Placeholder'],
    ].sort(),
  )
  expect(await records(at)).toHaveLength(3)
})

test.each([
  'Week ending 31/05/2026',
  'Timesheets, week ending 31/05/2026',
  'Acme timesheets – W/E: 31 May 2026',
])('the week above the headings of a sheet of hours is that of all rows: %s', async (title) => {
  const { startSandbox } = await import('../start-sandbox.ts')
  const at = await startSandbox({ seeded: true })
  const { writeFileSync } = await import('node:fs')
  const file = `${at.home}/week.csv`
  writeFileSync(
    file,
    `Acme Staffing,,\n"${title}",,\n\nRef,Hours,Rate\nSANDBOX-UK-01,37.5,14.20\nSANDBOX-UK-02,20,14.20\n`,
  )
  expect(
    await payroll(['timesheets', 'import', file, '--yes', '--pay-date', '2026-06-05'], at),
  ).toMatchObject(endedWith(0, `A2 says ${title}: it is the week of all rows`))
  const sheets = (await payroll(['timesheets', 'list', '--where', 'endDate=2026-05-31'], at)).json()
  expect(sheets).toHaveLength(2)
})
