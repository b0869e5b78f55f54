import type { CountryId } from '../api/contract/countries/countries.ts'
import { candidateByCountry } from '../api/contract/countries/country-candidates.ts'
import { type FactValues, factOn } from '../api/contract/facts/facts.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { accountDigits, accountInIban } from '../api/contract/standards/bank.ts'
import { ageOn, daysWorked } from '../api/contract/standards/plausible.ts'
import { bankWarnings } from '../api/contract/standards/warnings.ts'
import { compactNumber, plural, wordList } from '../formats/words.ts'
import { keyOf, nameKey } from '../import/natural-key.ts'
import { type Likeness, likenessOf, ownKeys } from '../import/person-likeness.ts'
import type { JsonObject } from '../json/path.ts'
import {
  comparable,
  dayOf,
  lacks,
  nameWithReference,
  numberOf,
  type Person,
  textOf,
  unseenOf,
} from '../reading/people.ts'
import { dayAfter } from '../reading/values.ts'
import { hasDays, hasUnits, nameOfSheet, type Timesheet, whyNotPaid } from '../reading/work.ts'
import {
  type Found,
  hasEverybody,
  type Mend,
  type Payroll,
  type Remark,
  type Rule,
  seenOf,
  sheetsOf,
} from './rule.ts'

const bank = {
  sortCode: 'bankSetting.sortCode',
  accountNumber: 'bankSetting.accountNumber',
  iban: 'bankSetting.IBANReference',
  bic: 'bankSetting.SWIFTNo',
} as const

/** assumed: that in each country by which people are paid. */
const accountFields = { uk: [bank.sortCode, bank.accountNumber], ireland: [bank.iban] } as const

const birthday = 'generalSetting.DOB'
const payMethod = 'generalSetting.payMethod'
const paymentModel = 'payrollSetting.paymentModel'
const hourlyRate = 'generalSetting.rateHour'
const salary = 'generalSetting.annualSalary'
const weeklyHours = 'generalSetting.hours'
const joined = 'generalSetting.dateOfJoining'
const expiry = 'generalSetting.documentExpiryDate'
const postponement = 'generalSetting.pensionSetting.postponementEndDate'
const frequency = 'generalSetting.payFrequency'
const workingTime = 'generalSetting.workingTimeRegulation'
const margin = 'payrollSetting.margin'
/** The number of a person in each country. */
const ownNumber = { uk: 'generalSetting.NINumber', ireland: 'payrollSetting.ppsNumber' } as const

