import type { Issue } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { type Facts, usualTaxCode } from '../../facts/facts.ts'
import type { Law } from '../../fields/field.ts'
import { ageOn, monthsAfter } from '../../standards/plausible.ts'
import { amountAt, normalize, type Parts, partsOf, textIn } from '../../standards/warning.ts'

/** Checks that what a UK record says of tax, NI, loans, pensions and a subcontractor fits the person. `today` is YYYY-MM-DD. */
export function ukChecks(parts: Parts, today: string, facts: Facts): Issue[] {
  return [
    ...nationalInsuranceChecks(parts, today, facts),
    ...starterChecks(parts, facts.on('usual-tax-code', 'uk', today)?.value.code ?? usualTaxCode),
    ...p45Checks(parts.payrollSetting),
    ...postponementChecks(parts.generalSetting, today, facts),
    ...subcontractorChecks(parts.payrollSetting, today, facts),
  ]
}

const path = 'payrollSetting.niCategory'

/** Checks that the NI category letter suits the person (HMRC, NIM01540 and the category letters of GOV.UK). */
function nationalInsuranceChecks(
  { generalSetting, payrollSetting }: Parts,
  today: string,
  facts: Facts,
): Issue[] {
  const letter = textIn(payrollSetting, 'niCategory').toUpperCase()
  if (letter.length !== 1) return []
  const doubt = [
    marriedWoman(letter, generalSetting, today, facts),
    letter === 'H' && payrollSetting.isApprentice !== true
      ? 'H is for apprentices under 25, but the apprentice field is not set'
      : undefined,
    byAge(letter, textIn(generalSetting, 'DOB'), today, facts),
  ].find((message) => message !== undefined)
  return [
    ...workplace(letter, textIn(payrollSetting, 'workplacePostcode')),
    ...(doubt === undefined ? [] : [{ path, message: doubt }]),
  ]
}

function workplace(letter: string, postcode: string): Issue[] {
  if (!'FISLNEKD'.includes(letter) || postcode) return []
  const message = `NI category ${letter} needs it: HMRC refuses the whole submission without it`
  return [{ path: 'payrollSetting.workplacePostcode', message }]
}

function marriedWoman(
  letter: string,
  generalSetting: JsonObject,
  today: string,
  facts: Facts,
): string | undefined {
  if (!'BIE'.includes(letter)) return undefined
  const gender = textIn(generalSetting, 'gender').toUpperCase()
  if (gender && !gender.startsWith('F'))
    return `${letter} is the reduced rate for married women, but the gender is different`
  const last = facts.on('contribution-ages', 'uk', today)?.value.lastElection
  return last !== undefined && textIn(generalSetting, 'DOB') > last
    ? `${letter} is the reduced rate for married women who chose it in time, which nobody of this age did`
    : undefined
}

/** The letter for each over State Pension age: in a Freeport S, in an Investment Zone K, and else C. */
const overPensionAge = (letter: string) =>
  'FILS'.includes(letter) ? 'S' : 'NEDK'.includes(letter) ? 'K' : 'C'

function byAge(letter: string, born: string, today: string, facts: Facts): string | undefined {
  const years = ageOn(born, today)
  if (years === undefined || years < 0) return undefined
  const isOver = isOverPensionAge(born, today, facts)
  const isOfPensioners = 'CKS'.includes(letter)
  if (isOver === true && !isOfPensioners && letter !== 'X')
    return `over State Pension age, when no NI is due from the employee: ${overPensionAge(letter)}`
  if (isOver === false && isOfPensioners) return `${letter} is for employees over State Pension age`
  const ages = facts.on('contribution-ages', 'uk', today)?.value
  if (!ages) return undefined
  const { child, young = 0, apprentice = 0 } = ages
  if (years < child && letter !== 'X') return `no NI is due under ${child}: X`
  if (letter === 'X' && years >= child) return `X is for people of whom no NI is due, such as under ${child}`
  if (letter === 'H' && years >= apprentice) return `H is for apprentices under ${apprentice}`
  return 'MZ'.includes(letter) && years >= young ? `${letter} is for employees under ${young}` : undefined
}

