import type { Issue } from '../../errors.ts'
import { formatPath, isObject, type JsonObject, valueAt } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { isDay } from '../../text/day.ts'
import { foldText } from '../../text/words.ts'
import { type CountryId, countryIds } from '../countries/countries.ts'
import { builtInFacts, type Facts } from '../facts/facts.ts'
import type { Field, Fields, Law } from '../fields/field.ts'
import { leafFields } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { formDoubts } from '../resources/check-record.ts'
import { accountDigits, accountInIban, countryOfBic, countryOfIban } from './bank.ts'
import { damagedLetters } from './damaged-letters.ts'
import { irishRules } from './ireland-checks.ts'
import { judgeRecord, paidBy } from './minimum-wage.ts'
import { ageOn, movedWork, slippedPay, timesheetDays, timesheetUnits } from './plausible.ts'
import { checkValue } from './standards.ts'
import { taxPeriodDoubts } from './tax-period.ts'
import { ukRules } from './uk-checks.ts'
import { amountAt, isReversed, type RecordRules, recordParts, textAt, type Warning } from './warning.ts'

/** The warnings about a body. None shows a sensitive value. `today` is YYYY-MM-DD. */
export function warnings(type: RecordType, body: unknown, today: string, facts = builtInFacts): Issue[] {
  if (!isObject(body)) return []
  const doubts = valueWarnings(type, body, today, facts)
  const low = payWarning(type, body, { today, facts })
  return low && !doubts.some(({ path }) => path === low.path) ? [...doubts, low] : doubts
}

/** The warnings except that of pay below the minimum wage, which depends on the days that were worked. */
export function valueWarnings(type: RecordType, body: JsonObject, today: string, facts: Facts): Issue[] {
  const fieldDoubts = inFields(type.fields, body, [], today)
  if (type.fields.rates) {
    const reversed = isReversed(body, 'startDate', 'endDate')
    return [
      ...fieldDoubts,
      ...formDoubts(type, body),
      ...(reversed ? [{ path: 'endDate', message: reversed }] : []),
      ...timesheetDays(body),
      // Of a line of a sheet they are judged with the other lines, and by the pay date.
      ...(type.fields.dayWorked ? [] : [...timesheetUnits(body), ...taxPeriodDoubts(body, today)]),
    ]
  }
  return type.fields.payrollSetting
    ? [...fieldDoubts, ...crossChecks(type, body, { today, facts })]
    : fieldDoubts
}

/** Whether pay is below the minimum wage today, or on a later first day. Needs the date of birth. */
function payWarning(type: RecordType, body: JsonObject, { today, facts }: Law): Issue | undefined {
  const country = countryOf(type)
  const { generalSetting } = recordParts(body)
  if (country === undefined || !isDay(textAt(generalSetting, 'DOB'))) return undefined
  const start = textAt(generalSetting, 'dateOfJoining')
  const day = start > today && isDay(start) ? start : today
  const paid = paidBy(country, (path) => valueAt(body, path))
  const low = judgeRecord(paid, { first: day, last: day }, facts)
  return low && { path: low.path, message: low.message }
}

/** The warnings that a change of a body adds, and those about pay that it changes too much. */
export function addedWarnings(
  type: RecordType,
  before: unknown,
  after: unknown,
  today: string,
  facts = builtInFacts,
): Issue[] {
  // A new value is doubted again, even if the old one was doubted for the same reason.
  const lineIn = (body: unknown) => (doubt: Issue) => {
    const value = isObject(body) ? valueAt(body, doubt.path) : undefined
    return `${doubt.path}: ${doubt.message} ${typeof value === 'object' ? '' : value}`
  }
  const old = new Set(warnings(type, before, today, facts).map(lineIn(before)))
  const inNew = lineIn(after)
  const newDoubts = warnings(type, after, today, facts).filter((doubt) => !old.has(inNew(doubt)))
  if (!isObject(before) || !isObject(after)) return newDoubts
  const slips = payPaths(type).flatMap((path) => {
    const segments = path.split('.')
    const slip = slippedPay(valueAt(before, segments), valueAt(after, segments))
    return slip && !newDoubts.some((doubt) => doubt.path === path) ? [{ path, ...slip }] : []
  })
  const periodDoubts = type.fields.taxPeriodConfig ? movedWork(before, after) : []
  return [
    ...newDoubts,
    ...slips,
    ...periodDoubts.filter(({ path }) => !newDoubts.some((doubt) => doubt.path === path)),
  ]
}

