import { describe, expect, test } from 'vitest'
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

/** A registration and an RPN, as an admin reads them off the paper, and what the service then holds. */
const aoife: Replies = {
  'Agency reference': 'IE-0001',
  Forename: 'Aoife',
  Surname: 'Ní Shampla',
  'Date of birth': '4/11/1991',
  'Address, line 1': '1 Example Street',
  'City or town': 'Dublin',
  County: 'Co. Dublin',
  Eircode: 'D02 X285',
  'PPS number': '1234567FA',
  'Start date': '3 Oct 2026',
  'Job title': 'Nurse',
  'Hourly rate': '€27.50',
  'Hours a week': '39',
  'Pay method': 'Bank',
  'Tax basis': 'Cumulative',
  'Yearly tax credits': '4,000.00',
  'Standard rate cut-off point': '€44,000',
  'Yearly USC rate 1': '12012',
  'Yearly USC rate 2': '28,700',
  'Yearly USC rate 3': '70044.00',
  'Employment ID': '1',
  'Account name': 'Aoife Ni Shampla',
  IBAN: 'IE29AIBK93115212345678',
  Mobile: '085 012 3456',
  Email: 'aoife@example.com',
  'What next?': 'Send',
}

const aoifeHeld = {
  agencyRef: 'IE-0001',
  forename: 'Aoife',
  surname: 'Ní Shampla',
  DOB: '1991-11-04',
  address: ['1 Example Street'],
  city: 'Dublin',
  county: 'Co. Dublin',
  eircode: 'D02 X285',
  country: 'IE',
  mobile: '085 012 3456',
  email: 'aoife@example.com',
  dateOfJoining: '2026-10-03',
  jobDescription: 'Nurse',
  payFrequency: 'WEEKLY',
  payMethod: 'BACS',
  rateHour: 27.5,
  hours: 39,
  bank: { accountName: 'Aoife Ni Shampla', IBANReference: 'IE29AIBK93115212345678' },
  setting: {
    ppsNumber: '1234567FA',
    paymentModel: 'PAYEE',
    taxBasis: 'CUMULATIVE',
    taxCreditAnnual: '4000.00',
    yearlyRateCutOff: '44000',
    uscExemption: 'ORDINARY',
    annual_zeroPointFive: '12012',
    annual_two: '28700',
    annual_fourPointFive: '70044.00',
    prsiEeClasses: 'A1',
    employmentId: '1',
  },
}

/** A starter checklist with a student and a postgraduate loan, and what the service then holds. */
const ann: Replies = {
  'Agency reference': 'UK-0001',
  Forename: 'Ann',
  Surname: 'Example',
  Gender: 'Female',
  'Date of birth': '25.12.1980',
  'Address, line 1': '1 Example Street',
  'City or town': 'Leeds',
  Postcode: 'LS1 1AA',
  'National Insurance number': 'AB123456C',
  'Start date': '3/10/26',
  'Job title': 'Welder',
  'Hourly rate': '£17.50',
  'Hours a week': '37.5',
  'Starter statement': 'B',
  'Student loan': 'Plan 2',
  'Postgraduate loan': '3/10/26',
  'Account name': 'Ann Example',
  'Sort code': '601613',
  'Account number': '31926819',
  Mobile: '07400 123456',
  Email: 'ann@example.com',
  'What next?': 'Send',
}

