import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { writeXlsx } from '../../src/files/formats/xlsx/write-xlsx.ts'
import { endedWith, payroll } from '../payroll.ts'
import { readRows } from '../workbook.ts'
import { answer, importFixture, interceptedFixture, onPost } from './import-fixture.ts'

const header = 'Ref;Vorname;Nachname;Eintritt;Ort'
const map = {
  Ref: 'generalSetting.agencyRef',
  Vorname: 'generalSetting.forename',
  Nachname: 'generalSetting.surname',
  Eintritt: 'generalSetting.dateOfJoining',
  Ort: 'generalSetting.city',
}

/** Refuses everybody in Leeds. */
const refusing = onPost(
  (response, _, { body }) =>
    body.includes('Leeds') && answer(422, { error: { message: 'This town has no tax office.' } })(response),
)

/** The words of the command that a hint ends with. */
const commandIn = (hint: string) => /payroll (.*)$/.exec(hint)?.[1]?.split(' ') ?? []

/** The number of the style of a cell, in the sheet of a workbook. */
function styleIn(workbook: Uint8Array) {
  const sheet = strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  return (cell: string) => new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(sheet)?.[1]
}

test('the rejects are imported as the message says, with the map and the order of the dates', async () => {
  const at = await interceptedFixture(refusing)
  const file = join(at.home, 'starters.csv')
  const columns = at.save('map.json', JSON.stringify(map))
  const lines = [
    'A1;Jörg;Example;03.04.2026;York',
    'A2;Zoë;Example;05.04.2026;Leeds',
    'A3;Al;Example;13.04.2026;Leeds',
  ]
  writeFileSync(file, Buffer.from([header, ...lines].join('\r\n'), 'latin1'))
  const options = ['--map', columns, '--date-format', 'dmy', '--encoding', 'windows-1252']
  options.push('--results', `${file}x.csv`)
  const first = await at.importFile(file, ...options)
  expect(first).toMatchObject({ code: 9 })
  const { rejects } = first.json()
  expect(first.error().hint).toContain(
    `Look at ${rejects} and put right what is wrong, then: payroll candidates import ${rejects} `,
  )
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replaceAll('Leeds', 'Selby'))
  const second = await payroll(commandIn(first.error().hint), at)

  expect(second).toMatchObject({ code: 0 })
  expect(second.json()).toMatchObject({ rows: 2, created: 2, createdEarlier: 0 })
  const sent = at.sent().map(({ generalSetting }) => generalSetting)
  expect(sent.slice(3)).toEqual([
    { agencyRef: 'A2', forename: 'Zoë', surname: 'Example', dateOfJoining: '2026-04-05', city: 'Selby' },
    { agencyRef: 'A3', forename: 'Al', surname: 'Example', dateOfJoining: '2026-04-13', city: 'Selby' },
  ])
  expect(await at.there()).toEqual(['A1', 'A2', 'A3'])
  // Once more, and the file itself: nobody is created a second time.
  const again = await payroll(commandIn(first.error().hint), at)
  expect(again.json()).toMatchObject({ created: 0, createdEarlier: 2 })
  at.intercept(() => false)
  await at.importFile(file, ...options)
  expect(await at.there()).toEqual(['A1', 'A2', 'A3'])
})

test('what is refused again takes the place of the rejects, with the reasons of this time alone', async () => {
  const at = await interceptedFixture(refusing)
  const names = 'Agency reference,Surname,Forename,generalSetting.city'
  const file = at.save('starters.csv', names, 'A1,Example,Al,York', 'A2,Example,Bo,Leeds')
  const { rejects } = (await at.importFile(file)).json()
  const before = readFileSync(rejects, 'utf8')
  const again = (await at.importFile(rejects)).json()
  expect(again.rejects).toBe(rejects)
  expect(readFileSync(rejects, 'utf8')).toBe(before)
  expect(readdirSync(at.home).filter((name) => name.includes('rejects'))).toHaveLength(1)
})

