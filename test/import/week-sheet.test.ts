import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, keys, payroll } from '../payroll.ts'
import { sheetOf } from './week-sheet.ts'

const headings = 'Staff no,Week ending,Hours,Rate'
const [one, two] = ['SANDBOX-UK-01,31/05/2026,37.5,17.30', 'SANDBOX-UK-02,31/05/2026,20,17.30']

/** A week of two people that was imported, and what a dry run of its file says when it has other lines. */
async function weekThere() {
  const at = await sheetOf(headings, one, two)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject({ code: 0 })
  return async (lines: readonly string[], ...options: readonly string[]): Promise<string[]> => {
    writeFileSync(at.argv.at(-1) ?? '', `${[headings, ...lines].join('\n')}\n`)
    const { warnings } = (await payroll([...at.argv, '--dry-run', ...options], at)).json()
    return warnings.map(({ message }: { message: string }) => message)
  }
}

const noRow = expect.stringMatching(/^no row has /)
const tooLate = 'this import created it with other values; --update changes the record'

test('a timesheet whose line was taken out of the file of the week is named, with or without --update', async () => {
  const says = await weekThere()
  const gone =
    'no row has SANDBOX-UK-02, week ending 31 May 2026 any more, and what was created from this file stays on the service; timesheets update sets its hours to 0'
  expect(await says([one])).toContain(gone)
  expect(await says([one], '--update')).toContain(gone)
})

test('no line is missed where the file has all of them, another week, or a line that is wrong', async () => {
  const says = await weekThere()
  expect(await says([one, two])).not.toContainEqual(noRow)
  expect(await says([one.replace('31/05', '14/06')])).not.toContainEqual(noRow)
  expect(await says([one, two.replace(',20,', ',twenty,')])).not.toContainEqual(noRow)
})

test('a dry run says of a row that was edited since it was created what would change it', async () => {
  const says = await weekThere()
  const edited = [one, two.replace(',20,', ',25,')]
  expect(await says(edited)).toContain(tooLate)
  expect(await says(edited, '--update')).not.toContain(tooLate)
  expect(await says([one, two])).not.toContain(tooLate)
})

const week = 'SANDBOX-UK-02, week ending 31 May 2026'

test('a timesheet that is there already is named by its person and week, and not by its key', async () => {
  const at = await sheetOf(headings, one, two)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject({ code: 0 })
  const again = await sheetOf(headings, one, two, 'SANDBOX-UK-03,31/05/2026,20,17.30')
  const argv = ['timesheets', 'import', again.argv[2] ?? '']
  const shown = (await atTerminal([...argv, '--dry-run'], at).ended).out.replace(/\s+/g, ' ')
  expect(shown).toContain(
    'already on the service; not changed: row 2 (SANDBOX-UK-01, week ending 31 May 2026)',
  )
  const log = (await payroll([...argv, '--yes'], at)).err
  expect(log).toContain(`row 3, ${week}: it is already on the service; it is not changed`)
  for (const text of [shown, log]) expect(text).not.toContain(' / - / ')
})

test('a timesheet that alone is there already is named once', async () => {
  const at = await sheetOf(headings, one)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject({ code: 0 })
  const { argv } = await sheetOf(headings, one, two)
  const shown = (await atTerminal([...argv, '--dry-run'], at).ended).out.replace(/\s+/g, ' ')
  expect(shown).toContain(
    'SANDBOX-UK-01, week ending 31 May 2026 is already on the service; it is not changed: row 2 ',
  )
})

test('a timesheet whose outcome is not known is named by its person and week, and resolved by any of its rows', async () => {
  const at = await sheetOf(headings, one, 'SANDBOX-UK-01,31/05/2026,5,21.30', two)
  at.intercept(async ({ method }, response) => {
    if (method !== 'POST') return false
    response.destroy()
    return true
  })
  const run = await payroll([...at.argv, '--yes', '--settle', '0'], at)
  expect(run).toMatchObject(endedWith(8, 'row 2, SANDBOX-UK-01, week ending 31 May 2026'))
  const resolve = ['timesheets', 'import', 'resolve', at.argv[2] ?? '', '-o', 'table']
  const listed = await payroll(resolve, at)
  expect(listed.out).toContain('SANDBOX-UK-01, week ending 31 May 2026')
  const left = await payroll([...resolve, '--row', '3', '--leave'], at)
  expect(left.out).toContain('Row 2, SANDBOX-UK-01, week ending 31 May 2026 is left as it is')
  for (const text of [run.err, listed.out, left.out]) expect(text).not.toContain(' / - / ')
})

test('rows and the timesheets that they make are counted alike before, at the end and when the file is imported again', async () => {
  // One of the two timesheets is doubtful, because both of its rows have hours at one rate.
  const at = await sheetOf(headings, one, two, 'SANDBOX-UK-02,31/05/2026,5,17.30')
  const terminal = atTerminal(at.argv, at)
  await terminal.type(
    /3 {2}to create \(2 timesheets\)\s+2 {2}doubtful \(1 timesheet\): .*Create 2 timesheets, 1 of them doubtful,/s,
    `y${keys.enter}`,
  )
  expect(await terminal.ended).toMatchObject({ code: 0, out: '3 rows: 3 created (2 timesheets).\n' })
  const again = await payroll([...at.argv, '-o', 'table'], at)
  expect(again).toMatchObject({
    code: 0,
    out: '3 rows: 3 created by an earlier run (2 timesheets).\n',
    err: expect.stringContaining('): 3 created by an earlier run (2 timesheets).'),
  })
  expect((await payroll(at.argv, at)).json()).toMatchObject({ rows: 3, createdEarlier: 3 })
})
