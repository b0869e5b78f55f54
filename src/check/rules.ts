import type { CountryId } from '../api/contract/countries/countries.ts'
import { candidateByCountry } from '../api/contract/countries/country-candidates.ts'
import { isDay } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { accountDigits, accountInIban } from '../api/contract/standards/bank.ts'
import { ageOn, daysWorked } from '../api/contract/standards/plausible.ts'
import { bankWarnings } from '../api/contract/standards/warnings.ts'
import { compactNumber, plural, wordList } from '../formats/words.ts'
import { dayOf, keyOf, nameKey } from '../import/natural-key.ts'
import { type Likeness, likenessOf, ownKeys } from '../import/person-likeness.ts'
import type { JsonObject } from '../json/path.ts'
import {
  assignmentFloor,
  employerCosts,
  entryOn,
  type MinimumWage,
  minimumWageOn,
  rateAtAge,
} from './minimum-pay.ts'
import type { Days, Payroll, Person, Timesheet } from './payroll.ts'
import {
  activePeople,
  comparable,
  dayAfter,
  lacks,
  type Mend,
  nameWithReference,
  numberAt,
  type Rule,
  type Seen,
  seenOf,
  textOf,
  timesheetsOf,
} from './rule.ts'

const bank = {
  sortCode: 'bankSetting.sortCode',
  accountNumber: 'bankSetting.accountNumber',
  iban: 'bankSetting.IBANReference',
  bic: 'bankSetting.SWIFTNo',
} as const

const payMethod = 'generalSetting.payMethod'
const paymentModel = 'payrollSetting.paymentModel'
const hourlyRate = 'generalSetting.rateHour'
const salary = 'generalSetting.annualSalary'
const joined = 'generalSetting.dateOfJoining'
const expiry = 'generalSetting.documentExpiryDate'
const postponement = 'generalSetting.pensionSetting.postponementEndDate'
const frequency = 'generalSetting.payFrequency'
const niNumber = 'generalSetting.NINumber'
const margin = 'payrollSetting.margin'

/** What every rule reads of a person to say who it is, and whether the person has left. */
export const fieldsOfEveryRule = [
  'generalSetting.agencyRef',
  'generalSetting.forename',
  'generalSetting.surname',
  'generalSetting.DOB',
  joined,
  'dateLeft',
  'status',
] as const