test('the rejects of a workbook mark the cells that are wrong', async () => {
  const at = await importFixture()
  const rows = ['A1,Al,Example,12.5', 'A2,Bo,Example,tba'].map((row) => row.split(','))
  const names = ['Agency reference', 'Forename', 'Surname', 'Hourly rate']
  const file = at.save('starters.xlsx', await writeXlsx(names, rows))
  const run = await at.importFile(file, '--ready-only')
  expect(run).toMatchObject({ code: 9 })
  expect(readdirSync(at.home)).toContain('starters.rejects.xlsx')
  const { rejects } = run.json()
  expect(statSync(rejects).mode & 0o777).toBe(0o600)
  const bytes = readFileSync(rejects)
  expect(strFromU8(unzipSync(bytes)['xl/styles.xml'] ?? new Uint8Array())).toMatch(/FFC7CE/i)
  const styleOf = styleIn(bytes)
  expect(styleOf('D2')).not.toBe(styleOf('B2'))
  expect(styleOf('A2')).toBe(styleOf('B2'))
  const says = 'column D (Hourly rate): expected a number, such as 37.5'
  expect((await readRows(bytes)).map(({ cells }) => cells)).toEqual([
    [...names, 'field', 'message', 'outcome'],
    [...(rows[1] ?? []), 'generalSetting.rateHour', says, 'not sent'],
  ])
})

test('a row with a cell too many keeps it in the rejects', async () => {
  const at = await importFixture()
  const names = 'Agency reference,Surname,Forename'
  const file = at.save('starters.csv', names, 'A1,Example,Al', 'A2,Example,Al,surplus')
  const { rejects } = (await at.importFile(file, '--ready-only')).json()
  expect(readFileSync(rejects, 'utf8')).toContain('A2,Example,Al,surplus,')
})

test('the commands for a file that was typed after -- can be typed as they stand', async () => {
  const at = await importFixture()
  const file = at.save('x.csv', 'Agency reference,Surname,Forename,Hourly rate', 'A1,Example,Al,tba')
  const words = ['candidates', 'import', '--uk', '--json', '--settle', '0', '--', file]
  const [marking] = (await payroll(words, at)).error().next
  expect(marking).toMatch(/ --dry-run --rejects \S+ -- \S+x\.csv$/)
})

test('a file that is refused is copied with the wrong cells marked, by the command that the error names', async () => {
  const at = await importFixture()
  const header = ['Agency reference', 'Forename', 'Surname', 'Hourly rate', 'Start date']
  const rows = Array.from({ length: 6 }, (_, at) => [`A${at}`, 'Al', 'Sample', '12.5', '04/03/2026'])
  rows[3]?.splice(3, 1, 'tba')
  const file = at.save('starters.xlsx', await writeXlsx(header, rows))
  const refused = await at.importFile(file, '--date-format', 'dmy', '--json')
  expect(refused.code).toBe(3)
  const [marking, readyOnly] = refused.error().next
  expect(marking).toMatch(/--dry-run --rejects .*starters\.marked\.xlsx$/)
  expect(readyOnly).toMatch(/--ready-only$/)
  expect(readdirSync(at.home)).not.toContain('starters.marked.xlsx')
  const words = (command: string) => command.split(' ').slice(1)
  const marked = await payroll(words(marking), at)
  expect([marked.code, at.posted()]).toEqual([3, []])
  const [next] = marked.error().next
  expect(next).toContain('starters.marked.xlsx')
  const copy = join(at.home, 'starters.marked.xlsx')
  const styleOf = styleIn(readFileSync(copy))
  expect(styleOf('D5')).not.toBe(styleOf('D4'))
  rows[3]?.splice(3, 1, '13')
  const added = rows.map((row) => [...row, '', '', ''])
  writeFileSync(copy, await writeXlsx([...header, 'field', 'message', 'outcome'], added))
  expect((await payroll(words(next), at)).code).toBe(0)
  expect(await at.there()).toEqual(rows.map(([ref]) => ref))
})

test('the rejects of a CSV are none that a spreadsheet would take for a workbook', async () => {
  const at = await importFixture()
  const file = at.save('starters.csv', 'Ref,Forename,Surname,Hourly rate', 'A1,Al,Sample,tba')
  const refused = await at.importFile(file, '--dry-run', '--rejects', join(at.home, 'marked.xlsx'))
  expect(refused).toMatchObject(endedWith(2, 'The rejects are CSV, as the file is'))
  expect(readdirSync(at.home)).not.toContain('marked.xlsx')
})

test('a file from standard input that is refused has its marked copy named after what it is, and not after the hyphen', async () => {
  const at = await importFixture()
  const input = 'agencyRef,forename,surname,rateHour\nA1,Al,Sample,tba\n'
  const refused = await payroll(['candidates', 'import', '-', '--errors', 'json'], { ...at, input })
  expect(refused.code).toBe(3)
  expect(refused.error().hint).toMatch(/ import - .*--rejects stdin\.marked\.csv$/)
  // Its standard input is not there a second time.
  expect(refused.error().next).toEqual([])
})
