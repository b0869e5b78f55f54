import { expect, test } from 'vitest'
import { atTerminal, keys, payroll } from '../payroll.ts'
import { sheetOf } from './week-sheet.ts'

/** Three rows that are two timesheets; one of these is doubtful, because both of its rows have hours at one rate. */
const sheet = () =>
  sheetOf(
    'Staff no,Week ending,Hours,Rate',
    'SANDBOX-UK-01,31/05/2026,37.5,17.30',
    'SANDBOX-UK-02,31/05/2026,20,17.30',
    'SANDBOX-UK-02,31/05/2026,5,17.30',
  )

test('rows and the timesheets that they make are counted alike before, at the end and when the file is imported again', async () => {
  const at = await sheet()
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
    err: expect.stringContaining(': 0 timesheets to create, 3 created by an earlier run (2 timesheets).'),
  })
  expect((await payroll(at.argv, at)).json()).toMatchObject({ rows: 3, createdEarlier: 3 })
})
