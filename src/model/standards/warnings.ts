import type { Issue } from '../../errors.ts'
import { formatPath, isObject, type JsonObject, valueAt } from '../../files/json/path.ts'
import type { CountryId } from '../countries/countries.ts'
import { irelandChecks } from '../countries/ireland/checks.ts'
import { ukChecks } from '../countries/uk/checks.ts'
import { type Facts, ownFacts } from '../facts/facts.ts'
import type { Field, Fields } from '../fields/field.ts'
import { leafFields } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import {
  accountDigits,
  accountInIban,
  countryOfBic,
  countryOfIban,
  isAccountNumber,
  isSortCode,
} from './bank.ts'
import { damagedLetters } from './damaged-letters.ts'
import { passesModulus } from './modulus.ts'
import { ageOn, slippedPay, timesheetUnits } from './plausible.ts'
import { checkValue } from './standards.ts'
import { amountAt, type Parts, partsOf, textIn, type Warning } from './warning.ts'

/**
 * Everything in a body that does not fit a public standard. The user may ignore these warnings. No message shows a
 * sensitive value. `today` is YYYY-MM-DD.
 */
export function warnings(type: RecordType, body: unknown, today: string, facts = ownFacts): Issue[] {
  if (!isObject(body)) return []
  const inEachField = inFields(type.fields, body, [], today)
  if (type.fields.rates) return [...inEachField, ...timesheetUnits(body)]
  return type.fields.payrollSetting ? [...inEachField, ...crossChecks(type, body, today, facts)] : inEachField
}

/** The same of bank details alone. */
export function bankWarnings(
  type: RecordType,
  bankSetting: JsonObject,
  today: string,
  facts = ownFacts,
): Issue[] {
  return [
    ...inFields(type.fields, { bankSetting }, [], today),
    ...bankChecks(partsOf({ bankSetting }), type, today, facts),
  ]
}

/** What a public standard doubts of a changed body, and did not before the change; and pay that the change makes doubtful. */
export function addedWarnings(
  type: RecordType,
  before: unknown,
  after: unknown,
  today: string,
  facts = ownFacts,
): Issue[] {
  const lineOf = ({ path, message }: Issue) => `${path}: ${message}`
  const old = new Set(warnings(type, before, today, facts).map(lineOf))
  const added = warnings(type, after, today, facts).filter((doubt) => !old.has(lineOf(doubt)))
  if (!isObject(before) || !isObject(after)) return added
  const slips = payPaths(type).flatMap((path) => {
    const segments = path.split('.')
    const slip = slippedPay(valueAt(before, segments), valueAt(after, segments))
    return slip && !added.some((doubt) => doubt.path === path) ? [{ path, ...slip }] : []
  })
  return [...added, ...slips]
}

const payPathsOf = new WeakMap<RecordType, readonly string[]>()

/** The fields that say what is paid. An import asks for each of its rows. */
function payPaths(type: RecordType): readonly string[] {
  const known = payPathsOf.get(type)
  if (known) return known
  const isPay = ({ field }: { readonly field: Field }) =>
    field.standard === 'hourly-rate' || field.standard === 'salary'
  const paths = leafFields(type.fields)
    .filter(isPay)
    .map(({ path }) => path)
  payPathsOf.set(type, paths)
  return paths
}

type Segments = readonly PropertyKey[]

function inFields(fields: Fields, record: Record<string, unknown>, under: Segments, today: string): Issue[] {
  const doubts: Issue[] = []
  for (const name in fields) {
    const field = fields[name]
    if (!field || !Object.hasOwn(record, name)) continue
    const issues = inField(field, record[name], under, name, today)
    if (issues.length > 0) doubts.push(...issues)
  }
  return doubts
}

/** The place is put together only where there is something to say of it. */
function inField(
  field: Field,
  value: unknown,
  under: Segments,
  name: PropertyKey,
  today: string,
): readonly Issue[] {
  const { fields, item } = field
  if (fields) return isObject(value) ? inFields(fields, value, [...under, name], today) : none
  if (item) {
    return Array.isArray(value)
      ? value.flatMap((each, index) => inField(item, each, [...under, name], index, today))
      : none
  }
  if (field.type === 'lines' && Array.isArray(value))
    return value.flatMap((each, index) => inField(field, each, [...under, name], index, today))
  const warning = checkAgain(field, value, today)
  return warning ? [{ path: formatPath([...under, name]), message: sentence(field, warning) }] : none
}

const none: readonly Issue[] = []

interface Checked {
  value: unknown
  today: string
  warning: Warning | undefined
}

/** What was said of the last value of each field. Most columns of a file say the same in row after row. */
const lastChecks = new Map<Field, Checked>()

