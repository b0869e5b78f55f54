import { describe, expect, test } from 'vitest'
import { valueAt } from '../../src/files/json/path.ts'
import { freshHome, payroll, type Terminal } from '../payroll.ts'
import { answerForm, enterBut } from '../prompts/form-driver.ts'
import { inTerminal } from './terminal.ts'

type Replies = Parameters<typeof enterBut>[0]

interface Filling {
  readonly env?: Readonly<Record<string, string>>
  readonly cols?: number
  readonly rows?: number
}

/** Fills a form in a real terminal until it ends; Enter for all that is not answered. How many answers it took. */
async function filled(argv: readonly string[], replies: Replies, { env = {}, ...size }: Filling = {}) {
  const home = env.PAYROLL_CONFIG_DIR ?? freshHome()
  const terminal = inTerminal(argv, { PAYROLL_CONFIG_DIR: home, ...env }, size)
  const reply = enterBut(replies)
  const asked: string[] = []
  let answers = 0
  await answerForm(terminal as unknown as Terminal, (question) => {
    asked.push(question.text, ...question.choices)
    answers += 1
    if (answers > 200) throw new Error(`never ends:\n${terminal.screen()}`)
    return reply(question)
  })
  return { ...terminal, ...(await terminal.ended), answers, asked, home }
}

/** What the sandbox of a home holds, as a script reads it. */
async function held(home: string, ...argv: string[]) {
  const inSandbox = (...words: string[]) =>
    payroll(['--profile', 'sandbox', '--json', 'candidates', ...words, ...argv], { home })
  const [first] = (await inSandbox('list')).json()
  return first && (await inSandbox('get', first.id)).json()
}

/** A question, what is typed at it (nothing: Enter), and where the service then holds it; as what, if not as it was typed. */
type Typed = readonly [label: string, reply: string, path: string, held?: unknown]

/** A registration and an RPN, as an admin reads them off the paper, and what the service then holds. */
const aoife: readonly Typed[] = [
  ['Agency reference', 'IE-0001', 'agencyRef'],
  ['Forename', 'Aoife', 'forename'],
  ['Surname', 'Ní Shampla', 'surname'],
  ['Date of birth', '4/11/1991', 'DOB', '1991-11-04'],
  ['Address, line 1', '1 Example Street', 'address', ['1 Example Street']],
  ['City or town', 'Dublin', 'city'],
  ['County', 'Co. Dublin', 'county'],
  ['Eircode', 'D02 X285', 'eircode'],
  ['Country', '', 'country', 'IE'],
  ['PPS number', '1234567FA', 'setting.ppsNumber'],
  ['Start date', '3 Oct 2026', 'dateOfJoining', '2026-10-03'],
  ['Job title', 'Nurse', 'jobDescription'],
  ['Pay frequency', '', 'payFrequency', 'WEEKLY'],
  ['Hourly rate', '€27.50', 'rateHour', 27.5],
  ['Hours a week', '39', 'hours', 39],
  ['Payment model', '', 'setting.paymentModel', 'PAYEE'],
  ['Pay method', 'Bank', 'payMethod', 'BACS'],
  ['Tax basis', 'Cumulative', 'setting.taxBasis', 'CUMULATIVE'],
  ['Yearly tax credits', '4,000.00', 'setting.taxCreditAnnual', '4000.00'],
  ['Standard rate cut-off point', '€44,000', 'setting.yearlyRateCutOff', '44000'],
  ['USC status', '', 'setting.uscExemption', 'ORDINARY'],
  ['Yearly USC rate 1', '12012', 'setting.annual_zeroPointFive'],
  ['Yearly USC rate 2', '28,700', 'setting.annual_two', '28700'],
  ['Yearly USC rate 3', '70044.00', 'setting.annual_fourPointFive'],
  ['PRSI class', '', 'setting.prsiEeClasses', 'A1'],
  ['Employment ID', '1', 'setting.employmentId'],
  ['Account name', 'Aoife Ni Shampla', 'bank.accountName'],
  ['IBAN', 'IE29AIBK93115212345678', 'bank.IBANReference'],
  ['Mobile', '085 012 3456', 'mobile'],
  ['Email', 'aoife@example.com', 'email'],
]

