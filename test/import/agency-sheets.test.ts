import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, payroll } from '../payroll.ts'
import { importFixture } from './import-fixture.ts'

/** A CSV with these lines, and a service. */
async function filed(...lines: readonly string[]) {
  const at = await importFixture()
  const file = join(at.home, 'starters.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return { ...at, file }
}

const people = ['Staff no,Forename,Surname,Hrs p/w', 'T-1,Ann,Fakeson,37.5', 'T-2,Tom,Fakely,20']

test('an import of a sheet whose total is wrong says both sums, asks at a terminal, and is refused with --strict', async () => {
  const at = await filed(...people, 'Total,,,312.5')
  const argv = ['candidates', 'import', at.file, '--settle', '0']
  const says = 'column D (Hrs p/w): the total says 312.5, and the rows add up to 57.5'
  const strict = await payroll([...argv, '--strict'], at)
  expect([strict.code, strict.err.includes(`row 4: ${says}`)]).toEqual([3, true])
  const terminal = atTerminal(argv, at)
  await terminal.type('Create 2 candidates', 'n\r')
  expect((await terminal.ended).err.replace(/\s+/g, ' ')).toContain(says)
  expect(at.posted()).toEqual([])
  const run = await payroll(argv, at)
  expect([run.code, run.err.includes(`row 4: ${says}`)]).toEqual([0, true])
})

test('an import of a CSV with a title that has no delimiter splits its rows as the headings are', async () => {
  const lines = people.map((line) => line.replaceAll(',', ';'))
  const at = await filed('Acme Staffing - Week 33', '', ...lines)
  expect((await payroll(['candidates', 'import', at.file, '--settle', '0'], at)).code).toBe(0)
  expect(await at.there()).toEqual(['T-1', 'T-2'])
})

test('an import of people asks at a terminal how the names in a column called Worker are written', async () => {
  const at = await filed('Staff no,Worker', 'T-1,"FAKESON, Ann"')
  const argv = ['candidates', 'import', at.file, '--settle', '0']
  expect((await payroll(argv, at)).err).toContain('{"Worker":"Surname, Forename"}')
  const terminal = atTerminal(argv, at)
  await terminal.type('has the whole name: how is it written?', '\r')
  expect((await terminal.ended).code).toBe(0)
  expect(await at.there()).toEqual(['T-1'])
})
