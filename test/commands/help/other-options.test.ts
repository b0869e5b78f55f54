import { expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'

test.each([
  // Options that were removed.
  ['candidates import people.csv --resume', 'leave it out'],
  ['template candidates.uk --csv', 'Type -o csv in its place.'],
  ['candidates export --format ndjson', 'Type -o in its place'],
  ['payslips export --format=ndjson', 'Type -o in its place'],
  // Options as other tools call them.
  ['candidates list --filter surname=Sample', 'Did you mean --where?'],
  ['candidates list --jq [].id', 'Did you mean --query?'],
  ['candidates list --jq=[].id', 'Did you mean --query?'],
  ['candidates list --fields id', 'Did you mean --columns?'],
  ['candidates list --format json', 'Did you mean --output?'],
  ['payment-rates create --data {}', 'Did you mean --file or --set?'],
  ['candidates list --verbose', 'Did you mean --debug?'],
  ['timesheets list --employee UK-1', 'Did you mean --where?'],
  // A wrong value of an option of every command, wherever it stands.
  ['payment-rates list --timeout x', 'See payroll payment-rates list --help.'],
  ['payment-rates --timeout x list', 'See payroll payment-rates --help.'],
  ['--timeout x payment-rates list', 'See payroll --help.'],
  // Options of other commands.
  ['candidates list --bank', '--bank is an option of candidates import. See payroll candidates list'],
  ['candidates import a.csv --created 4', '--created is an option of candidates import resolve.'],
  ['candidates list --row 3', '--row is an option of candidates import resolve.'],
  ['payslips list --by 20', '--by needs --sum.'],
  ['vat-codes list --ireland', 'this command is for people of every country'],
  ['history --mark x', '--mark is an option of changes.'],
  ['candidates import a.csv --updte', 'Did you mean --update?'],
  ['candidates list --sheet Staff', 'See payroll candidates list --help.'],
  // A noun, beside a word that is one elsewhere.
  ['--profile sandbox candidats list', 'Did you mean candidates?'],
  // A verb behind a command that does something by itself.
  ['check acept no-bank', 'Did you mean payroll check accept?'],
  ['history list', 'History is followed by forget or nothing. See payroll history --help.'],
  ['history UMB-1', 'Did you mean payroll history --person UMB-1?'],
  ['candidates import reslve a.csv', 'Did you mean payroll candidates import resolve?'],
  // A word too many.
  ['candidates update UK-1 --set postcode=LS1 4DY', 'Put it in quotes: --set "postcode=LS1 4DY"'],
  ['candidates update --set city=Milton Keynes UK-1', 'Put it in quotes: --set "city=Milton Keynes"'],
  ['candidates list --where city=Milton Keynes', 'Put it in quotes: --where "city=Milton Keynes"'],
  ['check --only no-bank no-rate', 'Put it in quotes: --only "no-bank no-rate"'],
  ['candidates import new starters.xlsx --dry-run', 'Put it in quotes: "new starters.xlsx"'],
  ['documents delete UK-1 p60.pdf', 'Did you mean payroll documents delete p60.pdf --employee UK-1?'],
  ['documents get 7 UK-1', 'Did you mean payroll documents get 7 --employee UK-1?'],
  ['candidates get amelie sample', 'Did you mean payroll candidates find amelie sample?'],
  ['timesheets list UK-1', 'Did you mean payroll timesheets list --where "subcontractorRef=UK-1"?'],
  // Options that exclude each other.
  ['profiles set acme --unprotected --protected', '--protected and --unprotected cannot be combined.'],
  ['profiles set acme --writable --read-only', '--read-only and --writable cannot be combined.'],
  ['candidates get UK-1 --reference --id --json', '--id and --reference cannot be combined.'],
  // These have no bank details.
  ['payment-rates import rows.csv --update --bank', "Unknown option '--bank'. Nothing was sent."],
  ['timesheets import rows.csv --update --bank', "Unknown option '--bank'. Nothing was sent."],
])('options that cannot be used are exit 2, and it is said what to type: %s', async (words, says) => {
  expect(await payroll(words.split(' '))).toMatchObject({ ...endedWith(2, says), out: '' })
})

test('an option of other tools is not said to be one that the command lacks: create --filter', async () => {
  const { code, err } = await payroll(['payment-rates', 'create', '--filter', 'x'])
  expect([code, err]).toEqual([2, expect.not.stringContaining('--where')])
})

test('the word behind an option is its value, and not the short options that its letters are: --where -q=1', async () => {
  const run = await payroll('payment-rates list --profile sandbox --where -q=1'.split(' '))
  expect(run).toMatchObject(endedWith(0, 'whether it has a field -q'))
})

test('each command that a hint of a wrong command line names is one of next: candidates get amelie sample', async () => {
  const { error } = await payroll(['candidates', 'get', 'amelie', 'sample', '--json'])
  expect(error().next).toEqual(['payroll candidates find amelie sample', 'payroll candidates get --help'])
})

test.each([
  ['candidates list --bank', ['payroll candidates list --help']],
  ['history list', ['payroll history --help']],
  ['candidates template', ['payroll candidates --help']],
])('what a hint of %s only mentions is no command of next', async (words, next) => {
  const { error } = await payroll([...words.split(' '), '--json'])
  expect(error().next).toEqual(next)
})

test.each([
  ['--profile acme vat-codes list --profile other', 'other'],
  ['--profile acme vat-codes --profile other list', 'other'],
  ['vat-codes --profile acme list', 'acme'],
])('an option of every command counts wherever it stands, and of two the last: %s', async (words, name) => {
  expect(await payroll(words.split(' '))).toMatchObject(endedWith(2, name))
})
