import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { type CountryId, countryIds } from '../../model/countries/countries.ts'
import { candidateByCountry } from '../../model/countries/country-candidates.ts'
import type { Standard } from '../../model/fields/field.ts'
import { leafFields } from '../../model/fields/field-tree.ts'
import { exampleNumber } from '../../model/standards/reference-numbers.ts'
import { warnings } from '../../model/standards/warnings.ts'
import { dayOf, type Person } from '../../reading/people.ts'
import { dayAfter } from '../../reading/values.ts'
import type { Payroll } from './rule.ts'

/** The standards that pay depends on: how a name or an address is written is no matter of a payday. */
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
])

/** Fields that are held against others. */
const compared =
  /\.(gender|dateOfJoining|workplacePostcode|taxBasis|isApprentice|paymentModel|cisStatus|verificationDate|haveStudentLoan|studentLoan\w+|p45(Gross|Tax)ToDate|margin|marginCapped|holidayPay(Method|Rate)|prsiExemption|yearlyRateCutOff|(annual|frequency)_\w+|subcontractorRefNumber|postponementEndDate|optInDate|optOutDate|membershipStartDate)$/

/** The fields of a country's people that the form doubts, and that pay depends on. */
export const doubtedFields = Object.fromEntries(
  countryIds.map((id) => [
    id,
    leafFields(candidateByCountry[id].sent.fields).flatMap(({ path, field }) =>
      payStandards.has(field.standard) || compared.test(path) ? [path] : [],
    ),
  ]),
) as unknown as Readonly<Record<CountryId, readonly string[]>>

/** Each with the section that it stands in, and its name there. */
const places = Object.fromEntries(
  countryIds.map((id) => [
    id,
    doubtedFields[id].map((path) => {
      const [name = '', section = ''] = path.split('.').reverse()
      return { path, section, name }
    }),
  ]),
) as Readonly<Record<string, readonly { path: string; section: string; name: string }[]>> as Readonly<
  Record<CountryId, readonly { path: string; section: string; name: string }[]>
>

/** So long the declaration of a starter says which tax code is usual: then HMRC's notice comes. */
const starterDays = 35

/** What the form would doubt of a record that the service has: found once for all rules that ask. */
export function doubtsOf(
  person: Person,
  { doubts, day, payDate, facts, isPractice }: Payroll,
): readonly Issue[] {
  const known = doubts.get(person)
  if (known) return known
  const { id } = person.country
  const { sent } = candidateByCountry[id]
  const isStarter = dayAfter(dayOf(person, 'generalSetting.dateOfJoining') ?? '1950-01-01', starterDays) > day
  const pensionSetting: JsonObject = {}
  const sections: Readonly<Record<string, JsonObject>> = {
    generalSetting: { pensionSetting },
    pensionSetting,
    payrollSetting: {},
    bankSetting: {},
  }
  for (const { path, section, name } of places[id]) {
    const value = person.values.get(path)
    if (value === undefined || person.unseen.has(path) || (!isStarter && path === starter)) continue
    const place = sections[section]
    if (place) place[name] = value
  }
  const { pensionSetting: _, ...body } = sections
  const found = warnings(sent, body, payDate, facts).filter(
    ({ message }) => !(isPractice && message === exampleNumber),
  )
  doubts.set(person, found)
  return found
}

const starter = 'payrollSetting.starterDeclaration'

/** The doubts of one person at these fields; paths and beginnings of paths. */
export const doubtsAt = (person: Person, payroll: Payroll, paths: readonly string[]): readonly Issue[] =>
  doubtsOf(person, payroll).filter((doubt) => paths.some((path) => doubt.path.startsWith(path)))
