import { isObject, type JsonObject } from '../../files/json/path.ts'
import { isDay, monthsAfter } from '../../text/day.ts'
import { countryById } from '../countries/countries.ts'
import { type FactValues, latestFact } from '../facts/facts.ts'
import type { Law } from '../fields/field.ts'
import { accountDigits, isAccountNumber, isSortCode } from './bank.ts'
import { passesModulus } from './modulus.ts'
import { ageOn, isOverPensionAge } from './plausible.ts'
import { normalize } from './standard-rule.ts'
import { taxYearBegins } from './tax-period.ts'
import { amountAt, isReversed, type Parts, type RecordRules, recordParts, textAt, timeAt } from './warning.ts'

const loanOf = (plan: string) => ({
  plan,
  start: `studentLoan${plan}StartDate`,
  end: `studentLoan${plan}EndDate`,
})

type Loan = ReturnType<typeof loanOf>

const undergraduate = ['Plan1', 'Plan2', 'Plan4', 'Plan5'].map(loanOf)
const loans = [...undergraduate, loanOf('PostGra')]

function overlaps(record: JsonObject, one: Loan, other: Loan): boolean {
  const hasDates = ({ start, end }: Loan) => textAt(record, start) !== '' || textAt(record, end) !== ''
  const beginsBefore = (loan: Loan, end: string) =>
    timeAt(record, loan.start, -Infinity) < timeAt(record, end, Infinity)
  return hasDates(one) && hasDates(other) && beginsBefore(one, other.end) && beginsBefore(other, one.end)
}

