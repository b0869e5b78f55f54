// @module-tag tables

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll, type Terminal } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { sheetOf } from './week-sheet.ts'

const fixtures = new URL('../fixtures/sheets/', import.meta.url)

/**
 * Sheets of as many agencies' habits, all made up: titles, headings in two rows, merged cells, blank and hidden rows, totals, two
 * weeks, several sheets, notes below, formulas. With each, the hours of every line as a person adds them up.
 */
const sheets: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'northgate.csv': {
    'UK-01 2026-05-31': ['37.5 at 21.40'],
    'UK-02 2026-05-31': ['30 at 14.20', '4 at 21.30'],
    'UK-03 2026-05-31': ['8 at 13.10'],
  },
  // Titles, the week above, headings in two rows that are merged, formulas, a total and notes below.
  'bluebell.xlsx': {
    'UK-01 2026-05-31': ['37.5 at 14.2', '4 at 21.3'],
    'UK-02 2026-05-31': ['30 at 14.2'],
    'UK-03 2026-05-31': ['20.25 at 15', '2 at 22.5'],
  },
  'cedar.csv': { 'UK-04 2026-05-31': ['37.5 at 14.25'], 'UK-05 2026-05-31': ['22.75 at 13.00'] },
  // Hours as times, subtotals, a blank row and a hidden one, noise of formulas, a row that counts people.
  'dovetail.xlsx': {
    'UK-04 2026-05-31': ['37.5 at 13.5'],
    'UK-05 2026-05-31': ['7.75 at 13.5'],
    'UK-06 2026-05-31': ['19 at 13.42'],
    'UK-07 2026-05-31': ['8 at 12.21'],
  },
  'elmwood.csv': {
    'UK-06 2026-05-31': ['37.5 at 14.20', '4 at 21.30'],
    'UK-07 2026-05-31': ['20 at 14.20'],
    'UK-08 2026-05-31': ['30 at 15.00', '2.5 at 22.50'],
  },
  'fernhill.xlsx': { 'UK-08 2026-05-31': ['12 at 14'], 'UK-09 2026-05-31': ['16.5 at 14'] },
  'greenlane.csv': {
    'UK-01 2026-05-24': ['37.5 at 14.20'],
    'UK-02 2026-05-24': ['30 at 14.20'],
    'UK-01 2026-05-31': ['35 at 14.20'],
    'UK-02 2026-05-31': ['28 at 14.20'],
  },
  'hazel.csv': { 'UK-03 2026-05-31': ['3 at 110.00', '2 at 140.00'], 'UK-04 2026-05-31': ['5 at 110.00'] },
  'ivy.csv': { 'UK-09 2026-05-31': ['40 at 15.00'], 'UK-08 2026-05-31': ['16 at 15.50'] },
  // Overtime of which no column says the rate: a payment rate of the service does.
  'juniper.xlsx': { 'UK-01 2026-05-31': ['37.5 at 12.71', '4 at '], 'UK-02 2026-05-31': ['30 at 12.71'] },
}

/** Answers every question with Enter, and those that ask for a yes with y. */
async function enterAndYes(terminal: Terminal) {
  let [isOver, from] = [false, 0]
  const ended = terminal.ended.then((run) => {
    isOver = true
    return run
  })
  while (!isOver) {
    const fresh = terminal.screen().slice(from)
    const asks = /\(y\/N\)|\(Y\/n\)|❯/.exec(fresh)
    if (!asks) {
      await pause(5)
      continue
    }
    await pause(20)
    await terminal.type('', terminal.screen().slice(from).includes('(y/N)') ? 'y\r' : '\r')
    while (!isOver && !terminal.screen().slice(from).includes('✔')) await pause(5)
    from += terminal.screen().slice(from).lastIndexOf('✔') + 1
  }
  return ended
}

/** A sandbox, and the sheet of an agency in it. */
async function agency(name: string) {
  const at = await startSandbox({ seeded: true })
  const file = join(at.home, name)
  writeFileSync(file, readFileSync(new URL(name, fixtures)))
  return {
    ...at,
    file,
    argv: ['timesheets', 'import', file, '--pay-date', '2026-06-05', '--settle', '0'],
    writes: () => at.received.filter(({ method }) => method === 'POST' || method === 'PUT').length,
    async hours(): Promise<Record<string, string[]>> {
      const run = await payroll(['timesheets', 'list', '--where', 'endDate>=2026-05-01', '-o', 'json'], at)
      const lines = (rates: any[]) => rates.map(({ units, rate = '' }) => `${units} at ${rate}`)
      return Object.fromEntries(
        run
          .json()
          .map(({ subcontractorRef, endDate, rates }: any) => [
            `${subcontractorRef.replace('SANDBOX-', '')} ${endDate}`,
            lines(rates),
          ]),
      )
    },
  }
}