/** The paths of hourly rate and salary. Kept, because an import asks for each of its rows. */
const payPaths = onceFor(({ fields }: RecordType): readonly string[] =>
  leafFields(fields)
    .filter(({ field }) => field.standard === 'hourly-rate' || field.standard === 'salary')
    .map(({ path }) => path),
)

type Segments = readonly PropertyKey[]

function inFields(fields: Fields, record: Record<string, unknown>, under: Segments, today: string): Issue[] {
  const doubts: Issue[] = []
  for (const name in fields) {
    const [field, value] = [fields[name], record[name]]
    if (!field || value === undefined) continue
    const issues = inField(field, value, under, name, today)
    if (issues.length > 0) doubts.push(...issues)
  }
  return doubts
}

/** The path is put together only for a warning: most values have none. */
function inField(
  field: Field,
  value: unknown,
  under: Segments,
  name: PropertyKey,
  today: string,
): readonly Issue[] {
  const { fields, item } = field
  if (fields) return isObject(value) ? inFields(fields, value, [...under, name], today) : none
  const inList = item ?? (field.type === 'lines' ? field : undefined)
  if (inList && Array.isArray(value))
    return value.flatMap((each, index) => inField(inList, each, [...under, name], index, today))
  if (item) return none
  const { message, suggestion } = doubtOf(field, value, today) ?? {}
  if (message === undefined) return none
  const suggestionText = suggestion === undefined || field.sensitive ? '' : `; did you mean ${suggestion}?`
  return [{ path: formatPath([...under, name]), message: message + suggestionText }]
}

const none: readonly Issue[] = []

/** The last value of each field with its warning: many columns of a file repeat one value row after row. */
const lastChecks = new Map<Field, { value: unknown; today: string; warning: Warning | undefined }>()

/** The doubt about the value of one field. */
export function doubtOf(field: Field, value: unknown, today: string): Warning | undefined {
  const last = lastChecks.get(field)
  if (last && last.value === value && last.today === today) return last.warning
  const damaged = damagedLetters(field, value)
  // A message with the repaired text helps more than one that only says what is wrong.
  const warning = damaged?.suggestion === undefined ? (checkValue(field, value, today) ?? damaged) : damaged
  if (last) Object.assign(last, { value, today, warning })
  else lastChecks.set(field, { value, today, warning })
  return warning
}

/** The rules of each country, and a field that only its records have. */
const byCountry: Readonly<Record<CountryId, { readonly own: string; readonly rules: RecordRules }>> = {
  uk: { own: 'niCategory', rules: ukRules },
  ireland: { own: 'prsiEeClasses', rules: irishRules },
}

/** Warnings about fields of a candidate that do not fit together. */
function crossChecks(type: RecordType, body: JsonObject, law: Law): Issue[] {
  const parts = recordParts(body)
  return rulesOf(type).flatMap(([path, doubt]) => {
    const message = doubt(parts, law)
    return message ? [{ path, message }] : []
  })
}

/** The country of a candidate's type; undefined for any other record. */
const countryOf = onceFor(({ fields }: RecordType): CountryId | undefined => {
  const payroll = fields.payrollSetting?.fields
  return payroll && countryIds.find((id) => byCountry[id].own in payroll)
})

/** The rules for a type: the common ones and its country's, or all countries' if its fields say none. */
const rulesOf = onceFor(({ fields }: RecordType): readonly [path: string, doubt: RecordRules[string]][] => {
  const payroll = fields.payrollSetting?.fields
  const own = countryIds.filter((id) => !payroll || byCountry[id].own in payroll)
  return [recordRules, ...own.flatMap((id) => [byCountry[id].rules, holidayRule(id)])].flatMap(Object.entries)
})

/** Only this many letters of a name are compared, to bound the work. */
const mostLetters = 200

function nameText(record: JsonObject, name: string): string {
  const text = textAt(record, name).slice(0, mostLetters)
  return text === ''
    ? ''
    : foldText(text)
        .replace(/[^\p{L}]+/gu, ' ')
        .trim()
}

const isAmong = (name: string, words: string) => name !== '' && ` ${words} `.includes(` ${name} `)

/** assumed: only a slip makes a margin larger, in pounds a pay period. */
const highestMargin = 500