/** Checks whether the tax, NI, loan, pension, bank and CIS fields of a UK candidate fit together. */
export const ukRules: RecordRules = {
  'payrollSetting.workplacePostcode': ({ payrollSetting }) => {
    const letter = letterIn(payrollSetting)
    const isNeeded = /[FISLNEKD]/.test(letter) && !textAt(payrollSetting, 'workplacePostcode')
    return isNeeded && `NI category ${letter} needs it: HMRC refuses the whole submission without it`
  },
  // HMRC, NIM01540 and the category letters of GOV.UK.
  'payrollSetting.niCategory': ({ generalSetting, payrollSetting }, law) => {
    const letter = letterIn(payrollSetting)
    if (letter === '') return undefined
    const doubt = marriedWoman(letter, generalSetting, law)
    if (doubt) return doubt
    if (letter === 'H' && payrollSetting.isApprentice !== true)
      return 'H is for apprentices under 25, but the apprentice field is not set'
    return (
      byAge(
        { letter, born: textAt(generalSetting, 'DOB'), isApprentice: payrollSetting.isApprentice === true },
        law,
      ) ?? byStart(letter, textAt(generalSetting, 'dateOfJoining'), law)
    )
  },
  'payrollSetting.starterDeclaration': ({ payrollSetting }) =>
    (amountAt(payrollSetting, 'p45GrossToDate') ?? 0) > 0 &&
    declarationIn(payrollSetting) === 'A' &&
    'A is for a first job since 6 April, but there are figures of a P45: B, or C with a second job',
  // assumed: A has the standard code, B the same on week 1/month 1, C basic rate; and any allowance code stands for the standard
  // one, which changes with the budget.
  'payrollSetting.taxCode': ({ payrollSetting }, { today, facts }) => {
    const { code, isFlatRate, hasAllowance } = taxCodeIn(payrollSetting)
    if (code === '') return undefined
    const declaration = declarationIn(payrollSetting)
    const what = { A: 'A, a first job', B: 'B, now the only job' }[declaration]
    if (what && isFlatRate) {
      const usual = facts.on('usual-tax-code', 'uk', today)?.value.code ?? 'the standard code'
      return `declaration ${what}, usually has ${usual} and not a flat rate`
    }
    const isUsedUp = declaration === 'C' && hasAllowance
    return (
      isUsedUp &&
      'declaration C, another job or pension, usually has BR: the allowance is used up in the other'
    )
  },
  'payrollSetting.taxBasis': ({ payrollSetting }) => {
    const { code, isFlatRate, hasAllowance } = taxCodeIn(payrollSetting)
    const declaration = declarationIn(payrollSetting)
    const basis = textAt(payrollSetting, 'taxBasis').toUpperCase()
    if (code !== '' && declaration === 'A' && !isFlatRate && basis === 'W1M1')
      return 'declaration A usually goes with the cumulative basis'
    const isFirst = declaration === 'B' && hasAllowance && basis.startsWith('CUMUL')
    return isFirst && 'declaration B usually goes with week 1/month 1'
  },
  'payrollSetting.p45TaxToDate': ({ payrollSetting }) => {
    const [pay = 0, tax = 0] = ['p45GrossToDate', 'p45TaxToDate'].map((name) =>
      amountAt(payrollSetting, name),
    )
    return tax > pay && (pay > 0 ? 'more tax than pay' : 'tax without pay')
  },
  'generalSetting.pensionSetting.postponementEndDate': ({ generalSetting }, { today, facts }) => {
    const end = textAt(pensionIn(generalSetting), 'postponementEndDate').slice(0, 10)
    const start = textAt(generalSetting, 'dateOfJoining')
    const most = facts.on('postponement', 'uk', today)?.value.months
    if (end === '' || most === undefined) return undefined
    const hasStart = ageOn(start, today) !== undefined
    if (hasStart && end > monthsAfter(start, most) && end <= monthsAfter(start, firstMonths))
      return `more than ${most} months after the start`
    const first = hasStart && start > today ? start : today
    return end > monthsAfter(first, most) && `more than ${most} months from now`
  },
  // CIS: without a UTR nobody is verified, and without a verification 30% is deducted.
  'payrollSetting.UTRNo': ({ payrollSetting }) =>
    isPaidUnderCis(payrollSetting) &&
    textAt(payrollSetting, 'UTRNo') === '' &&
    'there is none, and HMRC verifies a subcontractor by it',
  'payrollSetting.cisStatus': ({ payrollSetting }) =>
    isPaidUnderCis(payrollSetting) &&
    textAt(payrollSetting, 'cisStatus') === '' &&
    'no status: 30% is deducted from a subcontractor whom HMRC has not verified',
  'payrollSetting.personalVerificationNumber': ({ payrollSetting }) => {
    const number = textAt(payrollSetting, 'personalVerificationNumber')
    if (!isVerified(payrollSetting)) return undefined
    if (number === '') return 'there is none, and the status says that HMRC has verified the person'
    return /[A-Z]$/i.test(number) && 'a letter after it says that HMRC found no match: 30% is deducted'
  },
  'payrollSetting.verificationDate': ({ payrollSetting }, { today, facts }) => {
    // "string … verificationDate": it may be written in any way.
    const day = textAt(payrollSetting, 'verificationDate').slice(0, 10)
    if (!isDay(day) || !isVerified(payrollSetting)) return undefined
    const years = facts.on('cis-verification', 'uk', today)?.value.years
    if (years === undefined) return undefined
    const isOld = day < taxYearBegins(countryById.uk, today, years)
    return isOld && `more than ${years} tax years ago: HMRC is asked again, unless the person was paid since`
  },
  'bankSetting.accountNumber': ({ bankSetting }, { today, facts }) => {
    // The banks' table does not come with this tool: an admin imports it.
    const rows = facts.on('sort-code-weights', 'uk', today)?.value.rows
    if (!rows) return undefined
    const [code = '', account = ''] = ['sortCode', 'accountNumber'].map((name) =>
      accountDigits(textAt(bankSetting, name)),
    )
    if (!isSortCode(code) || !isAccountNumber(account)) return undefined
    const substitutes = facts.on('sort-code-substitutes', 'uk', today)?.value
    const isWrong = passesModulus(code, account, rows, substitutes) === false
    return isWrong && 'it does not fit the sort code (modulus check): a digit of one of them is wrong'
  },
  'payrollSetting.haveStudentLoan': ({ payrollSetting: record }, { today }) => {
    if (typeof record.haveStudentLoan !== 'boolean') return undefined
    const now = Date.parse(today)
    const started = loans.filter(({ start }) => textAt(record, start))
    const running = started.filter(({ end }) => timeAt(record, end, Infinity) >= now)
    const [first] = running.filter((loan) => undergraduate.includes(loan))
    if (record.haveStudentLoan === false && first)
      return `it says no, but ${first.plan.replace('Plan', 'Plan ')} has a start, and is deducted`
    const isEndless = loans.some(({ start, end }) => textAt(record, end) && !textAt(record, start))
    if (record.haveStudentLoan !== true || running.length > 0 || isEndless) return undefined
    return started.length === 0
      ? 'it says yes, but no plan has a start: nothing is deducted, or what another plan asks for'
      : 'it says yes, but each plan has ended'
  },
  ...Object.fromEntries(
    loans.map(({ start, end }) => [
      `payrollSetting.${end}`,
      ({ payrollSetting: record }: Parts) =>
        textAt(record, end) && !textAt(record, start)
          ? `it has an end date and no start date: ${start} is empty`
          : isReversed(record, start, end),
    ]),
  ),
  // Only one undergraduate plan is deducted at a time; a postgraduate loan may be deducted as well.
  ...Object.fromEntries(
    undergraduate.map((loan, at) => [
      `payrollSetting.${loan.start}`,
      ({ payrollSetting: record }: Parts) => {
        const other = undergraduate.slice(0, at).find((earlier) => overlaps(record, earlier, loan))
        const plan = other?.plan.replace('Plan', 'plan ')
        return plan && `overlaps ${plan}: one undergraduate loan is deducted at a time`
      },
    ]),
  ),
}

