import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import type { Standard } from '../../model/fields/field.ts'
import { leafFields } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { candidateByCountry } from '../../model/resources/country-candidates.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { exampleNumber } from '../../model/standards/reference-numbers.ts'
import { standardForm } from '../../model/standards/standards.ts'
import { valueWarnings } from '../../model/standards/warnings.ts'
import { onceFor } from '../../once.ts'
import { dayOf, type Person } from '../../reading/people.ts'
import { dayAfter } from '../../text/day.ts'
import type { Payroll } from './rule.ts'

/** The standards that pay depends on. A misspelt name or address does not change what is paid. */
const payStandards: ReadonlySet<Standard | undefined> = new Set<Standard>([
  'nino',
  'ppsn',
  'utr',
  'tax-code',
  'ni-category',
  'starter-declaration',
  'prsi-class',
  'cis-verification',
  'birth-date',
  'weekly-hours',
  'hourly-rate',
  'salary',
  'sort-code',
  'account-number',
  'iban',
  'bic',
])

/** Fields without a standard that the form compares with others. */
const compared =
  /\.(gender|dateOfJoining|workplacePostcode|taxBasis|isApprentice|paymentModel|cisStatus|verificationDate|haveStudentLoan|studentLoan\w+|p45(Gross|Tax)ToDate|margin|marginCapped|holidayPay(Method|Rate)|prsiExemption|yearlyRateCutOff|(annual|frequency)_\w+|subcontractorRefNumber|postponementEndDate|optInDate|optOutDate|membershipStartDate|isInternationalAccount)$/

export const doubtedFields = onceFor(({ fields }: Pick<RecordType, 'fields'>) =>
  leafFields(fields).flatMap(({ path, field: { standard } }) => {
    if (!payStandards.has(standard) && !compared.test(path)) return []
    const [name = '', section = ''] = path.split('.').reverse()
    return [{ path, standard, section, name }]
  }),
)

/** For so many days the starter declaration says which tax code is usual; then HMRC's notice comes. */
const starterDays = 35

const starter = 'payrollSetting.starterDeclaration'

/**
 * Finds once for all rules what the form would doubt about people. Low
 * pay is left out, because it has a rule of its own.
 */
export function doubtFinder(judged: Pick<Payroll, 'day' | 'payDate' | 'facts' | 'isPractice'>) {
  const { day, payDate, facts, isPractice } = judged
  const firstStart = dayAfter(day, 1 - starterDays)
  return onceFor((person: Person): readonly Issue[] => {
    const { sent } = candidateByCountry[person.country.id]
    const doubts = valueWarnings(sent, bodyOf(person, firstStart), payDate, facts)
    return isPractice ? doubts.filter(({ message }) => message !== exampleNumber) : doubts
  })
}

/**
 * What the form would have of a person. A starter declaration is looked
 * at of those alone who started on the day or later.
 */
function bodyOf(person: Person, firstStart: string): JsonObject {
  const isStarter = (dayOf(person, payFields.start) ?? '') >= firstStart
  const pensionSetting: JsonObject = {}
  const body: Record<string, JsonObject> = {
    generalSetting: { pensionSetting },
    payrollSetting: {},
    bankSetting: {},
  }
  const { sent } = candidateByCountry[person.country.id]
  for (const { path, section, name, standard } of doubtedFields(sent)) {
    const value = person.values.get(path)
    if (value === undefined || person.unseen.has(path) || (!isStarter && path === starter)) continue
    // How a stored number or code is spaced makes no difference to a bank or to HMRC.
    const form = typeof value === 'string' ? standardForm(standard, value) : undefined
    ;(body[section] ?? pensionSetting)[name] = form ?? value
  }
  return body
}
