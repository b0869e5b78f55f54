import { describe, expect, test } from 'vitest'
import { atTerminal, keys } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'
import { filled, onlyThese, type Replies, standingAt } from './form-driver.ts'

const { enter, down, ctrlC } = keys
const form = ['candidates', 'create', '--incomplete']

async function bodyOf(replies: Replies, ...argv: string[]) {
  const given = onlyThese({ 'What next?': 'Send', ...replies })
  const { body } = await filled([...form, ...argv, '--dry-run', '--json'], given)
  return body()
}

describe('what is typed at a choice', () => {
  test.each([
    ['1', 'studentLoanPlan1StartDate'],
    ['2', 'studentLoanPlan2StartDate'],
    ['4', 'studentLoanPlan4StartDate'],
  ])('is a number of a label before it is one of an explanation: student loan %s', async (typed, name) => {
    const { payrollSetting } = await bodyOf({ 'Start date': '6/4/2026', 'Student loan': typed, Plan: '' })
    expect(payrollSetting).toEqual({ haveStudentLoan: true, [name]: '2026-04-06T00:00:00.000Z' })
  })

  test('is shown, and not taken by Enter, where it only stands inside of names', async () => {
    const terminal = await standingAt('Country', form)
    await terminal.type('', 'emirates')
    await terminal.type(
      / {2}United Arab Emirates \(AE\)\nNo choice begins with this\. These contain it: pick one with the arrow keys\./,
      enter,
    )
    await terminal.type('! Choose one with the arrow keys, or type how it begins.', down)
    await terminal.type('❯ United Arab Emirates (AE)', enter)
    await terminal.type('? National Insurance', '')
    expect(terminal.screen()).toContain('✔ Country AE (United Arab Emirates)\n')
  })

  test('is the beginning of the name of a section or a field, or is only shown', async () => {
    const terminal = await standingAt('Which part?', form, { replies: { 'What next?': 'Edit' } })
    await terminal.type('', `letter${enter}`)
    await terminal.type('! Choose one with the arrow keys', '\u0015ni cat')
    await terminal.type('❯ NI category letter', enter)
    await terminal.type('? NI category letter', '')
  })

  test('is asked about in plain lines, where a number is one of the list and another of a label', async () => {
    const terminal = atTerminal(form, { env: { ACCESSIBLE: '1' } })
    await terminal.type(/Agency reference .*: $/, `>>${enter}`)
    await terminal.type(/What next\?[\s\S]*: $/, `edit${enter}`)
    await terminal.type(/Which part\?[\s\S]*: $/, `student loan${enter}`)
    await terminal.type(/ {2}1\. Student loan \(Student and[\s\S]*: $/, `1${enter}`)
    await terminal.type(/ {2}2\. Plan 1[\s\S]* {2}3\. Plan 2[\s\S]*: $/, `2${enter}`)
    await terminal.type(/ {2}1\. Plan 1.*\n[\s\S]* {2}2\. Plan 2[\s\S]*: $/, `2${enter}`)
    await terminal.type(/Student loan: Plan 2\n/, ctrlC)
    await terminal.ended
  })
})

test('Page Down, End and Home go through the choices, and leave what is typed as it is', async () => {
  const [pageDown, home, end] = ['\u001B[6~', '\u001B[H', '\u001B[F']
  const terminal = await standingAt('Which part?', form, { replies: { 'What next?': 'Edit' } })
  await terminal.type('', pageDown)
  await terminal.type('❯ None: back to the record', home)
  await terminal.type('❯ Person', end)
  await terminal.type('❯ None: back to the record', 'ta')
  await terminal.type('ta\n', home)
  await terminal.type('', 'x code')
  await terminal.type('❯ Tax code', enter)
  await terminal.type('? Tax code', '')
})

test('Tab puts the answer so far into the line, to be changed', async () => {
  const terminal = await standingAt('Address, line 2', form, { replies: { 'Address, line 1': 'Flat 2' } })
  await terminal.type('', `<${enter}`)
  await terminal.type('? Address, line 1 [Flat 2]', `\tb${enter}`)
  await terminal.type('? Address, line 2', '')
  expect(terminal.screen()).toContain('✔ Address, line 1 Flat 2b\n')
})

test.each([
  ['>>', 'What next?', 'NIGHT'],
  ['>', 'What next?', 'NIGHT'],
])('%s inside of an item of a list leaves the list, and keeps the item', async (key, next, rate) => {
  const terminal = await standingAt('Rates', ['timesheets', 'create', '--dry-run', '--json'], {
    replies: { Person: 'UK-0001' },
  })
  await terminal.type('', `add${enter}`)
  await terminal.type('? Rate 1: Payment rate', `${rate}${enter}`)
  await terminal.type('? Rate 1: ', `${key}${enter}`)
  await terminal.type(`? ${next}`, '')
  expect(terminal.screen()).toContain(`1: Payment rate ${rate}`)
})

describe('a record that is longer than the screen', () => {
  test('keeps what pay needs above the menu after an edit, and takes no answer at a page', async () => {
    const replies = { Forename: 'Eve', Surname: 'Example', 'Sort code': '601613' }
    const terminal = await standingAt('Page 1', form, { replies, columns: 80, rows: 24 })
    await terminal.type('', `edit${enter}`)
    await terminal.type('! Enter shows the next page, and > goes to the menu', `\u0015>${enter}`)
    await terminal.type('! Needed for pay: Date of birth, National Insurance number', `edit${enter}`)
    await terminal.type('? Which part?', `surname${enter}`)
    await terminal.type('? Surname', `Sample${enter}`)
    await terminal.type('? What next?', '')
    expect(terminal.screen()).toMatch(
      /✔ Surname Sample\n! Needed for pay: Date of birth[^!]*Eve Sample\nWhat changed\n {2}Person, Surname: Example → Sample/,
    )
  })

  test('has of an Irish one the rate in short, and no cut-off points', async () => {
    const { env } = await startSandbox({ seeded: true })
    const argv = ['candidates', 'update', 'SANDBOX-IE-01', '--ireland']
    const terminal = atTerminal(argv, { env, columns: 80, rows: 24 })
    await terminal.type('? Page 1 of', `>${enter}`)
    await terminal.type(/· Hourly rate €[\d.]+\n\? What next\?/, ctrlC)
    await terminal.ended
  })

  test('is shown in pages, and in short above the menu', async () => {
    const { env } = await startSandbox({ seeded: true })
    const terminal = atTerminal(['candidates', 'update', 'SANDBOX-UK-01'], { env, columns: 80, rows: 24 })
    await terminal.type('? Page 1 of', enter)
    await terminal.type('? Page 2 of', `>${enter}`)
    await terminal.type('? What next?', '')
    const last = terminal.screen().split('\n').slice(-23).join('\n').replace(/\s+/g, ' ')
    expect(last).toMatch(/SANDBOX-UK-01 Amélie Sample · National Insurance number [A-Z\d ]+ · Hourly rate £/)
    await terminal.type('', `Read${enter}`)
    await terminal.type('? Page 1 of', `>${enter}`)
    await terminal.type('? What next?', ctrlC)
    await terminal.ended
  })
})