/** Every rule by its name, in the order in which its findings are shown within a severity. A new rule is one more entry. */
export const rules = {
  'no-bank': {
    severity: 'stops-pay',
    sentence: 'Paid into a bank, and no account is known.',
    source:
      'interface.md: payMethod and bankSetting; Bacs needs a sort code and an account number, SEPA an IBAN',
    needs: accountFields,
    asksWhether: true,
    uses: [payMethod, ...Object.values(bank)],
    each(person) {
      if (/^(cheque|check|cash)/i.test(textOf(person, payMethod))) return undefined
      const missing = [bank.sortCode, bank.accountNumber].filter((path) => textOf(person, path) === '')
      const isUnknown = [...missing, bank.iban].every((path) => !lacks(person, path))
      if (missing.length === 0 || textOf(person, bank.iban) !== '' || isUnknown) return undefined
      const method = textOf(person, payMethod)
      const what =
        missing.length === 2
          ? 'sort code, account number or IBAN'
          : wordList(
              missing.map((path) => labelOf(person, path)),
              'or',
            )
      return {
        seen: `${method === '' ? 'no pay method, and' : `paid by ${method}, and`} no ${what}`,
        mend: toSet(...(person.country.id === 'ireland' ? [bank.iban] : missing)),
      }
    },
  },
  'no-tax-basis': {
    severity: 'stops-pay',
    sentence: 'Tax, NI or PRSI cannot be worked out.',
    source:
      'gov.uk: Tell HMRC about a new employee; Tax codes. Revenue: Employee has no PPS number (emergency tax); PRSI classes',
    needs: {
      uk: ['payrollSetting.taxCode', 'payrollSetting.niCategory'],
      ireland: ['payrollSetting.ppsNumber', 'payrollSetting.prsiEeClasses'],
    },
    asksWhether: true,
    uses: ['payrollSetting.starterDeclaration', paymentModel],
    each(person) {
      if (isSubcontractor(person)) return undefined
      const lacking = taxFields[person.country.id].filter(
        ({ path, or }) => lacks(person, path) && (or === undefined || textOf(person, or) === ''),
      )
      if (lacking.length === 0) return undefined
      return {
        seen: lacking.map(({ seen }) => seen).join('; '),
        mend: toSet(...lacking.map(({ path }) => path)),
      }
    },
  },
  'no-rate': {
    severity: 'stops-pay',
    sentence: 'Neither an hourly rate nor a salary, and no rate on a timesheet.',
    source: 'interface.md: rateHour and annualSalary; the rates of a timesheet',
    needs: [hourlyRate],
    uses: [salary],
    lists: ['timesheets'],
    each(person, payroll) {
      const isPaid = [hourlyRate, salary].some((path) => (numberOf(person, path) ?? 0) > 0)
      const isUnknown =
        isUnread(person, hourlyRate) ||
        isUnread(person, salary) ||
        [hourlyRate, salary].every((path) => unseenOf(person, path) !== undefined)
      const sheets = sheetsOf(payroll, person)
      const hasRate = sheets.some(({ lines }) => lines.some(({ hourly = 0 }) => hourly > 0))
      if (isPaid || isUnknown || hasRate) return undefined
      const sheet = sheets.length === 0 ? 'no timesheet' : 'no rate on the timesheet'
      return { seen: `no hourly rate, no salary, and ${sheet}`, mend: toSet(hourlyRate) }
    },
  },
  'unknown-person': {
    severity: 'stops-pay',
    sentence: 'A timesheet is for a reference that no person has.',
    source: 'interface.md: agencyRef; assumed: the person of a timesheet is named by it',
    needs: [],
    lists: ['timesheets'],
    *all(payroll, remark) {
      if (!hasEverybody(payroll))
        return remark('unknown-person was not checked: not all people could be read')
      for (const [key, sheets] of payroll.sheets) {
        if (payroll.byReference.has(key)) continue
        for (const sheet of sheets) {
          const { reference } = sheet
          const name =
            reference === '' ? 'no person at all' : `${reference}, which is the reference of no person`
          yield {
            person: undefined,
            reference,
            seen: `${nameOfSheet(sheet)} is for ${name}`,
            mend: toLookAt(sheet),
          }
        }
      }
    },
  },
  'same-reference': {
    severity: 'likely-wrong',
    sentence: 'Two people have one reference: a timesheet cannot tell them apart.',
    source: 'interface.md: agencyRef, chosen by the sender',
    needs: [],
    ofEverybody: true,
    each(person, payroll) {
      const other = personOf(payroll, person.reference)
      if (person.reference === undefined || !other || other === person) return undefined
      return {
        seen: `${other.name ?? other.id} has the reference ${other.reference} too`,
        mend: { run: ['candidates', 'find', person.reference] },
      }
    },
  },
  'no-ni-number': {
    severity: 'likely-wrong',
    country: 'uk',
    sentence: 'No National Insurance number: pay is possible, but what is paid may not reach the record.',
    source: 'gov.uk: Tell HMRC about a new employee, National Insurance numbers',
    needs: [ownNumber.uk],
    asksWhether: true,
    uses: [paymentModel],
    each(person) {
      if (isSubcontractor(person) || !lacks(person, ownNumber.uk)) return undefined
      return { seen: 'no National Insurance number', mend: toSet(ownNumber.uk) }
    },
  },
  'bank-number': {
    severity: 'likely-wrong',
    sentence: 'A bank number that cannot be right by its standard.',
    source: 'ISO 13616 (IBAN), ISO 9362 (BIC), six digits of a sort code and eight of an account number',
    needs: accountFields,
    uses: Object.values(bank),
    each(person, { today }) {
      const values = bankValues(person)
      const issues = bankWarnings(typeOf(person), values, today)
      if (issues.length === 0) return undefined
      return {
        seen: issues.map(({ path, message }) => `${labelOf(person, path)}: ${message}`).join('; '),
        mend: toSet(...new Set(issues.map(({ path }) => path))),
        values,
      }
    },
  },
  'same-number': {
    severity: 'likely-wrong',
    sentence: 'Two people have one NI or PPS number.',
    source:
      'gov.uk: a National Insurance number is for one person only; Social Welfare Consolidation Act 2005, s. 262',
    needs: { uk: [ownNumber.uk], ireland: [ownNumber.ireland] },
    *all(payroll) {
      for (const { person, other, by } of alikeIn(payroll)) {
        if (by !== 'number') continue
        const path = ownNumber[person.country.id]
        yield seenOf(person, {
          seen: `the same ${labelOf(person, path)} as ${nameWithReference(other)}`,
          mend: toSet(path),
          values: { [lastName(path)]: textOf(person, path) },
        })
      }
    },
  },
  'same-person': {
    severity: 'likely-wrong',
    sentence: 'One name and one date of birth under two references: created twice, perhaps.',
    source: 'the same comparison as candidates import',
    needs: [birthday],
    *all(payroll) {
      for (const { person, other, by } of alikeIn(payroll)) {
        if (by !== 'name') continue
        yield seenOf(person, {
          seen: `the name and the date of birth of ${other.reference ?? other.id}`,
          mend: { run: ['candidates', 'find', person.name ?? ''] },
          values: { DOB: textOf(person, birthday) },
        })
      }
    },
  },
  'after-leaving': {
    severity: 'likely-wrong',
    sentence: 'A timesheet for days after the person left.',
    source: 'interface.md: dateLeft',
    needs: ['dateLeft'],
    lists: ['timesheets'],
    ofEverybody: true,
    each(person, payroll) {
      const left = dayOf(person, 'dateLeft')
      if (left === undefined) return undefined
      return sheetsOf(payroll, person)
        .filter(({ first }) => first > left)
        .map((sheet) => ({ seen: `left on ${left}; ${nameOfSheet(sheet)}`, mend: toLookAt(sheet) }))
    },
  },
  'before-start': {
    severity: 'likely-wrong',
    sentence: 'A timesheet for days before the person started.',
    source: 'interface.md: dateOfJoining',
    needs: [joined],
    lists: ['timesheets'],
    ofEverybody: true,
    each(person, payroll) {
      const start = dayOf(person, joined)
      if (start === undefined) return undefined
      return sheetsOf(payroll, person)
        .filter(({ last }) => last !== '' && last < start)
        .map((sheet) => ({ seen: `starts on ${start}; ${nameOfSheet(sheet)}`, mend: toLookAt(sheet) }))
    },
  },
  'overlapping-sheets': {
    severity: 'likely-wrong',
    sentence: 'Two timesheets of one assignment for the same days: they may be paid twice.',
    source: 'the same comparison as timesheets import; two assignments may share days',
    needs: [],
    lists: ['timesheets'],
    *all(payroll) {
      for (const sheets of liveSheets(payroll)) {
        const dated = sheets.filter(hasDays).sort((one, other) => one.first.localeCompare(other.first))
        for (const [at, sheet] of dated.entries()) {
          const other = dated.slice(0, at).find((each) => each.last >= sheet.first && isSameWork(each, sheet))
          if (other) yield ofSheet(payroll, sheet, `${nameOfSheet(sheet)}, and another ${nameOfSheet(other)}`)
        }
      }
    },
  },
  'no-hours': {
    severity: 'likely-wrong',
    sentence: 'A timesheet of no hours, or of less than none.',
    source: 'interface.md: the units of a timesheet; nothing is paid for it, or less than nothing',
    needs: [],
    lists: ['timesheets'],
    *all(payroll) {
      for (const sheet of liveSheets(payroll).flat()) {
        const negative = sheet.lines.find(({ units = 0 }) => units < 0)
        if (negative)
          yield ofSheet(payroll, sheet, `${tidy(negative.units ?? 0)} hours; ${nameOfSheet(sheet)}`)
        else if (!hasUnits(sheet)) yield ofSheet(payroll, sheet, `no hours; ${nameOfSheet(sheet)}`)
      }
    },
  },
  'too-many-hours': {
    severity: 'likely-wrong',
    sentence: 'More than 84 hours in a week; more than 60 wants a look.',
    source:
      'Working Time Regulations 1998, reg. 4: 48 hours a week on average over 17 weeks, unless the worker agrees otherwise',
    needs: [],
    uses: [workingTime],
    lists: ['timesheets'],
    *all(payroll) {
      for (const sheets of liveSheets(payroll)) {
        const person = personOf(payroll, sheets[0]?.reference)
        for (const { days, hours, sheet } of hoursByWeek(sheets)) {
          const weekly = hours / Math.max(1, days / 7)
          if (weekly <= 60) continue
          const working = person ? textOf(person, workingTime) : ''
          const per = days > 7 ? `, ${tidy(weekly)} a week` : ''
          const agreed = working === '' ? '' : `; Working Time Regulations: ${working}`
          yield {
            ...ofSheet(payroll, sheet, `${tidy(hours)} hours${per}; ${nameOfSheet(sheet)}${agreed}`),
            severity: weekly > 84 ? 'likely-wrong' : 'look',
          }
        }
      }
    },
  },
  'below-minimum': {
    severity: 'likely-wrong',
    sentence: 'Less than the minimum wage an hour; what is only probably less wants a look.',
    source:
      'National Minimum Wage Act 1998 and the rates of gov.uk; National Minimum Wage Act 2000 and the rates of Citizens Information',
    needs: [hourlyRate],
    uses: ['payrollSetting.isApprentice', margin, 'payrollSetting.holidayPayRate', weeklyHours, paymentModel],
    lists: ['timesheets'],
    each(person, payroll, remark) {
      if (isSubcontractor(person)) return undefined
      const own = numberOf(person, hourlyRate) ?? 0
      const ofRecord =
        own > 0
          ? judgePay(person, own, { day: payroll.day, hours: numberOf(person, weeklyHours) }, remark)
          : undefined
      const ofSheets = sheetsOf(payroll, person).flatMap((sheet) => {
        const rates = sheet.lines.flatMap(({ hourly }) => hourly ?? []).filter((rate) => rate > 0)
        if (rates.length === 0) return []
        const worked = { day: sheet.last === '' ? payroll.day : sheet.last, hours: sheet.hours }
        const judged = judgePay(person, Math.min(...rates), worked, remark)
        return judged
          ? [{ ...judged, seen: `${nameOfSheet(sheet)}: ${judged.seen}`, mend: toLookAt(sheet) }]
          : []
      })
      return [
        ...(ofRecord
          ? [{ ...ofRecord, seen: `hourly rate: ${ofRecord.seen}`, mend: toSet(hourlyRate) }]
          : []),
        ...ofSheets,
      ]
    },
  },
  'document-expired': {
    severity: 'likely-wrong',
    sentence: 'The document that shows the right to work has expired.',
    source: 'Home Office: Employer’s guide to right to work checks, follow-up checks',
    needs: [expiry],
    each(person, { today }) {
      const day = dayOf(person, expiry)
      return day !== undefined && day < today ? { seen: `expired on ${day}`, mend: toSet(expiry) } : undefined
    },
  },
  'document-expires': {
    severity: 'look',
    sentence: 'The document that shows the right to work expires within 30 days.',
    source: 'Home Office: Employer’s guide to right to work checks, follow-up checks',
    needs: [expiry],
    each(person, { today }) {
      const day = dayOf(person, expiry)
      const isSoon = day !== undefined && day >= today && day <= dayAfter(today, 30)
      return isSoon ? { seen: `expires on ${day}`, mend: toSet(expiry) } : undefined
    },
  },
  'no-document-date': {
    severity: 'look',
    sentence: 'A right to work that may end, and no day on which its document expires.',
    source:
      'Home Office: Employer’s guide to right to work checks; British and Irish citizens have the right without an end',
    needs: [expiry],
    asksWhether: true,
    uses: ['generalSetting.nationality', 'generalSetting.rightToWorkStatus', 'generalSetting.documentType'],
    each(person) {
      const status = textOf(person, 'generalSetting.rightToWorkStatus')
      const nationality = textOf(person, 'generalSetting.nationality')
      const isCitizen =
        /citizen|settled/i.test(status) || /^(british|irish|english|scottish|welsh)\b/i.test(nationality)
      if (isCitizen || !lacks(person, expiry)) return undefined
      const type = textOf(person, 'generalSetting.documentType')
      const known = [nationality, status].filter(Boolean).join(', ')
      const what = type === '' ? 'no document' : `${type} without a day on which it expires`
      return { seen: known === '' ? what : `${what} (${known})`, mend: toSet(expiry) }
    },
  },
  'shared-account': {
    severity: 'look',
    sentence: 'One bank account for people with different surnames. Couples share one: a hint, and no more.',
    source: 'a usual sign of a typing mistake, or of fraud',
    needs: accountFields,
    uses: Object.values(bank),
    *all({ active }) {
      const byAccount = new Map<string, Person[]>()
      for (const person of active) {
        const account = accountOf(person)
        if (account === undefined) continue
        const people = byAccount.get(account)
        if (people) people.push(person)
        else byAccount.set(account, [person])
      }
      for (const people of byAccount.values()) {
        const surnames = new Set(people.map(({ surname }) => nameKey(surname)))
        const [first, ...others] = people.sort((one, other) =>
          (one.reference ?? '').localeCompare(other.reference ?? ''),
        )
        if (!first || surnames.size < 2) continue
        const named = others.slice(0, 3).map(nameWithReference)
        const more = others.length > 3 ? [plural(others.length - 3, 'other')] : []
        const { [lastName(bank.bic)]: _, ...values } = bankValues(first)
        yield seenOf(first, {
          seen: `one account with ${wordList([...named, ...more], 'and')}`,
          mend: { run: ['candidates', 'get', first.reference ?? first.id ?? '', '--reveal'] },
          values,
        })
      }
    },
  },
  'postponement-ends': {
    severity: 'look',
    sentence: 'The postponement of the pension ends within 14 days: the person is to be assessed.',
    source: 'The Pensions Regulator: detailed guidance 3a, Postponement (at most three months)',
    needs: [postponement],
    each(person, { today }) {
      const day = dayOf(person, postponement)
      const isSoon = day !== undefined && day >= today && day <= dayAfter(today, 14)
      return isSoon ? { seen: `postponed until ${day}`, mend: toSee(person) } : undefined
    },
  },
  'no-timesheet': {
    severity: 'look',
    sentence: 'Paid by the hour, and no timesheet in the week that was asked for.',
    source: 'a worker who sends no hours is not paid for them',
    needs: [hourlyRate],
    uses: [salary],
    lists: ['timesheets'],
    ofWeek: true,
    each(person, payroll) {
      const { week } = payroll
      if (!week || !isPaidByHour(person) || (dayOf(person, joined) ?? '') > week.last) return undefined
      const why = whyNotPaid(week, payroll.sheets.get(keyOf(person.reference ?? '')) ?? [])
      if (why === undefined) return undefined
      const days = `from ${week.first} to ${week.last}`
      return {
        seen: why === 'no timesheet' ? `${why} ${days}` : `no hours ${days}: ${why}`,
        mend: { run: ['timesheets', 'create'] },
      }
    },
  },
  'never-paid': {
    severity: 'look',
    sentence: 'Started more than two pay periods ago, and has no payslip.',
    source: 'interface.md: payFrequency; assumed: a payslip has the name or the reference of the person',
    needs: [joined],
    uses: [frequency],
    lists: ['payslips'],
    each(person, { paid, day }, remark) {
      if (paid === undefined) {
        remark('never-paid was not checked: the payslips say neither a name nor a reference')
        return undefined
      }
      const start = dayOf(person, joined)
      const period = periodDays(textOf(person, frequency))
      if (start === undefined || !period || dayAfter(start, 2 * period) >= day) return undefined
      const keys = [person.reference && keyOf(person.reference), nameKey(person.name ?? '')]
      if (keys.some((key) => key && paid.has(key))) return undefined
      return { seen: `started on ${start}, and has no payslip`, mend: toSee(person) }
    },
  },
} satisfies Record<string, Rule>

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as readonly RuleId[]