function checkAgain(field: Field, value: unknown, today: string): Warning | undefined {
  const last = lastChecks.get(field)
  if (last && last.value === value && last.today === today) return last.warning
  const damaged = damagedLetters(field, value)
  // What was meant says more than what is wrong.
  const warning = damaged?.suggestion === undefined ? (checkValue(field, value, today) ?? damaged) : damaged
  if (last) Object.assign(last, { value, today, warning })
  else lastChecks.set(field, { value, today, warning })
  return warning
}

function sentence(field: Field, { message, suggestion }: Warning): string {
  return suggestion === undefined || field.sensitive ? message : `${message}; did you mean ${suggestion}?`
}

/** The checks of each country, and a field that only its records have. */
const countryChecks: Readonly<
  Record<
    CountryId,
    { readonly own: string; readonly check: (parts: Parts, today: string, facts: Facts) => Issue[] }
  >
> = {
  uk: { own: 'niCategory', check: ukChecks },
  ireland: { own: 'prsiEeClasses', check: irelandChecks },
}

/**
 * Warns about fields of a candidate that do not fit together. Each check uses the fields that it finds. `today` is
 * YYYY-MM-DD.
 */
function crossChecks(type: RecordType, body: Record<string, unknown>, today: string, facts: Facts): Issue[] {
  const { fields } = type
  const parts = partsOf(body)
  const payroll = fields.payrollSetting?.fields
  const own = (Object.entries(countryChecks) as [CountryId, (typeof countryChecks)[CountryId]][]).filter(
    ([, { own }]) => !payroll || own in payroll,
  )
  return [
    ...nameChecks(parts),
    ...dateChecks(parts),
    ...loanChecks(parts, today),
    ...bankChecks(parts, type, today, facts),
    ...own.flatMap(([id, { check }]) => [
      ...check(parts, today, facts),
      ...(own.length === 1 ? holidayChecks(parts, id, today, facts) : []),
    ]),
    ...marginChecks(parts),
  ]
}

/** Holiday pay that is rolled up has a rate, and by law a least one. assumed: the field is in percent, 12.07 for 12.07%. */
function holidayChecks({ payrollSetting }: Parts, country: CountryId, today: string, facts: Facts): Issue[] {
  const method = textIn(payrollSetting, 'holidayPayMethod').toUpperCase()
  const rate = amountAt(payrollSetting, 'holidayPayRate') ?? 0
  const share = facts.on('holiday-pay', country, today)?.value.share
  if (share === undefined || /^NO/.test(method) || (rate === 0 && method !== 'ROLLED_UP')) return []
  const least = Number((share * 100).toFixed(2))
  const message =
    rate === 0
      ? 'holiday pay is rolled up, and has no rate'
      : rate < 1
        ? `less than 1: it is in percent, such as ${least}, as far as is known`
        : rate < least
          ? `less than the ${least}% that the law gives`
          : rate > highestHoliday
            ? 'more than a third of the pay: the decimal point may be missing'
            : undefined
  return message === undefined ? [] : [{ path: 'payrollSetting.holidayPayRate', message }]
}

/** assumed: in percent; no holiday is longer. */
const highestHoliday = 33

/** assumed: the bound, in pounds a period, which only a slip goes beyond. A margin in percent has another. */
const highestMargin = 500

function marginChecks({ payrollSetting }: Parts): Issue[] {
  const [margin, cap = 0] = ['margin', 'marginCapped'].map((name) => amountAt(payrollSetting, name))
  if (margin === undefined) return []
  const message =
    margin < 0
      ? 'negative'
      : cap > 0 && margin > cap
        ? 'more than the cap beside it'
        : margin > highestMargin
          ? `more than ${highestMargin}: the decimal point may be missing`
          : undefined
  return message === undefined ? [] : [{ path: 'payrollSetting.margin', message }]
}

/** Checks that each name stands in its own field. */
function nameChecks({ generalSetting, bankSetting }: Parts): Issue[] {
  const path = 'generalSetting.forename'
  const [forename, surname, account] = [
    wordsOf(textIn(generalSetting, 'forename')),
    wordsOf(textIn(generalSetting, 'surname')),
    wordsOf(textIn(bankSetting, 'accountName')),
  ]
  if (!forename || !surname) return []
  if (` ${forename} `.includes(` ${surname} `)) return [{ path, message: 'it has the surname in it too' }]
  if (` ${surname} `.includes(` ${forename} `))
    return [{ path: 'generalSetting.surname', message: 'it has the forename in it too' }]
  return account === `${surname} ${forename}`
    ? [{ path, message: 'the account name has forename and surname the other way round' }]
    : []
}

/** How many letters of a name are compared: of a longer text the rest is left out, to bound the work. */
const longestName = 200

