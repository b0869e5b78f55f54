import { expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

test.each([
  // A wrong value of an option of every command, wherever it stands.
  ['payment-rates list --timeout x', 'See payroll payment-rates list --help.'],
  ['payment-rates --timeout x list', 'See payroll payment-rates --help.'],
  ['--timeout x payment-rates list', 'See payroll --help.'],
  // Options that the command does not have.
  ['candidates list --bank', "Unknown option '--bank'."],
  ['payslips list --by 20', '--by needs --sum.'],
  ['vat-codes list --ireland', "Unknown option '--ireland'."],
  ['candidates import a.csv --updte', 'Did you mean --update?'],
  ['candidates list --sheet Staff', 'See payroll candidates list --help.'],
  // A noun, beside a word that is one elsewhere.
  ['--profile sandbox candidats list', 'Did you mean candidates?'],
  // A verb behind a command that does something by itself.
  ['check acept no-bank', 'Did you mean accept?'],
  ['candidates import reslve a.csv', 'Did you mean resolve?'],
  // A word too many.
  ['candidates update UK-1 --set postcode=LS1 4DY', 'in double quotes'],
  ['candidates import new starters.xlsx --dry-run', 'in double quotes'],
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

test('the word behind an option is its value, and not the short options that its letters are: --where -q=1', async () => {
  const { env } = await startSandbox({ seeded: 1 })
  const run = await payroll('payment-rates list --where -q=1'.split(' '), { env })
  expect(run).toMatchObject(endedWith(2, 'There is no field -q in this list.'))
})

test.each([
  ['--profile acme vat-codes list --profile other', 'other'],
  ['--profile acme vat-codes --profile other list', 'other'],
  ['vat-codes --profile acme list', 'acme'],
])('an option of every command counts wherever it stands, and of two the last: %s', async (words, name) => {
  expect(await payroll(words.split(' '))).toMatchObject(endedWith(2, name))
})
