import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openXlsx } from '../../src/formats/xlsx/open-xlsx.ts'
import { writeXlsx } from '../../src/formats/xlsx/write-xlsx.ts'
import { payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import type { Intercept } from '../start-sandbox.ts'
import { importFixture } from './import-fixture.ts'

const header = 'Ref;Vorname;Nachname;Eintritt;Ort'
const map = {
  Ref: 'generalSetting.agencyRef',
  Vorname: 'generalSetting.forename',
  Nachname: 'generalSetting.surname',
  Eintritt: 'generalSetting.dateOfJoining',
  Ort: 'generalSetting.city',
}

/** Refuses everybody in Leeds. */
const refusing: Intercept = ({ method, body = '' }, response) => {
  const isRefused = method === 'POST' && body.includes('Leeds')
  if (isRefused) answerJson(response, 422, { error: { message: 'This town has no tax office.' } })
  return isRefused
}

/** The words of the command that a hint ends with. */
const commandIn = (hint: string) => /payroll (.*)$/.exec(hint)?.[1]?.split(' ') ?? []

test('the rejects are imported as the message says, with the map and the order of the dates', async () => {
  const at = await importFixture()
  const [file, columns] = [join(at.home, 'starters.csv'), join(at.home, 'map.json')]
  const lines = [
    'A1;Jörg;Example;03.04.2026;York',
    'A2;Zoë;Example;05.04.2026;Leeds',
    'A3;Al;Example;13.04.2026;Leeds',
  ]
  writeFileSync(file, Buffer.from([header, ...lines].join('\r\n'), 'latin1'))
  writeFileSync(columns, JSON.stringify(map))
  at.intercept(refusing)
  const options = [
    '--map',
    columns,
    '--date-format',
    'dmy',
    '--encoding',
    'windows-1252',
    '--results',
    `${file}x.csv`,
  ]
  const first = await at.importFile(file, ...options)
  expect(first).toMatchObject({ code: 9 })
  const { rejects } = first.json()
  expect(first.error().hint).toContain(
    `Put the 2 rows right in ${rejects}, then: payroll candidates import ${rejects} `,
  )
  writeFileSync(rejects, readFileSync(rejects, 'utf8').replaceAll('Leeds', 'Selby'))
  const second = await payroll(commandIn(first.error().hint), at)

  expect(second).toMatchObject({ code: 0 })
  expect(second.json()).toMatchObject({ rows: 2, created: 2, createdEarlier: 0 })
  const sent = at.posted().map(({ body }) => JSON.parse(body).generalSetting)
  expect(sent.slice(3)).toEqual([
    { agencyRef: 'A2', forename: 'Zoë', surname: 'Example', dateOfJoining: '2026-04-05', city: 'Selby' },
    { agencyRef: 'A3', forename: 'Al', surname: 'Example', dateOfJoining: '2026-04-13', city: 'Selby' },
  ])
  expect(await at.there()).toEqual(['A1', 'A2', 'A3'])
  // Once more, and the file itself: nobody is created a second time.
  expect((await payroll(commandIn(first.error().hint), at)).json()).toMatchObject({
    created: 0,
    createdEarlier: 2,
  })
  at.intercept(() => false)
  await at.importFile(file, ...options)
  expect(await at.there()).toEqual(['A1', 'A2', 'A3'])
})

test('what is refused again goes to a file of the next number, with the reasons of this time alone', async () => {
  const at = await importFixture()
  const file = join(at.home, 'starters.csv')
  writeFileSync(
    file,
    'Agency reference,Surname,Forename,City\nA1,Example,Al,York\nA2,Example,Bo,Leeds\n'.replace(
      'City',
      'generalSetting.city',
    ),
  )
  at.intercept(refusing)
  const { rejects } = (await at.importFile(file)).json()
  const again = (await at.importFile(rejects)).json()
  expect(again.rejects).toBe(join(at.home, 'starters.rejects-2.csv'))
  expect(readFileSync(again.rejects, 'utf8')).toBe(readFileSync(rejects, 'utf8'))
})

test('the rejects of a workbook mark the cells that are wrong', async () => {
  const at = await importFixture()
  const file = join(at.home, 'starters.xlsx')
  const rows = [
    ['A1', 'Al', 'Example', '12.5'],
    ['A2', 'Bo', 'Example', 'tba'],
  ]
  writeFileSync(file, await writeXlsx(['Agency reference', 'Forename', 'Surname', 'Hourly rate'], rows))
  const run = await at.importFile(file, '--ready-only')
  expect(run).toMatchObject({ code: 9 })
  expect(readdirSync(at.home)).toContain('starters.rejects.xlsx')
  const bytes = readFileSync(run.json().rejects)
  const parts = Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]),
  )
  expect(parts['xl/styles.xml']).toMatch(/FFC7CE/i)
  const styleOf = (cell: string) =>
    new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(parts['xl/worksheets/sheet1.xml'] ?? '')?.[1]
  expect(styleOf('D2')).not.toBe(styleOf('B2'))
  expect(styleOf('A2')).toBe(styleOf('B2'))
  const sheet = await openXlsx(bytes)
  const cells: (readonly string[])[] = []
  for await (const row of sheet?.rows({ width: 7 }) ?? []) cells.push(row.cells)
  expect(cells[1]).toEqual([
    'A2',
    'Bo',
    'Example',
    'tba',
    'generalSetting.rateHour',
    'column D (Hourly rate): expected a number, as 37.5',
    'not sent',
  ])
})

test('a row with a cell too many keeps it in the rejects', async () => {
  const at = await importFixture()
  const file = join(at.home, 'starters.csv')
  writeFileSync(file, 'Agency reference,Surname,Forename\nA1,Example,Al\nA2,Example,Al,surplus\n')
  const { rejects } = (await at.importFile(file, '--ready-only')).json()
  expect(readFileSync(rejects, 'utf8')).toContain('A2,Example,Al,surplus,')
})

test('a file that is refused is copied with the wrong cells marked, by the command that the error names', async () => {
  const at = await importFixture()
  const file = join(at.home, 'starters.xlsx')
  const header = ['Agency reference', 'Forename', 'Surname', 'Hourly rate', 'Start date']
  const rows = Array.from({ length: 6 }, (_, at) => [`A${at}`, 'Al', 'Sample', '12.5', '04/03/2026'])
  rows[3]?.splice(3, 1, 'tba')
  writeFileSync(file, await writeXlsx(header, rows))
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
  const styles = strFromU8(unzipSync(readFileSync(copy))['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const styleOf = (cell: string) => new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(styles)?.[1]
  expect(styleOf('D5')).not.toBe(styleOf('D4'))
  rows[3]?.splice(3, 1, '13')
  const added = rows.map((row) => [...row, '', '', ''])
  writeFileSync(copy, await writeXlsx([...header, 'field', 'message', 'outcome'], added))
  expect((await payroll(words(next), at)).code).toBe(0)
  expect(await at.there()).toEqual(rows.map(([ref]) => ref))
})

test('a file from standard input that is refused has its marked copy named after what it is, and not after the hyphen', async () => {
  const at = await importFixture()
  const input = 'agencyRef,forename,surname,rateHour\nA1,Al,Sample,tba\n'
  const refused = await payroll(['candidates', 'import', '-', '--errors', 'json'], { ...at, input })
  expect(refused.code).toBe(3)
  expect(refused.error().next[0]).toMatch(/ import - .*--rejects stdin\.marked\.csv$/)
})