export const ruleOf = (id: RuleId): Rule => rules[id]

/** What each country needs for tax; `or`: another field that is enough. */
const taxFields: Readonly<
  Record<CountryId, readonly { readonly path: string; readonly or?: string; readonly seen: string }[]>
> = {
  uk: [
    {
      path: 'payrollSetting.taxCode',
      or: 'payrollSetting.starterDeclaration',
      seen: 'no tax code and no starter statement',
    },
    { path: 'payrollSetting.niCategory', seen: 'no NI category' },
  ],
  ireland: [
    { path: 'payrollSetting.ppsNumber', seen: 'no PPS number, which means emergency tax' },
    { path: 'payrollSetting.prsiEeClasses', seen: 'no PRSI class' },
  ],
}

/** "paymentModel `PAYEE` and `CIS`": a subcontractor has no tax code and no minimum wage. */
const isSubcontractor = (person: Person) => textOf(person, paymentModel).toUpperCase() === 'CIS'

/** Whether there is a value that cannot be read. */
const isUnread = (person: Person, path: string) =>
  unseenOf(person, path) === 'masked' || unseenOf(person, path) === 'no amount'

/** Whether hours are paid: a rate that cannot be read is one. */
export function isPaidByHour(person: Person): boolean {
  const hasRate = (numberOf(person, hourlyRate) ?? 0) > 0 || isUnread(person, hourlyRate)
  return hasRate || !((numberOf(person, salary) ?? 0) > 0)
}