/** The NI category letter; empty where there is none, or no single letter. */
function letterIn(payroll: JsonObject): string {
  const letter = textAt(payroll, 'niCategory').toUpperCase()
  return letter.length === 1 ? letter : ''
}

const declarationIn = (payroll: JsonObject) => textAt(payroll, 'starterDeclaration').toUpperCase()

/** The tax code to compare with the declaration. Empty where P45 figures decide the code instead. */
function taxCodeIn(payroll: JsonObject) {
  const code = payroll.p45GrossToDate || payroll.p45TaxToDate ? '' : normalize(textAt(payroll, 'taxCode'))
  return {
    code,
    hasAllowance: /^[SC]?[1-9]\d{0,5}[LMNPTY]$/.test(code),
    isFlatRate: /^[SC]?(?:BR|D[0-8])$/.test(code),
  }
}

/** assumed: up to this many months after the start, assessments are postponed from the start date. */
const firstMonths = 14

const pensionIn = ({ pensionSetting }: JsonObject): JsonObject =>
  isObject(pensionSetting) ? pensionSetting : {}

const isPaidUnderCis = (payroll: JsonObject) => textAt(payroll, 'paymentModel').toUpperCase() === 'CIS'

const isVerified = (payroll: JsonObject) =>
  isPaidUnderCis(payroll) && /^(?:VERIFIED|GROSS)/i.test(textAt(payroll, 'cisStatus'))

function marriedWoman(letter: string, generalSetting: JsonObject, { today, facts }: Law): string | undefined {
  if (!'BIE'.includes(letter)) return undefined
  const gender = textAt(generalSetting, 'gender').toUpperCase()
  if (gender && !gender.startsWith('F'))
    return `${letter} is the reduced rate for married women, but the gender is different`
  const last = facts.on('contribution-ages', 'uk', today)?.value.lastElection
  return last !== undefined && textAt(generalSetting, 'DOB') > last
    ? `${letter} is the reduced rate for married women who chose it in time, which nobody of this age did`
    : undefined
}