const annHeld = {
  agencyRef: 'UK-0001',
  forename: 'Ann',
  surname: 'Example',
  gender: 'FEMALE',
  DOB: '1980-12-25',
  address: ['1 Example Street'],
  city: 'Leeds',
  postCode: 'LS1 1AA',
  country: 'GB',
  NINumber: 'AB123456C',
  mobile: '07400 123456',
  email: 'ann@example.com',
  dateOfJoining: '2026-10-03',
  jobDescription: 'Welder',
  payFrequency: 'WEEKLY',
  payMethod: 'BACS',
  rateHour: 17.5,
  hours: 37.5,
  bank: { accountName: 'Ann Example', sortCode: '601613', accountNumber: '31926819' },
  setting: {
    paymentModel: 'PAYEE',
    starterDeclaration: 'B',
    taxCode: '1257L',
    taxBasis: 'W1M1',
    niCategory: 'A',
    haveStudentLoan: true,
    studentLoanPlan2StartDate: '2026-10-03T00:00:00.000Z',
    studentLoanPostGraStartDate: '2026-10-03T00:00:00.000Z',
  },
}

/** Words of the interface, its codes and what only a program fills in: no question has them. */
const interfaceWords =
  /[a-z][A-Z]|\w_\w|[A-Z]{2,}_|JSON|UUID|\bID\b(?<!Employment ID)|WEEKLY|PAYEE|W1M1(?!\))|Author|shown|service/

const irish = ['candidates', 'create', '--ireland']

describe('a form in a real terminal', () => {
  test.each([
    ['an Irish', irish, aoife, aoifeHeld, ['--ireland']],
    ['a UK', ['candidates', 'create'], ann, annHeld, []],
  ])(
    'makes %s starter, complete for a first payslip, in at most 35 answers and the words of payroll',
    async (...given) => {
      const [name, argv, replies, expected, country] = given
      const { answers, asked, exitCode, home, screen } = await filled(argv, replies)
      process.stdout.write(`answers for ${name} starter: ${answers}\n`)
      expect(exitCode, screen()).toBe(0)
      expect(answers).toBeLessThanOrEqual(35)
      expect(asked.filter((text) => interfaceWords.test(text))).toEqual([])
      expect(await held(home, ...country)).toMatchObject(expected)
      expect(screen()).toMatch(/Created (Aoife|Ann) \S.* \(\S+\) on sandbox\./)
      expect(screen()).not.toContain('Needed for pay')
      // What is printed once it is sent is masked, though the form showed it.
      const [, printed = ''] = screen().split(/Created (?:Aoife|Ann) /)
      expect(printed).not.toMatch(/1234567FA|AB123456C|31926819|IE29AIBK/)
    },
  )

  test('stops at Ctrl-C, keeps the answers, and goes on with them', async () => {
    const home = freshHome()
    const stopped = inTerminal(irish, { PAYROLL_CONFIG_DIR: home })
    await stopped.type('? Agency reference', 'IE-0001\r')
    await stopped.type('? Forename', 'Aoife\r')
    await stopped.type('? Surname', '\u0003')
    await stopped.until('Your answers are saved. To continue')
    expect((await stopped.ended).signal).toBe(2)
    const { exitCode, screen } = await filled(
      irish,
      { ...aoife, 'There is a draft': '', 'Resume it?': '' },
      { env: { PAYROLL_CONFIG_DIR: home } },
    )
    expect(exitCode, screen()).toBe(0)
    expect(screen()).not.toContain('? Forename')
    expect(await held(home, '--ireland')).toMatchObject({ agencyRef: 'IE-0001', forename: 'Aoife' })
  })

  test.each([40, 80])('fits %i columns', async (cols) => {
    const { exitCode, screen } = await filled(irish, aoife, { cols, rows: 24 })
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

  test('takes names of any script, and a pasted address as its lines', async () => {
    const { exitCode, home, screen } = await filled(irish, {
      ...aoife,
      Forename: 'נועה',
      Surname: 'Ó Súilleabháin 李',
      'Address, line 1': ['\u001B[200~1 Example Street\nExample Town\nDublin\u001B[201~'],
    })
    expect(exitCode, screen()).toBe(0)
    const record = await held(home, '--ireland')
    expect(record).toMatchObject({ forename: 'נועה', surname: 'Ó Súilleabháin 李' })
    expect(record.address).toEqual(['1 Example Street', 'Example Town', 'Dublin'])
  })
})