const typeOf = ({ country }: Person) => candidateByCountry[country.id].sent

/** The label of a field as a sentence has it: `account number`, `IBAN`. */
function labelOf(person: Person, path: string): string {
  const label = fieldAt(typeOf(person).fields, path)?.label ?? path
  return /^[A-Z][a-z]/.test(label) && !/^National/.test(label)
    ? label[0]?.toLowerCase() + label.slice(1)
    : label
}

const lastName = (path: string) => path.split('.').at(-1) ?? path

const toSet = (...paths: readonly string[]): Mend => ({ set: paths.map((path) => `${lastName(path)}=…`) })

/** The service names no operation that deletes a timesheet: it is looked at first. */
const toLookAt = ({ id, reference }: Timesheet): Mend => ({
  run:
    id === undefined
      ? ['timesheets', 'list', '--where', `subcontractorRef=${reference}`]
      : ['timesheets', 'get', id],
})

const toSee = ({ reference, id, country }: Person): Mend => ({
  run: ['candidates', 'get', reference ?? id ?? '', country.flag],
})

/** Of several with one reference, the first. */
const personOf = ({ byReference }: Payroll, reference = ''): Person | undefined =>
  byReference.get(keyOf(reference))?.[0]

/** What is seen of a timesheet. */
const ofSheet = (payroll: Payroll, sheet: Timesheet, seen: string) => ({
  person: personOf(payroll, sheet.reference),
  reference: sheet.reference,
  seen,
  mend: toLookAt(sheet),
})