/** Every rule by its name, in the order in which its findings are shown within a severity. A new rule is one more entry. */
export const rules = {
  'no-bank': {
    severity: 'stops-pay',
    sentence: 'Paid into a bank, and no account is known.',
    source:
      'interface.md: payMethod and bankSetting; Bacs needs a sort code and an account number, SEPA an IBAN',
    needs: [bank.sortCode, bank.accountNumber, bank.iban],
    uses: [payMethod],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        if (/^(cheque|check|cash)/i.test(textOf(person, payMethod))) continue
        const missing = [bank.sortCode, bank.accountNumber].filter((path) => textOf(person, path) === '')
        const isUnknown = [...missing, bank.iban].every((path) => !lacks(payroll, person, path))
        if (missing.length === 0 || textOf(person, bank.iban) !== '' || isUnknown) continue
        const isNothing = missing.length === 2
        const labels = missing.map((path) => labelOf(person, path))
        const method = textOf(person, payMethod)
        yield seenOf(
          person,
          `${method === '' ? 'no pay method, and' : `paid by ${method}, and`} no ${
            isNothing ? 'sort code, account number or IBAN' : wordList(labels, 'or')
          }`,
          toSet(...(person.country.id === 'ireland' ? [bank.iban] : missing)),
        )
      }
    },
  },
  'no-tax-basis': {
    severity: 'stops-pay',
    sentence: 'Tax, NI or PRSI cannot be worked out.',
    source:
      'gov.uk: Tell HMRC about a new employee; Tax codes. Revenue: Employee has no PPS number (emergency tax); PRSI classes',
    needs: [
      'payrollSetting.taxCode',
      'payrollSetting.niCategory',
      'payrollSetting.ppsNumber',
      'payrollSetting.prsiEeClasses',
    ],
    uses: ['payrollSetting.starterDeclaration', paymentModel],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        if (isSubcontractor(person)) continue
        const lacking = taxFields[person.country.id].filter(({ path, or }) => {
          const hasOther = or !== undefined && !lacks(payroll, person, or)
          return lacks(payroll, person, path) && !hasOther
        })
        if (lacking.length === 0) continue
        yield seenOf(
          person,
          lacking.map(({ seen }) => seen).join('; '),
          toSet(...lacking.map(({ path }) => path)),
        )
      }
    },
  },
  'no-rate': {
    severity: 'stops-pay',
    sentence: 'Neither an hourly rate nor a salary, and no rate on a timesheet.',
    source: 'interface.md: rateHour and annualSalary; the rates of a timesheet',
    needs: [hourlyRate, salary],
    lists: ['timesheets'],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        const isPaid = [hourlyRate, salary].some((path) => (numberAt(person, path) ?? 0) > 0)
        const isUnknown = [hourlyRate, salary].every((path) => !payroll.shown[person.country.id].has(path))
        const sheets = timesheetsOf(payroll, person)
        const hasRate = sheets.some(({ lines }) => lines.some(({ hourly = 0 }) => hourly > 0))
        if (isPaid || isUnknown || hasRate) continue
        const sheet = sheets.length === 0 ? 'no timesheet' : 'no rate on the timesheet'
        yield seenOf(person, `no hourly rate, no salary, and ${sheet}`, toSet(hourlyRate))
      }
    },
  },
  'unknown-person': {
    severity: 'stops-pay',
    sentence: 'A timesheet is for a reference that no person has.',
    source: 'interface.md: agencyRef; assumed: the person of a timesheet is named by it',
    needs: [],
    lists: ['timesheets'],
    *find({ byReference, timesheets }) {
      for (const [key, sheets] of timesheets) {
        if (byReference.has(key)) continue
        for (const sheet of sheets) {
          const { reference } = sheet
          const name =
            reference === '' ? 'no person at all' : `${reference}, which is the reference of no person`
          yield {
            person: undefined,
            reference,
            seen: `${weekOf(sheet)} is for ${name}`,
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
    *find(payroll) {
      for (const person of payroll.people) {
        if (person.reference === undefined) continue
        const other = personOf(payroll, person.reference)
        if (other && other !== person)
          yield seenOf(person, `${other.name ?? other.id} has the reference ${other.reference} too`, {
            run: ['candidates', 'find', person.reference],
          })
      }
    },
  },
  'no-ni-number': {
    severity: 'likely-wrong',
    country: 'uk',
    sentence: 'No National Insurance number: pay is possible, but what is paid may not reach the record.',
    source: 'gov.uk: Tell HMRC about a new employee, National Insurance numbers',
    needs: [niNumber],
    uses: [paymentModel],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        if (person.country.id === 'uk' && !isSubcontractor(person) && lacks(payroll, person, niNumber))
          yield seenOf(person, 'no National Insurance number', toSet(niNumber))
      }
    },
  },
  'bank-number': {
    severity: 'likely-wrong',
    sentence: 'A bank number that cannot be right by its standard.',
    source: 'ISO 13616 (IBAN), ISO 9362 (BIC), six digits of a sort code and eight of an account number',
    needs: [bank.sortCode, bank.accountNumber, bank.iban],
    uses: [bank.bic],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        const values = Object.fromEntries(
          Object.entries(bank).flatMap(([, path]) => {
            const value = comparable(person, path)
            // How it is spaced makes no difference to a bank.
            return value === undefined ? [] : [[lastName(path), compactNumber(value)]]
          }),
        )
        const issues = bankWarnings(typeOf(person), values, payroll.today)
        if (issues.length === 0) continue
        const seen = issues.map(({ path, message }) => `${labelOf(person, path)}: ${message}`)
        yield seenOf(person, seen.join('; '), toSet(...new Set(issues.map(({ path }) => path))), { values })
      }
    },
  },
  'same-number': {
    severity: 'likely-wrong',
    sentence: 'Two people have one NI or PPS number.',
    source:
      'gov.uk: a National Insurance number is for one person only; Social Welfare Consolidation Act 2005, s. 262',
    needs: [niNumber, 'payrollSetting.ppsNumber'],
    *find(payroll) {
      for (const { person, other, by } of alikeIn(payroll)) {
        if (by !== 'number') continue
        const path = person.country.id === 'uk' ? niNumber : 'payrollSetting.ppsNumber'
        yield seenOf(
          person,
          `the same ${labelOf(person, path)} as ${nameWithReference(other)}`,
          toSet(path),
          {
            values: { [lastName(path)]: textOf(person, path) },
          },
        )
      }
    },
  },
  'same-person': {
    severity: 'likely-wrong',
    sentence: 'One name and one date of birth under two references: created twice, perhaps.',
    source: 'the same comparison as candidates import',
    needs: ['generalSetting.DOB'],
    *find(payroll) {
      for (const { person, other, by } of alikeIn(payroll)) {
        if (by !== 'name') continue
        yield seenOf(
          person,
          `the name and the date of birth of ${other.reference ?? other.id}`,
          { run: ['candidates', 'find', person.name ?? ''] },
          { values: { DOB: textOf(person, 'generalSetting.DOB') } },
        )
      }
    },
  },
  'after-leaving': {
    severity: 'likely-wrong',
    sentence: 'A timesheet for days after the person left.',
    source: 'interface.md: dateLeft',
    needs: ['dateLeft'],
    lists: ['timesheets'],
    *find(payroll) {
      for (const person of payroll.people) {
        const left = textOf(person, 'dateLeft').slice(0, 10)
        if (!isDay(left)) continue
        for (const sheet of timesheetsOf(payroll, person))
          if (isDay(sheet.first) && sheet.first > left)
            yield seenOf(person, `left on ${left}; ${weekOf(sheet)}`, toLookAt(sheet))
      }
    },
  },
  'before-start': {
    severity: 'likely-wrong',
    sentence: 'A timesheet for days before the person started.',
    source: 'interface.md: dateOfJoining',
    needs: [joined],
    lists: ['timesheets'],
    *find(payroll) {
      for (const person of payroll.people) {
        const start = textOf(person, joined).slice(0, 10)
        if (!isDay(start)) continue
        for (const sheet of timesheetsOf(payroll, person))
          if (isDay(sheet.last) && sheet.last < start)
            yield seenOf(person, `starts on ${start}; ${weekOf(sheet)}`, toLookAt(sheet))
      }
    },
  },
  'too-many-hours': {
    severity: 'likely-wrong',
    sentence: 'More than 84 hours in a week; more than 60 wants a look.',
    source:
      'Working Time Regulations 1998, reg. 4: 48 hours a week on average over 17 weeks, unless the worker agrees otherwise',
    needs: [],
    uses: ['generalSetting.workingTimeRegulation'],
    lists: ['timesheets'],
    *find(payroll) {
      for (const [, sheets] of payroll.timesheets) {
        const person = personOf(payroll, sheets[0]?.reference)
        for (const { days, hours, sheet } of hoursByWeek(sheets)) {
          const weekly = hours / Math.max(1, days / 7)
          if (weekly <= 60) continue
          const working = person ? textOf(person, 'generalSetting.workingTimeRegulation') : ''
          const per = days > 7 ? `, ${tidy(weekly)} a week` : ''
          const agreed = working === '' ? '' : `; Working Time Regulations: ${working}`
          yield {
            person,
            reference: sheet.reference,
            severity: weekly > 84 ? 'likely-wrong' : 'look',
            seen: `${tidy(hours)} hours${per}; ${weekOf(sheet)}${agreed}`,
            mend: toLookAt(sheet),
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
    uses: [
      'payrollSetting.isApprentice',
      margin,
      'payrollSetting.holidayPayRate',
      'generalSetting.hours',
      paymentModel,
    ],
    lists: ['timesheets'],
    *find(payroll, remark) {
      for (const person of activePeople(payroll, payroll.day)) {
        if (isSubcontractor(person)) continue
        const own = numberAt(person, hourlyRate)
        const worked = { day: payroll.day, hours: numberAt(person, 'generalSetting.hours') }
        if (own !== undefined && own > 0) {
          const judged = judgePay(person, own, worked, remark)
          if (judged)
            yield seenOf(person, `hourly rate: ${judged.seen}`, toSet(hourlyRate), severityOf(judged))
        }
        for (const sheet of timesheetsOf(payroll, person)) {
          const hours = sumOf(sheet.lines.map((line) => line.hours ?? 0))
          const rates = sheet.lines.flatMap(({ hourly }) => hourly ?? []).filter((rate) => rate > 0)
          if (rates.length === 0) continue
          const day = isDay(sheet.last) ? sheet.last : payroll.day
          const judged = judgePay(person, Math.min(...rates), { day, hours }, remark)
          if (judged)
            yield seenOf(person, `${weekOf(sheet)}: ${judged.seen}`, toLookAt(sheet), severityOf(judged))
        }
      }
    },
  },
  'document-expired': {
    severity: 'likely-wrong',
    sentence: 'The document that shows the right to work has expired.',
    source: 'Home Office: Employer’s guide to right to work checks, follow-up checks',
    needs: [expiry],
    *find(payroll) {
      for (const { person, day } of peopleWithDay(payroll, expiry))
        if (day < payroll.today) yield seenOf(person, `expired on ${day}`, toSet(expiry))
    },
  },
  'document-expires': {
    severity: 'look',
    sentence: 'The document that shows the right to work expires within 30 days.',
    source: 'Home Office: Employer’s guide to right to work checks, follow-up checks',
    needs: [expiry],
    *find(payroll) {
      for (const { person, day } of peopleWithDay(payroll, expiry))
        if (day >= payroll.today && day <= dayAfter(payroll.today, 30))
          yield seenOf(person, `expires on ${day}`, toSet(expiry))
    },
  },
  'no-document-date': {
    severity: 'look',
    sentence: 'A right to work that may end, and no day on which its document expires.',
    source:
      'Home Office: Employer’s guide to right to work checks; British and Irish citizens have the right without an end',
    needs: [expiry],
    uses: ['generalSetting.nationality', 'generalSetting.rightToWorkStatus', 'generalSetting.documentType'],
    *find(payroll) {
      for (const person of activePeople(payroll, payroll.day)) {
        const status = textOf(person, 'generalSetting.rightToWorkStatus')
        const nationality = textOf(person, 'generalSetting.nationality')
        const isCitizen =
          /citizen|settled/i.test(status) || /^(british|irish|english|scottish|welsh)\b/i.test(nationality)
        if (isCitizen || !lacks(payroll, person, expiry)) continue
        const type = textOf(person, 'generalSetting.documentType')
        const known = [nationality, status].filter(Boolean).join(', ')
        const what = type === '' ? 'no document' : `${type} without a day on which it expires`
        yield seenOf(person, known === '' ? what : `${what} (${known})`, toSet(expiry))
      }
    },
  },
  'shared-account': {
    severity: 'look',
    sentence: 'One bank account for people with different surnames. Couples share one: a hint, and no more.',
    source: 'a usual sign of a typing mistake, or of fraud',
    needs: [bank.sortCode, bank.accountNumber, bank.iban],
    *find(payroll) {
      const byAccount = new Map<string, Person[]>()
      for (const person of activePeople(payroll, payroll.day)) {
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
        yield seenOf(
          first,
          `one account with ${wordList([...named, ...more], 'and')}`,
          { run: ['candidates', 'get', first.reference ?? first.id ?? '', '--reveal'] },
          { values: bankValues(first) },
        )
      }
    },
  },
  'postponement-ends': {
    severity: 'look',
    sentence: 'The postponement of the pension ends within 14 days: the person is to be assessed.',
    source: 'The Pensions Regulator: detailed guidance 3a, Postponement (at most three months)',
    needs: [postponement],
    *find(payroll) {
      for (const { person, day } of peopleWithDay(payroll, postponement))
        if (day >= payroll.today && day <= dayAfter(payroll.today, 14))
          yield seenOf(person, `postponed until ${day}`, toSee(person))
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
    *find(payroll) {
      const { week } = payroll
      if (!week) return
      for (const person of activePeople(payroll, week.first)) {
        const start = textOf(person, joined).slice(0, 10)
        const isSalaried = (numberAt(person, salary) ?? 0) > 0 && !((numberAt(person, hourlyRate) ?? 0) > 0)
        if ((isDay(start) && start > week.last) || isSalaried || timesheetsOf(payroll, person).length > 0)
          continue
        yield seenOf(person, `no timesheet from ${week.first} to ${week.last}`, {
          run: ['timesheets', 'create'],
        })
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
    *find(payroll, remark) {
      if (payroll.paid === undefined) {
        remark('never-paid was not checked: the payslips say neither a name nor a reference')
        return
      }
      for (const person of activePeople(payroll, payroll.day)) {
        const start = textOf(person, joined).slice(0, 10)
        const period = periodDays(textOf(person, frequency))
        if (!isDay(start) || !period || dayAfter(start, 2 * period) >= payroll.day) continue
        const keys = [person.reference && keyOf(person.reference), nameKey(person.name ?? '')]
        if (keys.some((key) => key && payroll.paid?.has(key))) continue
        yield seenOf(person, `started on ${start}, and has no payslip`, toSee(person))
      }
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

const weekOf = ({ first, last, id }: Timesheet) =>
  isDay(first) && isDay(last) ? `timesheet from ${first} to ${last}` : `timesheet ${id ?? 'without days'}`

function personOf({ byReference }: Payroll, reference = ''): Person | undefined {
  return byReference.get(keyOf(reference))
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

/** A number without the tail of its fraction: 37.5. */
const tidy = (number: number) => String(Number(number.toFixed(2)))

/** The hours of a person by the days that they were worked in, over all timesheets for these days. */
function hoursByWeek(sheets: readonly Timesheet[]) {
  const weeks = new Map<string, { days: number; hours: number; sheet: Timesheet }>()
  for (const sheet of sheets) {
    const hours = sumOf(sheet.lines.map((line) => line.hours ?? 0))
    const days = daysWorked(sheet.first, sheet.last)
    const key = `${sheet.first} ${sheet.last}`
    const week = weeks.get(key)
    if (week) week.hours += hours
    else weeks.set(key, { days, hours, sheet })
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

function bankValues(person: Person): JsonObject {
  const paths = [bank.sortCode, bank.accountNumber, bank.iban].filter((path) => textOf(person, path) !== '')
  return Object.fromEntries(paths.map((path) => [lastName(path), textOf(person, path)]))
}

/** The people who have not left, and a day of theirs. */
function* peopleWithDay(payroll: Payroll, path: string) {
  for (const person of activePeople(payroll, payroll.day)) {
    const day = dayOf(textOf(person, path)).slice(0, 10)
    if (isDay(day)) yield { person, day }
  }
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

const severityOf = ({ severity }: Pick<Seen, 'severity'>) => (severity === undefined ? {} : { severity })

/** Holds what an hour is paid against the minimum wage of the country, in its own currency. */
function judgePay(
  person: Person,
  hourly: number,
  { day, hours }: { readonly day: string; readonly hours: number | undefined },
  remark: (text: string) => void,
): Pick<Seen, 'severity' | 'seen'> | undefined {
  const { country } = person
  const wage = minimumWageOn(country.id, day)
  if (!wage) {
    remark(
      `no minimum wage is known for ${day} in ${country.place === 'UK' ? 'the UK' : country.place}: pay was not held against it`,
    )
    return undefined
  }
  const age = ageOn(textOf(person, 'generalSetting.DOB'), day)
  const money = (amount: number) => `${country.currency}${amount.toFixed(2)}`
  const minimum = rateAtAge(wage, age)
  const isApprentice = person.values.get('payrollSetting.isApprentice') === true
  if (hourly < minimum) return belowMinimum(wage, { hourly, minimum, age, isApprentice, money })
  const costs = entryOn(employerCosts, day)
  const own = numberAt(person, margin) ?? 0
  // A margin is that of an umbrella company: the rate is what the agency pays for the assignment.
  if (country.id !== 'uk' || own <= 0 || !costs) return undefined
  const share = numberAt(person, 'payrollSetting.holidayPayRate')
  const floor = assignmentFloor(costs, {
    minimum,
    hours: hours !== undefined && hours > 0 ? hours : costs.hours,
    margin: own,
    holidayShare: share !== undefined && share > 0 ? share / 100 : undefined,
  })
  if (hourly >= floor.rate) return undefined
  return {
    severity: 'look',
    seen: `${money(hourly)} is less than an assignment has to bring for ${money(minimum)}: ${floor.arithmetic}`,
  }
}

function belowMinimum(
  wage: MinimumWage,
  {
    hourly,
    minimum,
    age,
    isApprentice,
    money,
  }: {
    readonly hourly: number
    readonly minimum: number
    readonly age: number | undefined
    readonly isApprentice: boolean
    readonly money: (amount: number) => string
  },
): Pick<Seen, 'severity' | 'seen'> | undefined {
  const below = `${money(hourly)} is below the minimum of ${money(minimum)}`
  if (isApprentice && wage.apprentice !== undefined && hourly >= wage.apprentice) {
    if (age !== undefined && age < 19) return undefined
    return {
      severity: 'look',
      seen: `${below}: right for an apprentice in the first year alone, or under 19`,
    }
  }
  if (age === undefined)
    return { severity: 'look', seen: `${below} of an adult: the date of birth is not known` }
  return { severity: 'likely-wrong', seen: `${below} at ${age}` }
}

/** The seven days that end on a day. */
export function weekEnding(day: string): Days {
  return { first: dayAfter(day, -6), last: day }
}
