import type { Issue } from '../../errors.ts'
import { lastName } from '../../files/json/path.ts'
import type { CountryId } from '../../model/countries/countries.ts'
import { keyOf, nameKey } from '../../model/natural-key.ts'
import { lackingForPay, neededForPay } from '../../model/records/pay-needs.ts'
import type { PayNeed } from '../../model/records/record-type.ts'
import { candidateByCountry, countryCandidates } from '../../model/resources/country-candidates.ts'
import { bankFields as bank, bankAccountOf } from '../../model/standards/bank.ts'
import { needsPermission } from '../../model/standards/country.ts'
import {
  isSubcontractor,
  judgeLines,
  judgeRecord,
  type LowPay,
  payFields,
} from '../../model/standards/minimum-wage.ts'
import { ageOn, isFarAbove, mostTimesUsual, periodDays } from '../../model/standards/plausible.ts'
import { isOldPpsNumber } from '../../model/standards/reference-numbers.ts'
import { taxYearBegins } from '../../model/standards/tax-period.ts'
import { isOfApprentices } from '../../model/standards/uk-checks.ts'
import { ownNumber } from '../../model/values/person-likeness.ts'
import { nameWithReference } from '../../model/whose.ts'
import {
  dayOf,
  isPaidByHour,
  lacks,
  leftOn,
  listNames,
  numberOf,
  type Person,
  paidPerson,
  startsAfter,
  textOf,
  unseenOf,
  whoWasThere,
} from '../../reading/people.ts'
import {
  hasDays,
  hasUnits,
  hoursOf,
  isAllLeave,
  nameOfSheet,
  noTimesheet,
  whyMissing,
} from '../../reading/work.ts'
import { dayAfter, fromTo, monthsAfter, overlap, spelledOut } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { compactNumber, nameSome, wordList } from '../../text/words.ts'
import { alikeIn } from './alike.ts'
import { enrolment, enrolmentSeen, isFirstState, mayBeEligible, payOfWeek } from './pension.ts'
import {
  type CheckRule,
  fieldLabel,
  fieldLabels,
  hasEverybody,
  type Mend,
  moneyOf,
  type Payroll,
  payPeriodOf,
  type RuleFinding,
  seenOf,
  sheetsOf,
  textsOf,
  toFind,
  toSee,
  toSet,
  typeOf,
} from './rule.ts'
import {
  hoursFields,
  isSameWork,
  lessThanNone,
  liveSheets,
  sheetFinding,
  taxPeriodFindings,
  toLookAt,
  tooManyHours,
  unclearIn,
  weekOf,
} from './sheets.ts'
import { judgeSlips, lastPaid, slipsOf, untoldIn } from './slips.ts'
import {
  fewestForUsual,
  hasRatesOfSheets,
  hasSheetRate,
  isStandIn,
  mostAreEnrolled,
  mostHave,
  mostHaveMargin,
  mostHavePay,
  mostShow,
  ratesOf,
  timesheetRate,
  usualPay,
} from './usual.ts'

/** The fields that pay needs in a country, as its candidate declares them: `payNeeds`. */
const fieldsFor = (name: PayNeed['name']) => (country: CountryId) =>
  neededForPay(candidateByCountry[country].sent, name)

const {
  birthday,
  hourlyRate,
  salary,
  weeklyHours,
  frequency,
  margin,
  marginMethod,
  start: joined,
} = payFields
const payMethod = 'generalSetting.payMethod'
const expiry = 'generalSetting.documentExpiryDate'
const postponement = 'generalSetting.pensionSetting.postponementEndDate'
const nationality = 'generalSetting.nationality'
const rightToWork = 'generalSetting.rightToWorkStatus'
const basis = 'payrollSetting.taxBasis'
const noticeFields = [basis, 'payrollSetting.yearlyRateCutOff', 'payrollSetting.taxCreditAnnual'] as const
const niNumber = 'generalSetting.NINumber'
const ppsNumber = 'payrollSetting.ppsNumber'
const uscStatus = 'payrollSetting.uscExemption'
const uscBands = ['annual_zeroPointFive', 'frequency_zeroPointFive'].map((name) => `payrollSetting.${name}`)

const accountNumbers = [bank.sortCode, bank.accountNumber, bank.iban] as const

const ownNumbers = countryCandidates.flatMap(({ sent }) => ownNumber(sent)?.path ?? [])

const weeklyPayFields = [hourlyRate, salary, weeklyHours] as const

const rightToWorkReads = {
  needs: [expiry],
  alsoReads: [nationality, rightToWork],
  facts: ['free-to-work'],
  judgesStayers: true,
} as const

const payslipReads = { needs: [], alsoReads: [frequency], lists: ['payslips'] } as const

/** How many days a code may be on week 1/month 1: HMRC's notice takes some weeks. */
const weekOneDays = 90

/** Finds what pay needs and a person is known not to have, as the form says it; what `isNone` names counts as none. */
function findLacking(name: PayNeed['name'], isNone: typeof isStandIn = () => false) {
  return (person: Person, payroll: Payroll): RuleFinding | undefined => {
    const lacking = lackingOf(person, name, (path) => isNone(payroll, person, path))
    if (lacking.length === 0) return undefined
    return { seen: `no ${fieldLabels(person, lacking, 'or')}`, mend: toSet(...lacking) }
  }
}