/** The timesheets that are paid, of each reference. */
const liveSheets = ({ sheets }: Payroll): Timesheet[][] =>
  [...sheets.values()].map((own) => own.filter(({ dead }) => dead === undefined))

/** Whether two timesheets may be for the same work: of two assignments they are not. */
const isSameWork = (one: Timesheet, other: Timesheet) =>
  one.assignment === '' || other.assignment === '' || keyOf(one.assignment) === keyOf(other.assignment)

/** A number without the tail of its fraction: 37.5. */
const tidy = (number: number) => String(Number(number.toFixed(2)))

/** The hours of a person by the days that they were worked in, over all timesheets for these days. */
function hoursByWeek(sheets: readonly Timesheet[]) {
  const weeks = new Map<string, { days: number; hours: number; sheet: Timesheet }>()
  for (const sheet of sheets) {
    const key = `${sheet.first} ${sheet.last}`
    const week = weeks.get(key)
    if (week) week.hours += sheet.hours
    else weeks.set(key, { days: daysWorked(sheet.first, sheet.last), hours: sheet.hours, sheet })
  }
  return weeks.values()
}

/** Two people who may be one, found once for the two rules that ask. */
function alikeIn(payroll: Payroll): readonly Alike[] {
  const found = alike.get(payroll) ?? [...findAlike(payroll)]
  alike.set(payroll, found)
  return found
}