test.each(Object.entries(sheets))(
  'the sheet %s is imported by Enter and y alone with every hour and none invented, and a second time sends nothing',
  async (name, expected) => {
    const at = await agency(name)
    const first = atTerminal(at.argv, at)
    const run = await enterAndYes(first)
    expect([run.code, first.screen()]).toEqual([0, expect.any(String)])
    expect(await at.hours()).toEqual(expected)
    const before = at.writes()
    const again = atTerminal(at.argv, at)
    expect((await enterAndYes(again)).code).toBe(0)
    expect(at.writes()).toBe(before)
    // Under another name it is another file: what is there is compared, and is the same.
    writeFileSync(join(at.home, `copy-${name}`), readFileSync(at.file))
    const copied = atTerminal(
      [...at.argv, '--update'].map((word) => word.replace(at.file, join(at.home, `copy-${name}`))),
      at,
    )
    expect((await enterAndYes(copied)).code).toBe(0)
    expect(at.writes()).toBe(before)
  },
)

test('of a sheet with a line changed, one removed and one added, the changed and the new are sent, and what is missing is held back', async () => {
  const at = await agency('northgate.csv')
  expect((await payroll([...at.argv, '--yes'], at)).code).toBe(0)
  const changed = readFileSync(at.file, 'utf8')
    .replace(',8,STD,13.10', ',9,STD,13.10')
    .replace(/.*OT150.*\n/, '')
    .replace('Total,,,79.5', 'SANDBOX-UK-04,Dafydd ap Example,31/05/2026,5,STD,13.10\nTotal,,,81.5')
  writeFileSync(at.file, changed)
  expect(await payroll([...at.argv, '--update', '--yes'], at)).toMatchObject(
    endedWith(9, 'not in the sheet: 4 hours, OT150 at 21.30'),
  )
  expect(await at.hours()).toEqual({
    ...sheets['northgate.csv'],
    'UK-03 2026-05-31': ['9 at 13.10'],
    'UK-04 2026-05-31': ['5 at 13.10'],
  })
  const argv = [...at.argv, '--update', '--yes', '--missing-lines', 'remove']
  expect(await payroll(argv, at)).toMatchObject({ code: 0 })
  expect((await at.hours())['UK-02 2026-05-31']).toEqual(['30 at 14.20'])
})

test('a column "Employee" may have references, and one that nobody has is called a reference', async () => {
  const at = await sheetOf(
    'Employee,W/E,Hours,Rate',
    'sandbox-uk-01,31/05/2026,8,21.40',
    'UMB-9,31/05/2026,8,21.40',
  )
  const run = await payroll([...at.argv, '--dry-run', '--json'], at)
  expect(run.json()).toMatchObject({ ready: 1, invalid: [{ row: 3 }] })
  expect(run.json().invalid[0].message).toContain(
    'column A (Employee): nobody on the service has this reference',
  )
  const sent = await payroll([...at.argv, '--yes', '--ready-only', '--pay-date', '5/6/2026'], at)
  expect(sent.json()).toMatchObject({ created: 1 })
})

test('more days than a pay period of the person has are doubted, and so are too many hours of a month', async () => {
  const at = await sheetOf(
    'Ref,From,To,Hours,Rate',
    'SANDBOX-UK-01,25/05/2026,31/05/2026,8,21.40',
    'SANDBOX-UK-02,01/05/2026,31/05/2026,160,13.25',
    'SANDBOX-UK-03,01/05/2026,31/05/2026,300,24.00',
  )
  const run = await payroll([...at.argv, '--dry-run', '--pay-date', '5/6/2026', '--json'], at)
  const said = run
    .json()
    .warnings.map(({ row, message }: { row: number; message: string }) => `${row} ${message}`)
  const days = "31 days, and a pay period of Bronagh O'Example has 7: all of it would be paid in Week 9"
  expect(said).toContainEqual(expect.stringContaining(`3 column C (To): ${days}`))
  expect(said).toContainEqual(
    expect.stringContaining('4 column D (Hours): 300 hours: more than 60 in a week'),
  )
  expect(said.filter((each: string) => each.startsWith('2 '))).toEqual([])
})
