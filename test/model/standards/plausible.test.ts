import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerForm, onlyThese } from '../../prompts/form-driver.ts'

test('an import doubts pay and dates that can only be slips, and refuses none of them', async () => {
  const home = freshHome()
  const csv = join(home, 'starters.csv')
  const rows = [
    'Employee ref,First name,Last name,Hourly rate,Annual salary,Start date,Date of birth',
    'P-1,Ann,Sample,180,,2206-05-01,',
    'P-2,Bea,Sample,0.125,,,1905-02-15',
    'P-3,Cat,Sample,,38.5,,',
    'P-4,Dee,Sample,14.50,,2026-05-01,1990-01-31',
  ]
  writeFileSync(csv, rows.join('\n'))
  const argv = ['--profile', 'sandbox', 'candidates', 'import', csv, '--dry-run']
  const { warnings, ...counts } = (await payroll(argv, { home })).json()
  expect(counts).toMatchObject({ rows: 4, ready: 4, invalidCount: 0, warningCount: 5 })
  expect(warnings.map(({ row, message }: { row: number; message: string }) => `${row} ${message}`)).toEqual([
    '2 column F (Start date): starts in 2206? That is more than two years ahead',
    '2 column D (Hourly rate): more than 150 an hour: is it what a day is paid, or is the decimal point missing?',
    '3 column G (Date of birth): born in 1905? That is older than 100',
    '3 column D (Hourly rate): less than 1 an hour: the decimal point may be in the wrong place',
    '4 column E (Annual salary): less than 1,000 a year: it may be in thousands, or for an hour',
  ])
})

test('the form doubts such pay too, and keeps it for somebody who says so', async () => {
  const argv = ['candidates', 'create', '--incomplete', '--dry-run', '--json']
  const terminal = atTerminal(argv)
  await answerForm(
    terminal,
    onlyThese({ 'Hourly rate': '1250', 'More than 150 an hour': 'Keep', 'What next?': 'Send' }),
  )
  expect(terminal.screen().replaceAll(/\s+/g, ' ')).toContain(
    '! More than 150 an hour: is it what a day is paid, or is the decimal point missing? ❯',
  )
  expect((await terminal.ended).json().body).toMatchObject({ generalSetting: { rateHour: 1250 } })
})

test('the form doubts a date and a street at the wrong question, and says in which line', async () => {
  const terminal = atTerminal(['candidates', 'create', '--incomplete', '--dry-run', '--json'])
  await answerForm(
    terminal,
    onlyThese({
      ...{ 'Address, line 1': '30/4/89', 'A date, a number or an email': 'Keep' },
      ...{
        'City or town': '12 High Street',
        'It has a number or a postcode in it': 'Keep',
        'What next?': 'Send',
      },
    }),
  )
  expect((await terminal.ended).json().warnings).toMatchObject([
    { path: 'generalSetting.address[0]', message: 'a date, a number or an email, and no line of an address' },
    { path: 'generalSetting.city', message: 'it has a number or a postcode in it' },
  ])
})

test('pay of one person that becomes ten times what it was, or a tenth, is doubted in an import and an update', async () => {
  const home = freshHome()
  const run = (words: string) => payroll(`--profile sandbox ${words}`.split(' '), { home })
  const csv = join(home, 'staff.csv')
  const header = 'Agency reference,First name,Last name,Hourly rate,Annual salary'
  const people = [
    'P-1,Ann,Sample,14.50,',
    'P-2,Bea,Sample,14.50,',
    'P-3,Cat,Sample,,31200',
    'P-4,Dee,Sample,,',
  ]
  writeFileSync(csv, [header, ...people].join('\n'))
  expect((await run(`candidates import ${csv}`)).code).toBe(0)
  const changed = ['P-1,,,148,', 'P-2,,,15.20,', 'P-3,,,,3120', 'P-4,,,148,']
  writeFileSync(csv, [header, ...changed].join('\n'))
  const [more, less] = [
    'more than five times what it was: the decimal point may be missing',
    'less than a fifth of what it was: the decimal point may be in the wrong place',
  ]
  const { warnings } = (await run(`candidates import ${csv} --update --dry-run`)).json()
  expect(warnings.map(({ row, message }: { row: number; message: string }) => `${row} ${message}`)).toEqual([
    `2 column D (Hourly rate): ${more}`,
    `4 column E (Annual salary): ${less}`,
  ])
  expect(await run('candidates update P-1 --set hourlyRate=1.5 --strict')).toMatchObject(endedWith(3, less))
  // What is doubtful in itself is said once.
  const doubled = await run('candidates update P-1 --set hourlyRate=1500 --strict')
  expect([doubled.err.includes('more than 150'), doubled.err.includes(more)]).toEqual([true, false])
})