const alike = new WeakMap<Payroll, readonly Alike[]>()

interface Alike {
  readonly person: Person
  readonly other: Person
  readonly by: Likeness['by']
}

/** Every two people who may be one: the later of them by reference, and the first. */
function* findAlike({ people }: Payroll): Generator<Alike> {
  const first = new Map<string, Person>()
  const sharing = new Set<Person>()
  // One person may be paid in both countries.
  const keysOf = (person: Person) => ownKeys(person).map((key) => `${person.country.id} ${key}`)
  for (const person of people) {
    for (const key of keysOf(person)) {
      const other = first.get(key)
      if (other) sharing.add(other).add(person)
      else first.set(key, person)
    }
  }
  const byKey = new Map<string, Person>()
  // Few share anything, and the others need no order.
  const sorted = [...sharing].sort((one, other) =>
    (one.reference ?? one.id ?? '').localeCompare(other.reference ?? other.id ?? ''),
  )
  for (const person of sorted) {
    const keys = keysOf(person)
    const other = keys.map((key) => byKey.get(key)).find((each) => each !== undefined)
    const isOther =
      other !== undefined &&
      (person.reference === undefined ||
        other.reference === undefined ||
        keyOf(other.reference) !== keyOf(person.reference))
    // References that look alike are compared by an import; here it is the number, or the name and the birthday.
    const bare = ({ name, birthday, number }: Person) => ({
      name,
      birthday,
      number,
      reference: undefined,
      id: undefined,
    })
    const likeness = isOther ? likenessOf(bare(person), bare(other)) : undefined
    if (other && likeness) yield { person, other, by: likeness.by }
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, person)
  }
}