/** The letter that most people of an age have: what the form proposes. */
export function usualLetter(body: JsonObject, { today, facts }: Law): string {
  const { generalSetting } = partsOf(body)
  const born = textIn(generalSetting, 'DOB')
  const years = ageOn(born, today)
  const { child = 0, young = 0 } = facts.on('contribution-ages', 'uk', today)?.value ?? {}
  if (years === undefined || years < 0) return 'A'
  if (isOverPensionAge(born, today, facts) === true) return 'C'
  return years < child ? 'X' : years < young ? 'M' : 'A'
}

/** The code that goes with a starter declaration; none for A and B where the allowance of the day is not known. */
export function usualCode(body: JsonObject, { today, facts }: Law): string | undefined {
  const declaration = textIn(partsOf(body).payrollSetting, 'starterDeclaration')
  if (declaration === 'C') return 'BR'
  const usual = facts.on('usual-tax-code', 'uk', today)?.value.code
  return declaration === 'A' || declaration === 'B' ? usual : undefined
}

/** Whether somebody has reached State Pension age; undefined where it is not known. */
export function isOverPensionAge(born: string, today: string, facts: Facts): boolean | undefined {
  const age = facts
    .on('state-pension-age', 'uk', today)
    ?.value.ages.findLast(({ bornFrom }) => bornFrom <= born)
  const years = ageOn(born, today)
  if (!age || years === undefined) return undefined
  return years === age.years && age.months > 0
    ? monthsAfter(born, 12 * age.years + age.months) <= today
    : years >= age.years
}

/**
 * Checks that the tax code is the usual one for the starter declaration.
 * assumed: A has the standard code, B the same on week 1/month 1, C basic rate; a P45 comes before the
 * declaration; and any allowance code stands for the standard one, which changes with the budget.
 */
function starterChecks({ payrollSetting }: Parts, usual: string): Issue[] {
  const code = normalize(textIn(payrollSetting, 'taxCode'))
  const declaration = textIn(payrollSetting, 'starterDeclaration').toUpperCase()
  if ((amountAt(payrollSetting, 'p45GrossToDate') ?? 0) > 0 && declaration === 'A')
    return [{ path: 'payrollSetting.starterDeclaration', message: notTheFirst }]
  if (!code || payrollSetting.p45GrossToDate || payrollSetting.p45TaxToDate) return []
  const hasAllowance = /^[SC]?[1-9]\d{0,5}[LMNPTY]$/.test(code)
  const isFlatRate = /^[SC]?(?:BR|D[0-8])$/.test(code)
  const basis = textIn(payrollSetting, 'taxBasis').toUpperCase()
  switch (declaration) {
    case 'A':
      if (isFlatRate)
        return [onTaxCode(`declaration A, a first job, usually has ${usual} and not a flat rate`)]
      return basis === 'W1M1' ? [onBasis('declaration A usually goes with the cumulative basis')] : []
    case 'B':
      if (isFlatRate)
        return [onTaxCode(`declaration B, now the only job, usually has ${usual} and not a flat rate`)]
      return hasAllowance && basis.startsWith('CUMUL')
        ? [onBasis('declaration B usually goes with week 1/month 1')]
        : []
    case 'C':
      return hasAllowance
        ? [
            onTaxCode(
              'declaration C, another job or pension, usually has BR: the allowance is used up in the other',
            ),
          ]
        : []
    default:
      return []
  }
}

const notTheFirst = 'A is a first job since 6 April, and the P45 is of another: B, or C with a second job'

const onTaxCode = (message: string): Issue => ({ path: 'payrollSetting.taxCode', message })
const onBasis = (message: string): Issue => ({ path: 'payrollSetting.taxBasis', message })