/** Every rule by its name, in the order in which its findings are shown within a severity. A new rule is one more entry. */
const rules = {
  'no-bank': {
    severity: 'stops-pay',
    sentence: 'Paid into a bank, and no account is known.',
    source:
      'interface.md: payMethod and bankSetting; Bacs needs a sort code and an account number, SEPA an IBAN',
    needs: fieldsFor('bank'),
    maskIsEnough: true,
    alsoReads: [payMethod, ...Object.values(bank)],
    each: findLacking('bank', isStandIn),
  },
  'no-rate': {
    severity: 'stops-pay',
    sentence: 'Neither an hourly rate nor a salary, and no rate on a timesheet.',
    source: 'interface.md: rateHour and annualSalary; the rates of a timesheet',
    needs: [hourlyRate],
    alsoReads: [salary],
    lists: ['timesheets'],
    each(person, payroll) {
      const sheets = sheetsOf(payroll, person)
      if (lackingOf(person, 'rate').length === 0 || hasSheetRate(payroll, person)) return undefined
      // Where rates come with the timesheets, nothing is to be paid without one.
      const isOfSheets = !mostHavePay(payroll, person) && hasRatesOfSheets(payroll)
      if (sheets.length === 0 && isOfSheets) return undefined
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
      for (const sheet of liveSheets(payroll).flat()) {
        const { people, doubt } = payroll.work.whose(sheet)
        if (people.length > 0 && doubt !== 'id') continue
        const { reference, name: nameOnSheet } = sheet
        const isId = people.length > 0 ? `, and the id of ${listNames(people)}` : ''
        const says =
          reference === '' ? `${nameOnSheet}, which is the name` : `${reference}, which is the reference`
        const name = reference + nameOnSheet === '' ? 'no person at all' : `${says} of no person${isId}`
        yield sheetFinding(payroll, sheet, `${nameOfSheet(sheet)} is for ${name}`)
      }
    },
  },
  'tax-details': {
    severity: 'likely-wrong',
    sentence: 'A tax code, NI category, PPS number or PRSI class is missing: tax is too high, or wrong.',
    source:
      'gov.uk: Tell HMRC about a new employee; Tax codes. Revenue: Employee has no PPS number (emergency tax); PRSI classes',
    needs: fieldsFor('tax'),
    maskIsEnough: true,
    alsoReads: ['payrollSetting.starterDeclaration'],
    judgesOnly: 'employees',
    each: findLacking('tax'),
  },
  'person-details': {
    severity: 'likely-wrong',
    sentence:
      'A name, date of birth, start date or pay frequency is missing: the report of the pay needs them.',
    source: 'gov.uk: What to include in a Full Payment Submission; Revenue: Payroll submission request',
    needs: [birthday],
    maskIsEnough: true,
    alsoReads: [joined, frequency],
    each: findLacking('person'),
  },
  'emergency-tax': {
    severity: 'likely-wrong',
    country: 'ireland',
    sentence:
      'No figures of a Revenue Payroll Notification (RPN), or still on the emergency basis after a pay period.',
    source: 'Revenue: Emergency basis of tax; Revenue Payroll Notification',
    fieldsAreRare: true,
    needs: [basis],
    alsoReads: [...noticeFields, uscStatus, ...uscBands, ppsNumber, frequency],
    judgesOnly: 'employees',
    each(person, payroll) {
      const start = dayOf(person, joined)
      const isNew = start === undefined || dayAfter(start, payPeriodOf(person)) >= payroll.day
      if (textOf(person, ppsNumber) === '') return undefined
      const begins = start === undefined ? '' : `${sinceOf(person, payroll)}, and `
      if (/^EMERGENCY/i.test(textOf(person, basis)))
        return isNew ? undefined : { seen: `${begins}is taxed on the emergency basis`, mend: toSet(basis) }
      const [, cutOff, credits] = noticeFields
      const lacking = lackingOf(person, 'notice')
      const hasNone = [cutOff, credits].every((path) => lacking.includes(path))
      // A field that most people lack is one that the service does not keep.
      const missing = hasNone ? lacking : lacking.filter((path) => mostHave(path)(payroll, person))
      if (missing.length === 0) return undefined
      return {
        severity: isNew ? 'look' : undefined,
        seen: `${begins}has no ${fieldLabels(person, missing, 'or')}`,
        mend: toSet(...missing),
      }
    },
  },
  'same-reference': {
    severity: 'likely-wrong',
    sentence: 'Two people have one reference: a timesheet cannot tell them apart.',
    source: 'interface.md: agencyRef, chosen by the sender',
    needs: [],
    judgesEverybody: true,
    each(person, payroll) {
      const other = personBy(payroll, person.reference)
      if (person.reference === undefined || !other || other === person) return undefined
      // A person may be paid in both countries, or have come back to a new record.
      const sharing = payroll.byReference.get(keyOf(person.reference)) ?? []
      const here = whoWasThere(sharing, { first: payroll.day, last: payroll.day })
      const severity = other.country === person.country && here.length > 1 ? undefined : 'look'
      return {
        severity,
        seen: `${other.name ?? other.id} has the reference ${other.reference} too`,
        mend: toFind(person.reference),
      }
    },
  },
  'no-ni-number': {
    severity: 'look',
    country: 'uk',
    sentence: 'No National Insurance number: contributions may not reach the National Insurance record.',
    source: 'gov.uk: Tell HMRC about a new employee, National Insurance numbers',
    needs: [niNumber],
    maskIsEnough: true,
    judgesOnly: 'employees',
    each: findLacking('number'),
  },
  'bank-number': {
    severity: 'likely-wrong',
    sentence: 'A bank number that cannot be right by its standard.',
    source: 'ISO 13616 (IBAN), ISO 9362 (BIC), six digits of a sort code and eight of an account number',
    needs: fieldsFor('bank'),
    facts: ['sort-code-weights', 'sort-code-substitutes', 'sepa'],
    doubts: ['bankSetting'],
    each(person, payroll, _remark, found) {
      // A service that shows the numbers of most people covers none: the digits are all that somebody typed.
      const short = [bank.sortCode, bank.accountNumber].filter(
        (path) =>
          person.unseen.get(path) === 'masked' &&
          /^[\d\s-]*[1-9][\d\s-]*$/.test(textOf(person, path)) &&
          mostShow(path)(payroll, person),
      )
      if (short.length > 0) {
        const seen = `too few digits in ${fieldLabels(person, short, 'and')}`
        return { seen, about: textsOf(person, short), mend: toSet(...short) }
      }
      const values = bankValues(person, [...accountNumbers, bank.bic])
      // Of somebody without any number, no-bank says enough.
      return found && Object.keys(values).length > 0 ? { ...found, values } : undefined
    },
  },
  'ni-letter': {
    severity: 'likely-wrong',
    country: 'uk',
    sentence: 'An NI category letter that does not suit the age or the person.',
    source:
      'gov.uk: National Insurance rates and categories; NI relief for veterans and in Freeports; Pensions Act 2014, s. 26; HMRC, NIM01540',
    needs: ['payrollSetting.niCategory', birthday],
    facts: ['state-pension-age', 'contribution-ages', 'employer-costs'],
    doubts: ['payrollSetting.niCategory'],
    each(person, { facts, payDate }, _remark, found) {
      const letter = textOf(person, 'payrollSetting.niCategory').toUpperCase()
      const ages = facts.on('contribution-ages', 'uk', payDate)?.value
      const age = ageOn(textOf(person, birthday), payDate)
      const isPaidInFull =
        letter === 'A' && paidPerson(person).isApprentice && ages && age && isOfApprentices(age, ages)
      // No NI may be due of others than children; and A is paid in full where H is due.
      const mayBeRight = letter === 'X' || isPaidInFull
      return found && { ...found, severity: mayBeRight ? 'look' : undefined }
    },
  },
  'prsi-class': {
    severity: 'likely-wrong',
    country: 'ireland',
    sentence: 'A PRSI class that does not suit the age, or an exemption.',
    source: 'gov.ie: PRSI classes; Changes to PRSI since 1 January 2024',
    needs: ['payrollSetting.prsiEeClasses', birthday],
    facts: ['contribution-ages', 'prsi-bands'],
    doubts: ['payrollSetting.prsiEeClasses', 'payrollSetting.prsiExemption'],
    each(person, payroll, _remark, found) {
      const { pension = 0, lastFrom = '' } =
        payroll.facts.on('contribution-ages', 'ireland', payroll.payDate)?.value ?? {}
      const age = ageOn(textOf(person, birthday), payroll.payDate) ?? 0
      const isJ = /^J/i.test(textOf(person, 'payrollSetting.prsiEeClasses'))
      // Only the notification of Revenue says whether a State Pension (Contributory) was awarded.
      const mayBeRight = isJ && age >= pension && textOf(person, birthday) >= lastFrom
      return found && { ...found, severity: mayBeRight ? 'look' : undefined }
    },
  },
  'student-loan': {
    severity: 'likely-wrong',
    country: 'uk',
    sentence: 'A student loan without a plan, or plans that contradict each other.',
    source: 'HMRC: Starter checklist; Student and postgraduate loans: guidance for employers',
    fieldsAreRare: true,
    needs: ['payrollSetting.haveStudentLoan'],
    doubts: ['payrollSetting.haveStudentLoan', 'payrollSetting.studentLoan'],
  },
  'p45-figures': {
    severity: 'likely-wrong',
    country: 'uk',
    sentence: 'Figures of a P45 that cannot be.',
    source: 'HMRC: P45, boxes 7 and 8',
    fieldsAreRare: true,
    needs: ['payrollSetting.p45TaxToDate'],
    doubts: ['payrollSetting.p45'],
  },
  'holiday-rate': {
    severity: 'likely-wrong',
    sentence: 'Rolled-up holiday pay without a rate, or at less than the law gives.',
    source:
      'Working Time Regulations 1998, reg. 15B and 16A; Organisation of Working Time Act 1997, s. 19; assumed: the rate is in percent',
    fieldsAreRare: true,
    needs: ['payrollSetting.holidayPayRate'],
    facts: ['holiday-pay'],
    doubts: ['payrollSetting.holidayPayRate'],
    judgesOnly: 'employees',
  },
  margin: {
    severity: 'likely-wrong',
    country: 'uk',
    sentence:
      'A margin that is negative, above its cap, or has a slip in it; none, where most have one, is to be reviewed.',
    source: 'interface.md: margin and marginCapped; the agreement with the worker (Key Information Document)',
    fieldsAreRare: true,
    needs: [margin],
    alsoReads: [marginMethod],
    doubts: ['payrollSetting.margin'],
    each(person, payroll, _remark, found) {
      if (found) return found
      const hasNone =
        (lacks(person, margin) || numberOf(person, margin) === 0) && !isSubcontractor(paidPerson(person))
      if (!hasNone || !(mostHaveMargin(payroll, person) || textOf(person, marginMethod) !== ''))
        return undefined
      return { severity: 'look', seen: 'no margin', mend: toSet(margin) }
    },
  },
  'cis-details': {
    severity: 'likely-wrong',
    sentence: 'A subcontractor without what HMRC or Revenue knows one by: too much is deducted.',
    source: 'gov.uk: What you must do as a CIS contractor (verify); Revenue: Relevant Contracts Tax',
    fieldsAreRare: true,
    needs: ['payrollSetting.UTRNo', ppsNumber],
    facts: ['cis-verification'],
    doubts: [
      'payrollSetting.UTRNo',
      'payrollSetting.personalVerificationNumber',
      'payrollSetting.verificationDate',
      'payrollSetting.cisStatus',
      'payrollSetting.subcontractorRefNumber',
    ],
    judgesOnly: 'subcontractors',
  },
  pension: {
    severity: 'likely-wrong',
    country: 'uk',
    sentence:
      'A postponement that is over without a membership, or longer than it may be; or in and out at once.',
    source: 'The Pensions Regulator: detailed guidance 3a, Postponement',
    fieldsAreRare: true,
    needs: [postponement],
    facts: ['postponement', 'auto-enrolment', 'state-pension-age'],
    alsoReads: [...Object.values(enrolment), ...weeklyPayFields],
    doubts: ['generalSetting.pensionSetting'],
    each(person, payroll, remark, found) {
      const ended = dayOf(person, postponement)
      if (ended === undefined || ended >= payroll.today || !mayBeEligible(person, payroll)) return found
      const isSettled = enrolmentSeen(person, ended)
      if (isSettled === 'hidden')
        remark(
          'pension was not checked where a postponement is over: the service shows no membership, and no opting out',
        )
      if (isSettled) return found
      return {
        severity: payOfWeek(person) === undefined ? 'look' : undefined,
        seen: `postponed until ${spelledOut(ended)}, and no membership since`,
        mend: toSee,
      }
    },
  },
  'not-enrolled': {
    severity: 'look',
    country: 'uk',
    sentence:
      'Of an age and a pay at which one is enrolled into a pension, here for more than three months, and no assessment, membership or opting out.',
    source: 'The Pensions Regulator: Earnings thresholds; Employees you need to put into a pension scheme',
    fieldsAreRare: true,
    needs: [enrolment.optState],
    facts: ['auto-enrolment', 'postponement', 'state-pension-age'],
    alsoReads: [...Object.values(enrolment), ...weeklyPayFields, postponement],
    judgesStayers: true,
    judgesOnly: 'employees',
    each(person, payroll) {
      // Where most people have no state, the service does not keep it.
      if (!mostAreEnrolled(payroll, person)) return undefined
      const isAwaiting = lacks(person, enrolment.optState) || isFirstState(person)
      if (!isAwaiting || enrolmentSeen(person) !== false) return undefined
      const { day, facts } = payroll
      const months = facts.on('postponement', 'uk', day)?.value.months
      const [start, pay] = [dayOf(person, joined), payOfWeek(person)]
      const isNew = start === undefined || months === undefined || monthsAfter(start, months) >= day
      if (isNew || pay === undefined || !lacks(person, postponement) || !mayBeEligible(person, payroll))
        return undefined
      const same = `here since ${spelledOut(start)}, and neither enrolled nor opted out`
      return { seen: `about ${moneyOf(person, pay)} a week, ${same}`, same, mend: toSee }
    },
  },
  'starter-details': {
    severity: 'look',
    country: 'uk',
    sentence: 'A starter of this tax year without a starter declaration and without figures of a P45.',
    source: 'gov.uk: Tell HMRC about a new employee; the first Full Payment Submission',
    fieldsAreRare: true,
    needs: ['payrollSetting.starterDeclaration'],
    alsoReads: ['payrollSetting.p45GrossToDate', 'payrollSetting.p45TaxToDate'],
    judgesOnly: 'employees',
    each(person, payroll) {
      const { day } = payroll
      const start = dayOf(person, joined) ?? ''
      const isKnown = ['p45GrossToDate', 'p45TaxToDate'].some(
        (name) => !lacks(person, `payrollSetting.${name}`),
      )
      const isStarter =
        start >= taxYearBegins(person.country, day) && lacks(person, 'payrollSetting.starterDeclaration')
      if (!isStarter || isKnown) return undefined
      return {
        seen: `${sinceOf(person, payroll)}, and has neither a starter declaration nor figures of a P45`,
        mend: toSet('payrollSetting.starterDeclaration'),
      }
    },
  },
  'week-one': {
    severity: 'look',
    country: 'uk',
    sentence:
      'Still on week 1/month 1 in a new tax year, or months after the start: no coding notice came, or it was not entered.',
    source:
      'gov.uk: Tax codes; HMRC, P9X and P6: week 1/month 1 is not carried forward, and a notice follows',
    fieldsAreRare: true,
    needs: [basis],
    judgesOnly: 'employees',
    each(person, { payDate }) {
      const start = dayOf(person, joined)
      const isOn = /^W(EEK)?_?1/i.test(textOf(person, basis))
      if (start === undefined || !isOn) return undefined
      const isOfLastYear = start < taxYearBegins(person.country, payDate)
      if (!isOfLastYear && dayAfter(start, weekOneDays) >= payDate) return undefined
      const ends = isOfLastYear ? ', which ended on 5 April unless a new notice says so' : ''
      return { seen: `started on ${spelledOut(start)}, and is on week 1/month 1${ends}`, mend: toSet(basis) }
    },
  },
  'doubtful-value': {
    severity: 'likely-wrong',
    sentence: 'A number or a code that does not fit its standard, as the form doubts it.',
    source: 'the standard of each field: payroll explain candidates',
    needs: [...ownNumbers, 'payrollSetting.taxCode'],
    facts: ['usual-tax-code', 'standard-cut-off'],
    doubts: 'rest',
    each(person, payroll, _remark, found) {
      const rest = payroll.doubtsOf(person).filter(({ path }) => reportsDoubt({ doubts: 'rest' }, path))
      // An old number of somebody who has no other is right, and so is a cut-off point that is shared with another job.
      const mayBeRight = ({ path }: Issue) =>
        path === 'payrollSetting.yearlyRateCutOff' ||
        (path === ppsNumber && isOldPpsNumber(textOf(person, ppsNumber)))
      return found && { ...found, severity: rest.every(mayBeRight) ? 'look' : undefined }
    },
  },
  'same-number': {
    severity: 'likely-wrong',
    sentence: 'Two people have one NI or PPS number.',
    source:
      'gov.uk: a National Insurance number is for one person only; Social Welfare Consolidation Act 2005, s. 262',
    needs: ownNumbers,
    *all(payroll) {
      for (const { person, other, likeness } of alikeIn(payroll)) {
        const path = ownNumber(typeOf(person))?.path
        if (likeness.by !== 'number' || path === undefined) continue
        const isOne =
          nameKey(person.forename) === nameKey(other.forename) &&
          textOf(person, birthday) !== '' &&
          textOf(person, birthday) === textOf(other, birthday)
        const same = `the same ${fieldLabel(person, path)} as ${nameWithReference(other)}`
        yield seenOf(person, {
          severity: isOne ? 'look' : undefined,
          seen: isOne ? `${same}, forename and date of birth too: is this one person?` : same,
          mend: isOne ? toFind(person.name ?? '') : toSet(path),
          values: { [lastName(path)]: textOf(person, path) },
        })
      }
    },
  },
  'same-person': {
    severity: 'likely-wrong',
    sentence:
      'One name, and with it one date of birth, account, email or telephone number, under two references: created twice, perhaps.',
    source: 'the same comparison as candidates import',
    needs: [birthday],
    *all(payroll) {
      for (const { person, other, likeness } of alikeIn(payroll)) {
        if (likeness.by !== 'name') continue
        const differs = (part: 'birthday' | 'number') =>
          person[part] !== undefined && other[part] !== undefined && person[part] !== other[part]
        yield seenOf(person, {
          // A father and a son may have one name, and one account.
          severity: differs('birthday') && differs('number') ? 'look' : undefined,
          seen: `${wordList(likeness.shared ?? [], 'and')} of ${other.reference ?? other.id}`,
          mend: toFind(person.name ?? ''),
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
    judgesEverybody: true,
    each(person, payroll) {
      const lastDay = leftOn(person)
      return sheetsOf(payroll, person).flatMap((sheet): RuleFinding[] => {
        if (lastDay === undefined || sheet.first <= lastDay) return []
        const seen = `left on ${spelledOut(lastDay)}; ${nameOfSheet(sheet)}`
        // Holiday that is left over is paid after the last day.
        return [{ severity: isAllLeave(sheet.lines) ? 'look' : undefined, seen, mend: toLookAt(sheet) }]
      })
    },
  },
  'before-start': {
    severity: 'likely-wrong',
    sentence: 'A timesheet for days before the person started.',
    source: 'interface.md: dateOfJoining',
    needs: [joined],
    lists: ['timesheets'],
    judgesEverybody: true,
    each(person, payroll) {
      const start = dayOf(person, joined)
      return sheetsOf(payroll, person).flatMap((sheet): RuleFinding[] => {
        if (start === undefined || sheet.last === '' || sheet.last >= start) return []
        const seen = `starts on ${spelledOut(start)}; ${nameOfSheet(sheet)}`
        return [{ seen, mend: toLookAt(sheet) }]
      })
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
          const other = dated.slice(0, at).find((each) => overlap(each, sheet) && isSameWork(each, sheet))
          if (other)
            yield sheetFinding(payroll, sheet, `${nameOfSheet(sheet)}, and another ${nameOfSheet(other)}`)
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
        if (negative) yield sheetFinding(payroll, sheet, `${lessThanNone(negative)}; ${nameOfSheet(sheet)}`)
        else if (!hasUnits(sheet)) yield sheetFinding(payroll, sheet, `no hours; ${nameOfSheet(sheet)}`)
      }
    },
  },
  'tax-period': {
    severity: 'look',
    sentence: 'A timesheet in a tax year or period that is far from the days on which its work can be paid.',
    source:
      'HMRC and Revenue: pay counts in the tax period of the day on which it is paid; assumed: within four weeks',
    needs: [],
    lists: ['timesheets'],
    all: taxPeriodFindings,
  },
  'too-many-hours': {
    severity: 'likely-wrong',
    sentence:
      'More hours in a week than anybody works, or than the law allows at the age; more than it allows on average, or than a permission to work, is to be reviewed.',
    source:
      'Working Time Regulations 1998, reg. 4, 5 (unless the worker agrees otherwise) and 5A; Organisation of Working Time Act 1997, s. 15; Protection of Young Persons (Employment) Act 1996, s. 6; the permission to work of a student',
    needs: [],
    facts: ['working-time'],
    alsoReads: hoursFields,
    lists: ['timesheets'],
    *all(payroll, remark) {
      for (const text of unclearIn(payroll)) remark(`too-many-hours ${text}`)
      for (const sheets of liveSheets(payroll))
        for (const own of groupBy(sheets, weekOf).values()) yield* tooManyHours(own, payroll)
    },
  },
  'below-minimum': {
    severity: 'likely-wrong',
    sentence: 'Hourly pay below the minimum wage; where that is only likely, it is to be reviewed.',
    source:
      'National Minimum Wage Regulations 2015, reg. 4B: the age and the rate of the first day of the pay period; National Minimum Wage Act 2000',
    needs: [hourlyRate],
    facts: ['minimum-wage', 'employer-costs', 'holiday-pay', 'auto-enrolment', 'state-pension-age'],
    alsoReads: Object.values(payFields).filter((path) => path !== hourlyRate),
    lists: ['timesheets'],
    judgesOnly: 'employees',
    each(person, payroll, remark) {
      const { facts } = payroll
      for (const text of unclearIn(payroll)) remark(`below-minimum ${text}`)
      const paid = paidPerson(person)
      const begins = payroll.week?.first ?? payroll.day
      const day = startsAfter(person, begins) ? (dayOf(person, joined) ?? begins) : begins
      const days = { first: day, last: payroll.week?.last ?? day }
      const ofRecord = judgeRecord(paid, days, facts)
      const sheets = sheetsOf(payroll, person)
      // What an employer pays goes by the week, however many timesheets it has.
      const byWeek = groupBy(sheets, weekOf)
      const ofSheets = sheets.flatMap((sheet) => {
        const { first, last } = hasDays(sheet) ? sheet : days
        const hours = hoursOf((byWeek.get(weekOf(sheet)) ?? [sheet]).flatMap(({ lines }) => lines))
        const low = judgeLines(paid, sheet.lines, { first, last, hours }, facts)
        return low ? [tooLow(low, `${nameOfSheet(sheet)}: ${low.message}`, toLookAt(sheet))] : []
      })
      if (!ofRecord) return ofSheets
      const label = ofRecord.path === hourlyRate ? 'hourly rate: ' : ''
      return [tooLow(ofRecord, `${label}${ofRecord.message}`, toSet(ofRecord.path)), ...ofSheets]
    },
  },
  'unusual-pay': {
    severity: 'likely-wrong',
    sentence: `Pay that cannot be meant; what is only ${mostTimesUsual} times the usual pay or more is to be reviewed.`,
    source: `assumed: the bounds. Usual is the middle of at least ${fewestForUsual} in the country, and on a timesheet not less than the rate of its person`,
    needs: [hourlyRate],
    alsoReads: [salary],
    lists: ['timesheets'],
    doubts: [hourlyRate, salary],
    each(person, payroll, _remark, doubted) {
      const money = (amount: number) => moneyOf(person, amount)
      const usualOf = usualPay(payroll)(person.country.id)
      const ofRecord = [hourlyRate, salary].flatMap((path): RuleFinding[] => {
        const [pay = 0, usual] = [numberOf(person, path), usualOf(path)]
        if (!isFarAbove(pay, usual)) return []
        const same = `${fieldLabel(person, path)} of ${money(pay)}`
        return [
          { severity: 'look', seen: `${same}, where ${money(usual)} is usual`, same, mend: toSet(path) },
        ]
      })
      const isOwnUsual = !doubted && ofRecord.length === 0
      const usual = Math.max(isOwnUsual ? (numberOf(person, hourlyRate) ?? 0) : 0, usualOf(timesheetRate))
      const ofSheets = sheetsOf(payroll, person).flatMap((sheet): RuleFinding[] => {
        const most = Math.max(...ratesOf(sheet))
        if (!isFarAbove(most, usual)) return []
        // Somebody who is paid so every week is accepted once.
        const same = `${money(most)} an hour`
        const seen = `${nameOfSheet(sheet)}: ${same}, where ${money(usual)} is usual`
        return [{ severity: 'look', seen, same, mend: toLookAt(sheet) }]
      })
      return [...(doubted ? [doubted] : ofRecord), ...ofSheets]
    },
  },
  'document-expired': {
    severity: 'likely-wrong',
    sentence: 'The document that shows the right to work has expired.',
    source:
      'Home Office: Employer’s guide to right to work checks, follow-up checks; Employment Permits Acts. British and Irish citizens have the right without an end, in Ireland those of the EEA too',
    ...rightToWorkReads,
    each(person, payroll) {
      const day = dayOf(person, expiry)
      if (day === undefined || day >= payroll.today || !mayEnd(person, payroll)) return undefined
      return { seen: `expired on ${spelledOut(day)}`, mend: toSet(expiry) }
    },
  },
  'document-expires': {
    severity: 'look',
    sentence: 'The document that shows the right to work expires within 30 days.',
    source:
      'Home Office: Employer’s guide to right to work checks, follow-up checks; Employment Permits Acts',
    ...rightToWorkReads,
    each(person, payroll) {
      const day = soon(person, expiry, 30, payroll)
      if (day === undefined || !mayEnd(person, payroll)) return undefined
      return { seen: `expires on ${spelledOut(day)}`, mend: toSet(expiry) }
    },
  },
  'no-document-date': {
    severity: 'look',
    sentence: 'A right to work that may end, and no day on which its document expires.',
    source:
      'Home Office: Employer’s guide to right to work checks; Citizens Information: Coming to work in Ireland',
    ...rightToWorkReads,
    maskIsEnough: true,
    alsoReads: [...rightToWorkReads.alsoReads, 'generalSetting.documentType'],
    each(person, payroll) {
      if (!lacks(person, expiry) || !mayEnd(person, payroll)) return undefined
      const type = textOf(person, 'generalSetting.documentType')
      const words = [textOf(person, nationality), textOf(person, rightToWork)].filter(Boolean).join(', ')
      const what =
        type === '' ? 'no type of document in the record' : `${type} without a day on which it expires`
      return { seen: words === '' ? what : `${what} (${words})`, mend: toSet(expiry) }
    },
  },
  'shared-account': {
    severity: 'look',
    sentence: 'One bank account for people with different surnames. Couples share one: a hint, and no more.',
    source: 'a usual sign of a typing mistake, or of fraud',
    needs: fieldsFor('bank'),
    alsoReads: Object.values(bank),
    *all({ active }) {
      for (const people of groupBy(active, accountOf).values()) {
        const surnames = new Set(people.map(({ surname }) => nameKey(surname)))
        if (surnames.size < 2) continue
        const inOrder = people.toSorted((one, other) =>
          (one.reference ?? '').localeCompare(other.reference ?? ''),
        )
        const [first, ...later] = inOrder
        // Each of the others: a third person is reported, though a couple was accepted.
        for (const person of later) {
          if (nameKey(person.surname) === nameKey(first?.surname ?? '')) continue
          const names = inOrder.filter((each) => each !== person).map(nameWithReference)
          yield seenOf(person, {
            seen: `one account with ${nameSome(names, 3)}`,
            mend: { see: 'record', reveal: true },
            values: bankValues(person, accountNumbers),
          })
        }
      }
    },
  },
  'postponement-ends': {
    severity: 'look',
    country: 'uk',
    sentence: 'The postponement of the pension ends within 14 days: the person is to be assessed.',
    source: 'The Pensions Regulator: detailed guidance 3a, Postponement (at most three months)',
    needs: [postponement],
    judgesStayers: true,
    each(person, payroll) {
      const day = soon(person, postponement, 14, payroll)
      return day === undefined ? undefined : { seen: `postponed until ${spelledOut(day)}`, mend: toSee }
    },
  },
  'no-timesheet': {
    severity: 'look',
    sentence: 'Paid by the hour, and no timesheet in the week that was asked for.',
    source: 'a worker who sends no hours is not paid for them',
    needs: [hourlyRate],
    alsoReads: [salary],
    lists: ['timesheets'],
    needsWeek: true,
    each(person, payroll) {
      const { week } = payroll
      if (!week || !isPaidByHour(person)) return undefined
      const why = whyMissing(person, week, payroll.work)
      if (why === undefined) return undefined
      const days = fromTo(week)
      return {
        seen: why === noTimesheet ? `${why} ${days}` : `no hours ${days}: ${why}`,
        // Somebody who sends none is accepted for every week.
        same: why,
        mend: { run: ['timesheets', 'create'] },
      }
    },
  },
  'never-paid': {
    severity: 'look',
    sentence: 'Started more than two pay periods ago, and has no payslip.',
    source: 'interface.md: payFrequency; assumed: a payslip has the name or the reference of the person',
    needs: [joined],
    alsoReads: [frequency],
    lists: ['payslips'],
    each(person, payroll, remark) {
      if (payroll.areSlipsNameless) {
        remark('never-paid was not checked: the payslips have neither a name nor a reference')
        return undefined
      }
      for (const text of untoldIn(payroll)) remark(`never-paid ${text}`)
      if (slipsOf(payroll, person)?.length !== 0) return undefined
      const start = dayOf(person, joined)
      const period = periodDays(textOf(person, frequency))
      if (start === undefined || !period || dayAfter(start, 2 * period) >= payroll.day) return undefined
      return { seen: `started on ${spelledOut(start)}, and has no payslip`, mend: toSee }
    },
  },
  'unpaid-work': {
    severity: 'look',
    sentence: 'A timesheet that ended more than a week and a pay period ago, and no payslip since.',
    source: 'assumed: a payslip has the tax week or month of its pay date, which is after the work',
    ...payslipReads,
    lists: ['timesheets', 'payslips'],
    each(person, payroll) {
      const [last, days] = [lastPaid(payroll, person), periodDays(textOf(person, frequency))]
      if (!last || days === undefined) return undefined
      const due = dayAfter(payroll.today, -days - 7)
      const sheet = sheetsOf(payroll, person).find(
        (each) => hasDays(each) && hasUnits(each) && each.last < due && last.isBefore(each.last),
      )
      if (!sheet) return undefined
      return {
        seen: `${nameOfSheet(sheet)}, and the last payslip is of ${last.period}`,
        mend: { see: 'payslips' },
      }
    },
  },
  'paid-after-leaving': {
    severity: 'look',
    sentence: 'A payslip of the last month for somebody who left more than three months ago.',
    source: 'assumed: what is still to be paid, such as holiday, is paid sooner',
    ...payslipReads,
    needs: ['dateLeft'],
    judgesEverybody: true,
    each(person, payroll) {
      const [lastDay, last] = [leftOn(person), lastPaid(payroll, person)]
      // What is paid to who came back under the reference is not theirs.
      const sharing = payroll.byReference.get(keyOf(person.reference ?? '')) ?? []
      if (lastDay === undefined || !last || sharing.length > 1) return undefined
      if ([monthsAfter(lastDay, 3), dayAfter(payroll.day, -31)].some(last.isBefore)) return undefined
      return {
        seen: `left on ${spelledOut(lastDay)}, and has a payslip in ${last.period}`,
        mend: { see: 'payslips' },
      }
    },
  },
  'payslip-twice': {
    severity: 'likely-wrong',
    sentence:
      'Two payslips of one person and one agency in the last period; different amounts are to be reviewed.',
    source: 'assumed: a person has one payslip of an agency in a period, and a supplementary one is rare',
    ...payslipReads,
    all: judgeSlips(({ slips, period }) => {
      const agencies = groupBy(slips, ({ agency }) => keyOf(agency))
      const several = [...agencies.values()].find((own) => own.length > 1)
      if (!several) return undefined
      const grossPays = several.flatMap(({ gross }) => gross ?? [])
      const isSame = new Set(grossPays).size < grossPays.length
      return {
        severity: isSame ? 'likely-wrong' : 'look',
        seen: `${several.length} payslips in ${period}${isSame ? ', of the same gross pay' : ''}`,
      }
    }, false),
  },
  'payslip-amount': {
    severity: 'look',
    sentence:
      'A payslip of the last period with nothing or less to be paid; less than nothing is likely wrong.',
    source: 'interface.md: payslips; the service does not always tell net pay',
    ...payslipReads,
    all: judgeSlips(({ slips, period }, person) => {
      const amounts = slips.flatMap(({ gross, net }) => [
        { name: 'net', amount: net ?? Number.POSITIVE_INFINITY },
        { name: 'gross', amount: gross ?? Number.POSITIVE_INFINITY },
      ])
      const [worst] = amounts.sort((one, other) => one.amount - other.amount)
      if (!worst || worst.amount > 0) return undefined
      return {
        severity: worst.amount < 0 ? 'likely-wrong' : 'look',
        seen: `${worst.name} pay of ${moneyOf(person, worst.amount)} in ${period}`,
      }
    }),
  },
} satisfies Record<string, CheckRule>

/** The pension of a country that no rule judges. */
export const pensionWithoutRule: Readonly<Partial<Record<CountryId, string>>> = {
  ireland: 'My Future Fund (Ireland)',
}

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as readonly RuleId[]

export const ruleOf = (id: RuleId): CheckRule => rules[id]

/** What tells an account from others; undefined where none is shown. */
function accountOf(person: Person): string | undefined {
  const { number, rollNumber } = bankAccountOf((path) => bankText(person, path)) ?? {}
  return number && `${number} ${rollNumber}`
}

/** Bank numbers of a person that are shown, by the names of their fields. */
const bankValues = (person: Person, paths: readonly string[]) =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const value = bankText(person, path)
      return value === undefined ? [] : [[lastName(path), compactNumber(value)]]
    }),
  )