/** An account by its numbers alone: that of a British or Irish IBAN is the one of its sort code and account number. */
function accountOf(person: Person): string | undefined {
  const [sort, account, iban] = [bank.sortCode, bank.accountNumber, bank.iban].map((path) =>
    comparable(person, path),
  )
  if (sort !== undefined && account !== undefined) return `${accountDigits(sort)} ${accountDigits(account)}`
  if (iban === undefined) return undefined
  const inside = accountInIban(iban)
  return inside ? `${inside.sortCode} ${inside.accountNumber}` : compactNumber(iban)
}

/** The bank numbers that are there and no mask. How they are spaced makes no difference to a bank. */
function bankValues(person: Person): JsonObject {
  return Object.fromEntries(
    Object.values(bank).flatMap((path) => {
      const value = comparable(person, path)
      return value === undefined ? [] : [[lastName(path), compactNumber(value)]]
    }),
  )
}

/** The days of a pay period; undefined where it has no length. */
const periods: Readonly<Record<string, number | undefined>> = {
  WEEKLY: 7,
  FORTNIGHTLY: 14,
  TWICE_MONTHLY: 16,
  FOUR_WEEKLY: 28,
  MONTHLY: 31,
  WK_BASED_MONTHLY: 35,
  QUARTERLY: 92,
  BI_ANNUAL: 184,
  ANNUAL: 366,
  ONE_OFF: undefined,
  IRREGULAR: undefined,
  OTHER: undefined,
}