/** A P45 has no tax without pay, and no more tax than pay. */
function p45Checks(payroll: JsonObject): Issue[] {
  const [pay = 0, tax = 0] = ['p45GrossToDate', 'p45TaxToDate'].map((name) => amountAt(payroll, name))
  if (!(tax > pay)) return []
  const message = pay > 0 ? 'more tax than pay' : 'tax without pay'
  return [{ path: 'payrollSetting.p45TaxToDate', message }]
}

/** assumed: an assessment is postponed from the first day; of somebody who came long before, it is from another day. */
const firstMonths = 14

function postponementChecks(generalSetting: JsonObject, today: string, facts: Facts): Issue[] {
  const pension = generalSetting.pensionSetting as JsonObject | undefined
  if (typeof pension !== 'object' || pension === null) return []
  const path = 'generalSetting.pensionSetting'
  const [end, start] = [
    textIn(pension, 'postponementEndDate').slice(0, 10),
    textIn(generalSetting, 'dateOfJoining'),
  ]
  const most = facts.on('postponement', 'uk', today)?.value.months
  const hasStart = ageOn(start, today) !== undefined
  const first = hasStart && start > today ? start : today
  const message =
    end === '' || most === undefined
      ? undefined
      : hasStart && end > monthsAfter(start, most) && end <= monthsAfter(start, firstMonths)
        ? `more than ${most} months after the start`
        : end > monthsAfter(first, most)
          ? `more than ${most} months from now`
          : undefined
  return [
    ...(message === undefined ? [] : [{ path: `${path}.postponementEndDate`, message }]),
    // Somebody who opted out may opt in again later.
    ...(textIn(pension, 'optInDate') && textIn(pension, 'optOutDate') >= textIn(pension, 'optInDate')
      ? [{ path: `${path}.optOutDate`, message: 'opted in and opted out at once' }]
      : []),
  ]
}

/** CIS: without a UTR nobody is verified, and without a verification 30% is deducted. */
function subcontractorChecks(payroll: JsonObject, today: string, facts: Facts): Issue[] {
  if (textIn(payroll, 'paymentModel').toUpperCase() !== 'CIS') return []
  const status = textIn(payroll, 'cisStatus').toUpperCase()
  const isVerified = /^(VERIFIED|GROSS)/.test(status)
  const years = facts.on('cis-verification', 'uk', today)?.value.years
  const verified = textIn(payroll, 'verificationDate').slice(0, 10)
  const isOld = years !== undefined && verified !== '' && verified < taxYearBegins(today, years)
  return [
    ...(textIn(payroll, 'UTRNo') === ''
      ? [{ path: 'payrollSetting.UTRNo', message: 'a subcontractor is verified by it' }]
      : []),
    ...(status === ''
      ? [
          {
            path: 'payrollSetting.cisStatus',
            message: 'no status: 30% is deducted of whom HMRC does not know',
          },
        ]
      : []),
    ...(isVerified && /[A-Z]$/i.test(textIn(payroll, 'personalVerificationNumber'))
      ? [
          {
            path: 'payrollSetting.personalVerificationNumber',
            message: 'a letter behind it says that HMRC found no match: 30% is deducted',
          },
        ]
      : []),
    ...(isVerified && textIn(payroll, 'personalVerificationNumber') === ''
      ? [
          {
            path: 'payrollSetting.personalVerificationNumber',
            message: 'the status says that HMRC has verified the person, and gives a number for it',
          },
        ]
      : []),
    ...(isVerified && isOld
      ? [
          {
            path: 'payrollSetting.verificationDate',
            message: `more than ${years} tax years ago: HMRC is asked again, unless the person was paid since`,
          },
        ]
      : []),
  ]
}

/** The first day of the tax year so many years before that of a day. */
function taxYearBegins(day: string, yearsBefore: number): string {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < '04-06' ? 1 : 0) - yearsBefore
  return `${year}-04-06`
}