/** The text of a bank number; undefined where there is none, or a mask in its place. */
const bankText = (person: Person, path: string): string | undefined =>
  (!person.unseen.has(path) && textOf(person, path)) || undefined

/** What pay needs and a person is known not to have, as the form says it. */
const lackingOf = (
  person: Person,
  name: PayNeed['name'],
  isNone: (path: string) => boolean = () => false,
): readonly string[] =>
  lackingForPay(
    typeOf(person),
    {
      value: (path) => (isNone(path) ? undefined : person.values.get(path)),
      isHidden: (path) => unseenOf(person, path) === 'hidden',
    },
    name,
  )

/** Whether the right to work of a person may end. */
const mayEnd = (person: Person, { facts, today }: Payroll): boolean => {
  const free = facts.on('free-to-work', person.country.id, today)?.value.nationalities
  return free !== undefined && needsPermission(textOf(person, nationality), textOf(person, rightToWork), free)
}

/** The day of a field, if it is today or at most so many days from now. */
function soon(person: Person, path: string, days: number, { today }: Payroll): string | undefined {
  const day = dayOf(person, path) ?? ''
  return day >= today && day <= dayAfter(today, days) ? day : undefined
}

/** `started on 2 November 2026`, or `starts on` a day that is still to come. */
const sinceOf = (person: Person, { day }: Payroll): string =>
  `${startsAfter(person, day) ? 'starts' : 'started'} on ${spelledOut(dayOf(person, joined) ?? '')}`