/** assumed: a word that is not known is a month, so that no person is reported too early. */
function periodDays(word: string): number | undefined {
  const known = word.toUpperCase()
  return Object.hasOwn(periods, known) ? periods[known] : 31
}

/** Holds what an hour is paid against the minimum wage of the country, in its own currency. */
function judgePay(
  person: Person,
  hourly: number,
  { day, hours }: { readonly day: string; readonly hours: number | undefined },
  remark: Remark,
): Pick<Found, 'severity' | 'seen'> | undefined {
  const { country } = person
  const wage = factOn('minimum-wage', country.id, day)?.value
  if (!wage) {
    remark(`no minimum wage is known for ${day} ${country.inPlace}: pay was not held against it`)
    return undefined
  }
  const age = ageOn(textOf(person, birthday), day)
  const money = (amount: number) => `${country.currency}${amount.toFixed(2)}`
  const minimum = rateAtAge(wage, age)
  if (hourly < minimum) {
    const below = `${money(hourly)} is below the minimum of ${money(minimum)}`
    const isApprentice = person.values.get('payrollSetting.isApprentice') === true
    if (isApprentice && wage.apprentice !== undefined && hourly >= wage.apprentice)
      return age !== undefined && age < 19
        ? undefined
        : { severity: 'look', seen: `${below}: right for an apprentice in the first year alone, or under 19` }
    if (age === undefined)
      return { severity: 'look', seen: `${below} of an adult: the date of birth is not known` }
    return { severity: 'likely-wrong', seen: `${below} at ${age}` }
  }
  // A margin is that of an umbrella company: the rate is what the agency pays for the assignment.
  const own = numberOf(person, margin) ?? 0
  if (own <= 0) return undefined
  const floor = assignmentFloor(person, { minimum, hours, day, margin: own })
  if (!floor || hourly >= floor.rate) return undefined
  return {
    severity: 'look',
    seen: `${money(hourly)} is less than an assignment has to bring for ${money(minimum)}: ${floor.arithmetic}`,
  }
}

/** The rate of an age in years; that of an adult where the age is not known. */
function rateAtAge(wage: FactValues['minimum-wage'], age = Number.POSITIVE_INFINITY): number {
  const reached = Object.entries(wage).flatMap(([name, rate = 0]) => {
    const from = Number(/^from(\d+)$/.exec(name)?.[1] ?? Number.NaN)
    return age >= from ? [{ from, rate }] : []
  })
  return reached.reduce((oldest, each) => (each.from > oldest.from ? each : oldest)).rate
}

/** The least rate of an assignment from which the minimum wage can be paid, and how it comes about, in words. */
function assignmentFloor(
  person: Person,
  {
    minimum,
    margin,
    day,
    hours: worked = 0,
  }: { minimum: number; margin: number; day: string; hours: number | undefined },
): { readonly rate: number; readonly arithmetic: string } | undefined {
  const { id, currency } = person.country
  const costs = factOn('employer-costs', id, day)?.value
  const usualShare = factOn('holiday-pay', id, day)?.value.share
  if (!costs || usualShare === undefined) return undefined
  const ownShare = numberOf(person, 'payrollSetting.holidayPayRate') ?? 0
  const share = ownShare > 0 ? ownShare / 100 : usualShare
  const hours = worked > 0 ? worked : costs.hours
  const pay = minimum * (1 + share) * hours
  const parts = {
    [`pay with ${Number((share * 100).toFixed(2))}% holiday`]: pay,
    "employer's NI": costs.niShare * Math.max(0, pay - costs.niAbove),
    levy: costs.levyShare * pay,
    pension: costs.pensionShare * Math.max(0, pay - costs.pensionAbove),
    margin,
  }
  const money = (amount: number) => `${currency}${amount.toFixed(2)}`
  const rate = Object.values(parts).reduce((sum, each) => sum + each, 0) / hours
  const words = Object.entries(parts).map(([name, amount]) => `${name} ${money(amount)}`)
  return { rate, arithmetic: `(${words.join(' + ')}) ÷ ${hours} hours = ${money(rate)}` }
}