/** The words of a name, without accents and punctuation, in small letters. */
function wordsOf(name: string): string {
  if (oneWord.test(name)) return name.slice(0, longestName).toLowerCase()
  return name
    .slice(0, longestName)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

/** Most names: there is nothing to be taken out. */
const oneWord = /^[A-Za-z]*$/

/** Checks that the bank details are all of one account. */
function bankChecks({ bankSetting }: Parts, { fields }: RecordType, today: string, facts: Facts): Issue[] {
  const account = {
    sortCode: textIn(bankSetting, 'sortCode'),
    accountNumber: textIn(bankSetting, 'accountNumber'),
    iban: textIn(bankSetting, 'IBANReference'),
    bic: textIn(bankSetting, 'SWIFTNo'),
  }
  return [
    ...againstIban(account),
    ...wayToPay(bankSetting.isInternationalAccount, account, today, facts),
    ...(fields.payrollSetting && !fields.payrollSetting.fields?.[countryChecks.uk.own]
      ? []
      : againstSortCode(account, today, facts)),
  ]
}

/** Whether a British account number can be one of its sort code, where an admin has given the table of the banks. */
function againstSortCode({ sortCode, accountNumber }: Account, today: string, facts: Facts): Issue[] {
  const [code, account] = [accountDigits(sortCode), accountDigits(accountNumber)]
  const rows = facts.on('sort-code-weights', 'uk', today)?.value.rows
  if (!rows || !isSortCode(code) || !isAccountNumber(account)) return []
  const substitutes = facts.on('sort-code-substitutes', 'uk', today)?.value
  if (passesModulus(code, account, { rows, substitutes }) !== false) return []
  const message = 'it does not fit the sort code (modulus check): a digit of one of them is wrong'
  return [{ path: 'bankSetting.accountNumber', message }]
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

function wayToPay(
  isInternational: unknown,
  { sortCode, accountNumber, iban, bic }: Account,
  today: string,
  facts: Facts,
): Issue[] {
  const path = 'bankSetting.isInternationalAccount'
  const country = countryOfIban(iban)
  const sepa = facts.on('sepa', 'ireland', today)?.value.countries
  const isSepa = country !== undefined && (sepa === undefined || sepa.includes(country))
  if (isInternational === true && !iban) return [{ path, message: 'an international account needs an IBAN' }]
  if (isInternational === true && !bic && country !== undefined && !isSepa)
    return [{ path, message: 'an account outside SEPA needs a BIC too' }]
  if (isInternational === false && !(sortCode && accountNumber) && !isSepa)
    return [{ path, message: 'a domestic account needs a sort code and an account number, or an IBAN' }]
  return []
}

/** Checks that the person is 16 or older on the first day, that no end is before its start, and that undergraduate loans do not overlap. */
function dateChecks({ generalSetting, payrollSetting }: Parts): Issue[] {
  const age = ageOn(textIn(generalSetting, 'DOB'), textIn(generalSetting, 'dateOfJoining'))
  const isChild = age !== undefined && age < 16
  return [
    ...(isChild ? [{ path: 'generalSetting.dateOfJoining', message: 'younger than 16 on that day' }] : []),
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
    .filter(({ start, end }) => textIn(payroll, start) || textIn(payroll, end))
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
    .filter(({ start, end }) => textIn(payrollSetting, end) && !textIn(payrollSetting, start))
    .map(({ start, end }) => ({
      path: `payrollSetting.${end}`,
      message: `it ends, but does not start: ${start} is empty`,
    }))
  const started = loans.filter(({ start }) => textIn(payrollSetting, start))
  const isOver = started.every(({ end }) => timeOf(payrollSetting, end, Infinity) < Date.parse(today))
  if (payrollSetting.haveStudentLoan === true && isOver && withoutStart.length === 0)
    return [
      {
        path: 'payrollSetting.haveStudentLoan',
        message:
          started.length === 0
            ? 'it says yes, but no plan has a start: nothing is deducted, or what another plan asks for'
            : 'it says yes, but each plan has ended',
      },
    ]
  if (payrollSetting.haveStudentLoan !== false) return withoutStart
  const running = undergraduate.filter(
    ({ start, end }) =>
      textIn(payrollSetting, start) && timeOf(payrollSetting, end, Infinity) > Date.parse(today),
  )
  const contradicted = running.map(({ plan, start }) => ({
    path: 'payrollSetting.haveStudentLoan',
    message: `it says no, but ${start} says that ${plan.replace('Plan', 'Plan ')} is deducted`,
  }))
  return [...contradicted, ...withoutStart]
}

/** A date or timestamp in milliseconds; the other value if there is none. */
function timeOf(record: JsonObject, name: string, otherwise: number): number {
  const text = textIn(record, name)
  const time = text === '' ? NaN : Date.parse(text)
  return Number.isNaN(time) ? otherwise : time
}