/** What replaces this letter over State Pension age: S in a Freeport, K in an Investment Zone, else C. */
const overPensionAge = (letter: string) =>
  'FILS'.includes(letter) ? 'S' : 'NEDK'.includes(letter) ? 'K' : 'C'

function byAge(
  { letter, born, isApprentice }: { letter: string; born: string; isApprentice: boolean },
  { today, facts }: Law,
): string | undefined {
  const years = ageOn(born, today)
  if (years === undefined || years < 0) return undefined
  const isOver = isOverPensionAge(born, today, facts)
  const isOfPensioners = 'CKS'.includes(letter)
  if (isOver === true && !isOfPensioners && letter !== 'X')
    return `${overPensionAge(letter)} is usual over State Pension age, when no NI is due from the employee`
  if (isOver === false && isOfPensioners) return `${letter} is for employees over State Pension age`
  const ages = facts.on('contribution-ages', 'uk', today)?.value
  if (!ages) return undefined
  const { child, young = 0, apprentice = 0 } = ages
  if (years < child && letter !== 'X') return `X is usual under ${child}, when no NI is due`
  if (letter === 'X' && years >= child) return `X is for people of whom no NI is due, such as under ${child}`
  if (letter === 'A' && isApprentice && isOfApprentices(years, ages))
    return `H is usual for an apprentice under ${apprentice}, for whom the employer pays no NI up to a threshold`
  const ofYoung = { A: 'M', J: 'Z' }[letter]
  if (ofYoung && years < young)
    return `${ofYoung} is usual under ${young}, when the employer pays no NI up to the upper secondary threshold`
  if (letter === 'H' && years >= apprentice) return `H is for apprentices under ${apprentice}`
  return 'MZ'.includes(letter) && years >= young ? `${letter} is for employees under ${young}` : undefined
}

/** Whether the NI category letter of an apprentice of this age is H, and not that of other young people. */
export const isOfApprentices = (
  years: number,
  { young = 0, apprentice = 0 }: FactValues['contribution-ages'],
): boolean => years >= young && years < apprentice

/** The letters of a relief that ends some months after the start: of a veteran, a Freeport or an Investment Zone. */
const reliefLetters = (latestFact('employer-costs', 'uk')?.value.niFree ?? []).flatMap(
  ({ letters, months }) => (months === undefined ? [] : [...letters]),
)

function byStart(letter: string, start: string, { today, facts }: Law): string | undefined {
  // What is asked of the law and not known is said, so it is not asked for any other letter.
  if (!reliefLetters.includes(letter)) return undefined
  const { niFree = [] } = facts.on('employer-costs', 'uk', today)?.value ?? {}
  const months = niFree.find(({ letters }) => letters.includes(letter))?.months
  if (months === undefined || !isDay(start) || monthsAfter(start, months) > today) return undefined
  return `${letter} is for the first ${months} months of the job, which are over`
}

/** The NI category letter that the form proposes: the one that most people of this age have. */
export function usualLetter(body: JsonObject, { today, facts }: Law): string {
  const { generalSetting } = recordParts(body)
  const born = textAt(generalSetting, 'DOB')
  const years = ageOn(born, today)
  const { child = 0, young = 0 } = facts.on('contribution-ages', 'uk', today)?.value ?? {}
  if (years === undefined || years < 0) return 'A'
  if (isOverPensionAge(born, today, facts) === true) return 'C'
  return years < child ? 'X' : years < young ? 'M' : 'A'
}

/** The tax code that goes with the starter declaration; undefined for none, or if the law is not known. */
export function usualCode(body: JsonObject, { today, facts }: Law): string | undefined {
  const declaration = textAt(recordParts(body).payrollSetting, 'starterDeclaration')
  if (declaration === 'C') return 'BR'
  const usual = facts.on('usual-tax-code', 'uk', today)?.value.code
  return declaration === 'A' || declaration === 'B' ? usual : undefined
}
