import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
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
const tooLate = 'it was created before it was edited; --update changes the record'

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