const tooLow = ({ isSure }: LowPay, seen: string, mend: Mend): RuleFinding => ({
  severity: isSure ? 'likely-wrong' : 'look',
  seen,
  mend,
})

const personBy = ({ byReference }: Payroll, reference = ''): Person | undefined =>
  byReference.get(keyOf(reference))?.[0]

/** The beginnings of the paths whose doubts some rule names. A rule with `rest` reports all others. */
const doubtedByOthers: readonly string[] = Object.values<CheckRule>(rules).flatMap(({ doubts = [] }) =>
  doubts === 'rest' ? [] : doubts,
)

/** Whether a rule reports the doubts of the form at a path. */
function reportsDoubt({ doubts = [] }: Pick<CheckRule, 'doubts'>, path: string): boolean {
  const isOf = (paths: readonly string[]) => paths.some((each) => path.startsWith(each))
  return doubts === 'rest' ? !isOf(doubtedByOthers) : isOf(doubts)
}

/** The doubts about a person that a rule reports, as one finding. */
export function doubtedBy(rule: CheckRule, person: Person, { doubtsOf }: Payroll): RuleFinding | undefined {
  if (!rule.doubts) return undefined
  const doubts = doubtsOf(person).filter(({ path }) => reportsDoubt(rule, path))
  if (doubts.length === 0) return undefined
  const paths = [...new Set(doubts.map(({ path }) => path))]
  const seen = doubts.map(({ path, message }) => `${fieldLabel(person, path)}: ${message}`).join('; ')
  return { seen, about: textsOf(person, paths), mend: toSet(...paths) }
}