/** A starter checklist with a student and a postgraduate loan, and what the service then holds. */
const ann: readonly Typed[] = [
  ['Agency reference', 'UK-0001', 'agencyRef'],
  ['Forename', 'Ann', 'forename'],
  ['Surname', 'Example', 'surname'],
  ['Gender', 'Female', 'gender', 'FEMALE'],
  ['Date of birth', '25.12.1980', 'DOB', '1980-12-25'],
  ['Address, line 1', '1 Example Street', 'address', ['1 Example Street']],
  ['City or town', 'Leeds', 'city'],
  ['Postcode', 'LS1 1AA', 'postCode'],
  ['Country', '', 'country', 'GB'],
  ['National Insurance number', 'AB123456C', 'NINumber'],
  ['Start date', '3/10/26', 'dateOfJoining', '2026-10-03'],
  ['Job title', 'Welder', 'jobDescription'],
  ['Pay frequency', '', 'payFrequency', 'WEEKLY'],
  ['Pay method', '', 'payMethod', 'BACS'],
  ['Hourly rate', '£17.50', 'rateHour', 17.5],
  ['Hours a week', '37.5', 'hours', 37.5],
  ['Payment model', '', 'setting.paymentModel', 'PAYEE'],
  ['Starter declaration', 'B', 'setting.starterDeclaration'],
  ['Tax code', '', 'setting.taxCode', '1257L'],
  ['Tax basis', '', 'setting.taxBasis', 'W1M1'],
  ['NI category letter', '', 'setting.niCategory', 'A'],
  ['Student loan', 'Plan 2', 'setting.haveStudentLoan', true],
  ['Plan 2 starts', '', 'setting.studentLoanPlan2StartDate', '2026-10-03T00:00:00.000Z'],
  ['Postgraduate loan', '3/10/26', 'setting.studentLoanPostGraStartDate', '2026-10-03T00:00:00.000Z'],
  ['Account name', 'Ann Example', 'bank.accountName'],
  ['Sort code', '601613', 'bank.sortCode'],
  ['Account number', '31926819', 'bank.accountNumber'],
  ['Mobile', '07400 123456', 'mobile'],
  ['Email', 'ann@example.com', 'email'],
]

const repliesOf = (typed: readonly Typed[]): Replies => ({
  ...Object.fromEntries(typed.map(([label, reply]) => [label, reply])),
  'What next?': 'Send',
})

/** Words of the interface, its codes and what only a program fills in: no question has them. */
const interfaceWords =
  /[a-z][A-Z]|\w_\w|[A-Z]{2,}_|JSON|UUID|\bID\b(?<!Employment ID)|WEEKLY|PAYEE|W1M1(?!\))|Author|shown|service/

const irish = ['candidates', 'create', '--ireland']

describe('a form in a real terminal', () => {
  test.each([
    ['an Irish', irish, aoife, ['--ireland']],
    ['a UK', ['candidates', 'create'], ann, []],
  ])(
    'makes %s starter, complete for a first payslip, in at most 35 answers and the words of payroll',
    async (...given) => {
      const [name, argv, typed, country] = given
      const { answers, asked, exitCode, home, screen } = await filled(argv, repliesOf(typed))
      process.stdout.write(`answers for ${name} starter: ${answers}\n`)
      expect(exitCode, screen()).toBe(0)
      expect(answers).toBeLessThanOrEqual(35)
      expect(asked.filter((text) => interfaceWords.test(text))).toEqual([])
      const record = await held(home, ...country)
      expect(typed.map(([, , path]) => [path, valueAt(record, path.split('.'))])).toEqual(
        typed.map(([, reply, path, value = reply]) => [path, value]),
      )
      expect(screen()).toMatch(/Created (Aoife|Ann) \S.* \(\S+\) on sandbox\./)
      expect(screen()).not.toContain('Needed for pay')
      // What is printed once it is sent is masked, though the form showed it.
      const [, printed = ''] = screen().split(/Created (?:Aoife|Ann) /)
      expect(printed).not.toMatch(/1234567FA|AB123456C|31926819|IE29AIBK/)
    },
  )

  test('fits 40 columns', async () => {
    const cols = 40
    const { exitCode, screen } = await filled(irish, repliesOf(aoife), { cols, rows: 24 })
    expect(exitCode).toBe(0)
    const wide = screen()
      .split(/[\r\n]+/)
      // A line that is drawn again, letter by letter, is one line on the screen.
      .flatMap((line) => line.split(/(?=[?✔] )/))
      .filter((line) => [...line].length > cols)
      // Notes are left to the terminal to break, so that what stands in them can be copied; so is the answer.
      .filter((line) => !/^(Sandbox:|Its id|Created|To look)/.test(line))
      .filter((line) => /\S+\s+\S+/.test(line) && !/^[\s{}"]/.test(line))
    expect(wide).toEqual([])
  })
})
