import type { Issue } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'
import { irelandChecks } from '../countries/ireland/checks.ts'
import { ukChecks } from '../countries/uk/checks.ts'
import { accountDigits, accountInIban, countryOfBic, countryOfIban } from './bank.ts'
import { type Parts, partsOf, textOf } from './warning.ts'

/**
 * Warns about fields of a candidate that do not fit together. Each check uses the fields that it finds,
 * so all of them run for every country. `today` is YYYY-MM-DD.
 */
export function crossChecks(body: Record<string, unknown>, today: string): Issue[] {
  const parts = partsOf(body)
  return [
    ...dateChecks(parts),
    ...loanChecks(parts, today),
    ...bankChecks(parts),
    ...ukChecks(parts, today),
    ...irelandChecks(parts, today),
  ]
}

/** Checks that the bank details are all of one account. */
function bankChecks({ bankSetting }: Parts): Issue[] {
  const account = {
    sortCode: textOf(bankSetting, 'sortCode'),
    accountNumber: textOf(bankSetting, 'accountNumber'),
    iban: textOf(bankSetting, 'IBANReference'),
    bic: textOf(bankSetting, 'SWIFTNo'),
  }
  return [...againstIban(account), ...wayToPay(bankSetting.isInternationalAccount, account)]
}

interface Account {
  readonly sortCode: string
  readonly accountNumber: string
  readonly iban: string
  readonly bic: string
}

function againstIban({ sortCode, accountNumber, iban, bic }: Account): Issue[] {
  const issues: Issue[] = []
  const inside = accountInIban(iban)
  if (inside && sortCode && accountDigits(sortCode) !== inside.sortCode) {
    issues.push({ path: 'bankSetting.sortCode', message: 'not the sort code inside the IBAN' })
  }
  if (inside && accountNumber && accountDigits(accountNumber).padStart(8, '0') !== inside.accountNumber) {
    issues.push({ path: 'bankSetting.accountNumber', message: 'not the account number inside the IBAN' })
  }
  const [ibanCountry, bicCountry] = [countryOfIban(iban), countryOfBic(bic)]
  if (ibanCountry && bicCountry && home(bicCountry) !== ibanCountry) {
    issues.push({
      path: 'bankSetting.SWIFTNo',
      message: `the BIC is of a bank in ${bicCountry}, the IBAN of one in ${ibanCountry}`,
    })
  }
  return issues
}

/** Banks in Guernsey, on the Isle of Man and in Jersey have British IBANs. */
function home(country: string): string {
  return ['GG', 'IM', 'JE'].includes(country) ? 'GB' : country
}

function wayToPay(isInternational: unknown, { sortCode, accountNumber, iban, bic }: Account): Issue[] {
  const path = 'bankSetting.isInternationalAccount'
  if (isInternational === true && !(iban && bic)) {
    return [{ path, message: 'an international account needs an IBAN and a BIC' }]
  }
  // A British or Irish IBAN holds the sort code and the account number.
  if (isInternational === false && !(sortCode && accountNumber) && !accountInIban(iban)) {
    return [{ path, message: 'a domestic account needs a sort code and an account number' }]
  }
  return []
}

/** Checks that no end is before its start, and that undergraduate loans do not overlap. */
function dateChecks({ generalSetting, payrollSetting }: Parts): Issue[] {
  return [
    ...reversed('generalSetting', generalSetting, 'payrollCalculationStart', 'payrollCalculationEnd'),
    ...loans.flatMap(({ start, end }) => reversed('payrollSetting', payrollSetting, start, end)),
    ...overlapping(payrollSetting),
  ]
}

const fieldsOf = (plan: string) => ({
  plan,
  start: `studentLoan${plan}StartDate`,
  end: `studentLoan${plan}EndDate`,
})

const undergraduate = ['Plan1', 'Plan2', 'Plan4', 'Plan5'].map(fieldsOf)
const loans = [...undergraduate, fieldsOf('PostGra')]

function reversed(part: keyof Parts, record: JsonObject, start: string, end: string): Issue[] {
  return timeOf(record, end, Infinity) < timeOf(record, start, -Infinity)
    ? [{ path: `${part}.${end}`, message: 'the end is before the start' }]
    : []
}

/** Only one undergraduate plan is deducted at a time; a postgraduate loan may be deducted as well. */
function overlapping(payroll: JsonObject): Issue[] {
  const windows = undergraduate
    .filter(({ start, end }) => textOf(payroll, start) || textOf(payroll, end))
    .map(({ plan, start, end }) => ({
      plan,
      start,
      from: timeOf(payroll, start, -Infinity),
      to: timeOf(payroll, end, Infinity),
    }))
  return windows.flatMap((later, index) =>
    windows
      .slice(0, index)
      .filter((earlier) => earlier.from < later.to && later.from < earlier.to)
      .map((earlier) => ({
        path: `payrollSetting.${later.start}`,
        message: `overlaps ${earlier.plan.replace('Plan', 'plan ')}: one undergraduate loan is deducted at a time`,
      })),
  )
}

/** Checks that what is said of a student loan is true of its plans, and that no loan ends that does not start. */
function loanChecks({ payrollSetting }: Parts, today: string): Issue[] {
  const withoutStart = loans
    .filter(({ start, end }) => textOf(payrollSetting, end) && !textOf(payrollSetting, start))
    .map(({ start, end }) => ({
      path: `payrollSetting.${end}`,
      message: `it ends, but does not start: ${start} is empty`,
    }))
  if (payrollSetting.haveStudentLoan !== false) return withoutStart
  const running = undergraduate.filter(
    ({ start, end }) =>
      textOf(payrollSetting, start) && timeOf(payrollSetting, end, Infinity) > Date.parse(today),
  )
  const contradicted = running.map(({ plan, start }) => ({
    path: 'payrollSetting.haveStudentLoan',
    message: `it says no, but ${start} says that ${plan.replace('Plan', 'Plan ')} is deducted`,
  }))
  return [...contradicted, ...withoutStart]
}

/** A date or timestamp in milliseconds; the other value if there is none. */
function timeOf(record: JsonObject, name: string, otherwise: number): number {
  const text = textOf(record, name)
  const time = text === '' ? NaN : Date.parse(text)
  return Number.isNaN(time) ? otherwise : time
}