/** The rules of every country, in the order in which they are said. */
const recordRules: RecordRules = {
  'generalSetting.forename': ({ generalSetting, bankSetting }) => {
    const [forename, surname] = [nameText(generalSetting, 'forename'), nameText(generalSetting, 'surname')]
    if (isAmong(surname, forename)) return 'it has the surname in it too'
    const isSwapped = nameText(bankSetting, 'accountName') === `${surname} ${forename}`
    return (
      isSwapped &&
      !isAmong(forename, surname) &&
      'the account name has forename and surname the other way round'
    )
  },
  'generalSetting.surname': ({ generalSetting }) => {
    const [forename, surname] = [nameText(generalSetting, 'forename'), nameText(generalSetting, 'surname')]
    return forename !== surname && isAmong(forename, surname) && 'it has the forename in it too'
  },
  'generalSetting.dateOfJoining': ({ generalSetting }) => {
    const age = ageOn(textAt(generalSetting, 'DOB'), textAt(generalSetting, 'dateOfJoining'))
    return age !== undefined && age < 16 && 'younger than 16 on that day'
  },
  'generalSetting.payrollCalculationEnd': ({ generalSetting }) =>
    isReversed(generalSetting, 'payrollCalculationStart', 'payrollCalculationEnd'),
  'bankSetting.sortCode': ({ bankSetting }) => {
    const [sortCode, inside] = [textAt(bankSetting, 'sortCode'), accountInIban(ibanIn(bankSetting))]
    const isOther = inside && sortCode && accountDigits(sortCode) !== inside.sortCode
    return isOther && 'the IBAN has another sort code: put right the one that is old'
  },
  'bankSetting.accountNumber': ({ bankSetting }) => {
    const [account, inside] = [textAt(bankSetting, 'accountNumber'), accountInIban(ibanIn(bankSetting))]
    const isOther = inside && account && accountDigits(account).padStart(8, '0') !== inside.accountNumber
    return isOther && 'the IBAN has another account number: put right the one that is old'
  },
  'bankSetting.SWIFTNo': ({ bankSetting }) => {
    const country = countryOfIban(ibanIn(bankSetting))
    const ofBank = countryOfBic(textAt(bankSetting, 'SWIFTNo'))
    // Banks in Guernsey, on the Isle of Man and in Jersey have British IBANs.
    const isOther = country && ofBank && ofBank.replace(/^(?:GG|IM|JE)$/, 'GB') !== country
    return isOther && `the BIC is of a bank in ${ofBank}, the IBAN of one in ${country}`
  },
  'bankSetting.isInternationalAccount': ({ bankSetting }, { today, facts }) => {
    const { isInternationalAccount: isInternational } = bankSetting
    const country = countryOfIban(ibanIn(bankSetting))
    const sepa = facts.on('sepa', 'ireland', today)?.value.countries
    const isSepa = country !== undefined && (sepa === undefined || sepa.includes(country))
    const isDomestic = textAt(bankSetting, 'sortCode') && textAt(bankSetting, 'accountNumber')
    if (isInternational === false && !isDomestic && !isSepa)
      return 'a domestic account needs a sort code and an account number, or an IBAN'
    if (isInternational !== true) return undefined
    if (!ibanIn(bankSetting)) return 'an international account needs an IBAN'
    const isOutside = country !== undefined && !isSepa && !textAt(bankSetting, 'SWIFTNo')
    return isOutside && 'an account outside SEPA needs a BIC too'
  },
  'payrollSetting.margin': ({ payrollSetting }) => {
    const [amount = 0, cap = 0] = ['margin', 'marginCapped'].map((name) => amountAt(payrollSetting, name))
    if (amount < 0) return 'negative'
    if (cap > 0 && amount > cap) return 'more than the cap beside it'
    return amount > highestMargin && `more than ${highestMargin}: the decimal point may be missing`
  },
}

const ibanIn = (bank: JsonObject) => textAt(bank, 'IBANReference')

/** In percent of the pay. assumed: nobody has more holiday. */
const highestHoliday = 33

/** Rolled-up holiday pay needs a rate, at least the law's. assumed: it is in percent, 12.07 for 12.07%. */
const holidayRule = (country: CountryId): RecordRules => ({
  'payrollSetting.holidayPayRate': ({ payrollSetting }, { today, facts }) => {
    const method = textAt(payrollSetting, 'holidayPayMethod').toUpperCase()
    const rate = amountAt(payrollSetting, 'holidayPayRate') ?? 0
    const share = facts.on('holiday-pay', country, today)?.value.share
    if (share === undefined || /^NO/.test(method) || (rate === 0 && method !== 'ROLLED_UP')) return undefined
    const least = Number((share * 100).toFixed(2))
    if (rate === 0) return 'holiday pay is rolled up, and has no rate'
    if (rate < 1) return `less than 1: it is in percent, such as ${least}, as far as is known`
    if (rate < least) return `less than the ${least}% that the law gives`
    return rate > highestHoliday && 'more than a third of the pay: the decimal point may be missing'
  },
})
