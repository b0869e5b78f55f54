import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { sheetOf } from './week-sheet.ts'

const heading = 'Staff no,Week ending,Hours,Rate'
const lines = ['SANDBOX-UK-01,31/05/2026,37.5,17.30', 'SANDBOX-UK-02,31/05/2026,20,17.30']
const week = 'SANDBOX-UK-02, week ending 31 May 2026'

test('a timesheet that is there already is named by its person and week, and not by its key', async () => {
  const at = await sheetOf(heading, ...lines)
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject({ code: 0 })
  const again = await sheetOf(heading, ...lines, 'SANDBOX-UK-03,31/05/2026,20,17.30')
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
  const at = await sheetOf(heading, lines[0] ?? '')
  expect(await payroll([...at.argv, '--yes'], at)).toMatchObject({ code: 0 })
  const { argv } = await sheetOf(heading, ...lines)
  const shown = (await atTerminal([...argv, '--dry-run'], at).ended).out.replace(/\s+/g, ' ')
  expect(shown).toContain(
    'SANDBOX-UK-01, week ending 31 May 2026 is already on the service; it is not changed: row 2 ',
  )
})

test('a timesheet whose outcome is not known is named by its person and week', async () => {
  const at = await sheetOf(heading, ...lines)
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
  const left = await payroll([...resolve, '--row', '2', '--leave'], at)
  expect(left.out).toContain('Row 2, SANDBOX-UK-01, week ending 31 May 2026 is left as it is')
  for (const text of [run.err, listed.out, left.out]) expect(text).not.toContain(' / - / ')
})
