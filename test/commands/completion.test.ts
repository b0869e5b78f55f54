import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'

test.each([
  // The first word, of which nothing is typed.
  ['', expect.arrayContaining(['candidates', 'payslips'])],
  ['cand', ['candidates']],
  // What the scripts ask by is nothing to type.
  ['comp', ['completion']],
  ['completion b', ['bash']],
  ['doc', ['doctor', 'documents']],
  ['payment-rates ', expect.arrayContaining(['create', 'list', 'get', 'update'])],
  ['candidates dra', ['drafts']],
  ['candidates drafts ', ['delete', 'list']],
  ['candidates import resolve --le', ['--leave']],
  ['candidates create --ir', ['--ireland']],
  // An option of every command.
  ['candidates create --prof', ['--profile']],
  ['help f', ['facts', 'fields', 'formats']],
  ['help cand', ['candidates']],
  ['help candidates exp', ['export']],
  ['commands candidates exp', ['export']],
  ['commands facts im', ['import']],
  ['check acc', ['accept', 'accepted']],
  ['check accept no-b', ['no-bank']],
  ['check --only too', ['too-many-hours']],
  ['candidates list --profile prod', ['production']],
  ['candidates create --ireland --set payrollSetting.taxB', ['payrollSetting.taxBasis=']],
  ['candidates create --set payrollSetting.taxC', ['payrollSetting.taxCode=']],
  ['candidates create --ireland --set taxB', ['taxBasis=']],
  ['candidates create --set maritalStatus=MAR', ['maritalStatus=MARRIED']],
  // Not the files of the folder.
  ['candidates update x --unset mob', ['mobile']],
  ['payslips list --sum gross,mar', ['gross,margin']],
  ['payslips list --sum --by taxP', ['taxPeriod']],
  ['candidates list --where maritalStatus=MAR', ['maritalStatus=MARRIED']],
  ['candidates list -o y', ['yaml']],
  ['candidates list --where marital', ['maritalStatus=']],
  ['candidates list --ireland --where ppsN', ['ppsNumber=']],
  ['payslips list --where taxP', ['taxPeriod=']],
  ['candidates.ireland li', ['list']],
  ['help candidates.uk li', ['list']],
  ['candidates.ireland list --where ppsN', ['ppsNumber=']],
  ['payslips list --by taxP', ['taxPeriod']],
  // A percentage.
  ['payslips compare --by ', []],
  ['check rules no-b', ['no-bank']],
  ['candidates list --sort -surn', ['-surname']],
  ['timesheets list --sort startD', ['startDate']],
  ['candidates list --columns id,surn', ['id,surname']],
  ['candidates list --columns setting.taxC', ['setting.taxCode']],
  ['candidates export -o x', ['xlsx']],
  ['profiles use pro', ['production']],
  ['profiles set acme --country i', ['ireland']],
  ['routes set payslips.listL', ['payslips.listLegacy']],
  ['explain candidates.i', ['candidates.ireland']],
  // Payslips are only read, and a document is a file.
  ['template pay', ['payment-rates']],
  ['template doc', []],
  ['candidates list --ou', ['--out', '--output']],
  ['candidates list --profile=prod', ['production']],
  ['check --only=too', ['too-many-hours']],
])('payroll complete offers behind: %s', async (line, offers) => {
  const { out } = await payroll(['complete', '--', ...line.split(' ')])
  const lines = out.split('\n').filter((each) => each !== '' && !each.startsWith(':'))
  expect(lines.map((each) => each.split('\t')[0]).sort()).toEqual(offers)
})

test('payroll complete offers the fields of the country that a command without one takes', async () => {
  const offered = async (PAYROLL_COUNTRY: string) =>
    (
      await payroll(['complete', '--', 'candidates', 'list', '--where', 'ppsN'], {
        env: { PAYROLL_COUNTRY, PAYROLL_PROFILE: 'sandbox' },
      })
    ).out
  expect(await offered('ireland')).toMatch(/^ppsNumber=/)
  expect(await offered('uk')).toBe(':6\n')
  expect(await offered('nowhere')).toBe(':6\n')
})
