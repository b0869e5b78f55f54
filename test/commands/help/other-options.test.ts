import { expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'

const refuse = async (argv: readonly string[], says: string) =>
  expect(await payroll(argv)).toMatchObject({ ...endedWith(2, says), out: '' })

test.each([
  ['candidates import people.csv --resume', 'leave it out'],
  ['template candidates.uk --csv', 'Type -o csv in its place.'],
  ['candidates export --format ndjson', 'Type -o in its place'],
  ['payslips export --format=ndjson', 'Type -o in its place'],
])('an option that was removed is exit 2, and says what to type: %s', async (words, hint) => {
  await refuse(words.split(' '), hint)
})

test.each([
  ['candidates list --filter surname=Sample', '--where'],
  ['candidates list --jq [].id', '--query'],
  ['candidates list --jq=[].id', '--query'],
  ['candidates list --fields id', '--columns'],
  ['candidates list --format json', '--output'],
  ['payment-rates create --data {}', '--file or --set'],
  ['candidates list --verbose', '--debug'],
  ['timesheets list --employee UK-1', '--where'],
])('an option as other tools call it is exit 2, and names ours: %s', async (words, ours) => {
  await refuse(words.split(' '), `Did you mean ${ours}?`)
})

test('an option of other tools is not said to be one that the command lacks: create --filter', async () => {
  const { code, err } = await payroll(['payment-rates', 'create', '--filter', 'x'])
  expect([code, err]).toEqual([2, expect.not.stringContaining('--where')])
})

test.each([
  ['payment-rates list --timeout x', 'See payroll payment-rates list --help.'],
  ['payment-rates --timeout x list', 'See payroll payment-rates --help.'],
  ['--timeout x payment-rates list', 'See payroll --help.'],
])('a wrong value of an option of every command is exit 2 wherever it stands: %s', async (words, hint) => {
  await refuse(words.split(' '), hint)
})

test.each([
  ['candidates update UK-1 --set postcode=LS1 4DY', 'Put it in quotes: --set "postcode=LS1 4DY"'],
  ['candidates update --set city=Milton Keynes UK-1', 'Put it in quotes: --set "city=Milton Keynes"'],
  ['candidates list --where city=Milton Keynes', 'Put it in quotes: --where "city=Milton Keynes"'],
  ['check --only no-bank no-rate', 'Write the option again: --only no-bank --only no-rate'],
  ['candidates import new starters.xlsx --dry-run', 'Put it in quotes: "new starters.xlsx"'],
  ['documents get 7 UK-1', 'Did you mean payroll documents get 7 --employee UK-1?'],
  ['candidates get amelie sample', 'Did you mean payroll candidates find amelie sample?'],
  ['timesheets list UK-1', 'Did you mean payroll timesheets list --where "subcontractorRef=UK-1"?'],
])('a word too many is exit 2, and says what to type: %s', async (words, hint) => {
  await refuse(words.split(' '), hint)
})

test.each(['payment-rates', 'timesheets'])('%s import knows no --bank: exit 2', async (noun) => {
  const argv = [noun, 'import', 'rows.csv', '--update', '--bank']
  await refuse(argv, "Unknown option '--bank'. Nothing was sent.")
})

test('the word behind an option is its value, and not the short options that its letters are: --where -q=1', async () => {
  const run = await payroll('payment-rates list --profile sandbox --where -q=1'.split(' '))
  expect(run).toMatchObject(endedWith(0, 'whether it has a field -q'))
})

test('each command that a hint of a wrong command line names is one of next: candidates get amelie sample', async () => {
  const { error } = await payroll(['candidates', 'get', 'amelie', 'sample', '--json'])
  const next = ['payroll candidates find amelie sample', 'payroll candidates get --help']
  expect(error().next).toEqual(next)
})

test.each([
  ['--profile acme vat-codes list --profile other', 'other'],
  ['--profile acme vat-codes --profile other list', 'other'],
  ['vat-codes --profile acme list', 'acme'],
])('an option of every command counts wherever it stands, and of two the last: %s', async (words, name) => {
  expect(await payroll(words.split(' '))).toMatchObject(endedWith(2, name))
})
