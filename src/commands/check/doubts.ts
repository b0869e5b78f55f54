import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { type CountryId, countryIds } from '../../model/countries/countries.ts'
import { candidateByCountry } from '../../model/countries/country-candidates.ts'
import { type Facts, type UnknownFact, watchFacts } from '../../model/facts/facts.ts'
import type { Standard } from '../../model/fields/field.ts'
import { fieldAt, leafFields } from '../../model/fields/field-tree.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { exampleNumber } from '../../model/standards/reference-numbers.ts'
import { standardForm } from '../../model/standards/standards.ts'
import { valueWarnings } from '../../model/standards/warnings.ts'
import { dayOf, type Person } from '../../reading/people.ts'
import { dayAfter } from '../../text/day.ts'

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

/** The fields that the form may doubt and that pay depends on, for each country. */
export const doubtedFields = Object.fromEntries(
  countryIds.map((id) => [
    id,
    leafFields(candidateByCountry[id].sent.fields).flatMap(({ path, field }) =>
      payStandards.has(field.standard) || compared.test(path) ? [path] : [],
    ),
  ]),
) as unknown as Readonly<Record<CountryId, readonly string[]>>

interface Place {
  readonly path: string
  readonly standard: Standard | undefined
  readonly section: string
  readonly name: string
}

const places = Object.fromEntries(
  countryIds.map((id) => [
    id,
    doubtedFields[id].map((path): Place => {
      const [name = '', section = ''] = path.split('.').reverse()
      return { path, section, name, standard: fieldAt(candidateByCountry[id].sent.fields, path)?.standard }
    }),
  ]),
) as unknown as Readonly<Record<CountryId, readonly Place[]>>

/** For so many days the starter declaration says which tax code is usual; then HMRC's notice comes. */
const starterDays = 35

const starter = 'payrollSetting.starterDeclaration'

/** The doubts that the form would have, found once for all rules, and the facts that it lacked for those of each path. */
export interface DoubtFinder {
  readonly doubtsOf: (person: Person) => readonly Issue[]
  readonly unknown: ReadonlyMap<string, readonly UnknownFact[]>
}

/** Finds what the form would doubt about people. Low pay is left out, because it has a rule of its own. */
export function doubtFinder({
  day,
  payDate,
  facts,
  isPractice,
}: {
  readonly day: string
  readonly payDate: string
  readonly facts: Facts
  readonly isPractice: boolean
}): DoubtFinder {
  const found = new Map<Person, readonly Issue[]>()
  const unknown = new Map<string, readonly UnknownFact[]>()
  const watched = watchFacts(facts)
  const noteUnknown = (path: string) => {
    const lacking = watched.take()
    if (lacking.length > 0) unknown.set(path, [...(unknown.get(path) ?? []), ...lacking])
  }
  const firstStart = dayAfter(day, 1 - starterDays)

  return { doubtsOf, unknown }

  function doubtsOf(person: Person): readonly Issue[] {
    const known = found.get(person)
    if (known) return known
    const { sent } = candidateByCountry[person.country.id]
    const doubts = valueWarnings(sent, bodyOf(person), payDate, watched.facts, noteUnknown)
    const own = isPractice ? doubts.filter(({ message }) => message !== exampleNumber) : doubts
    found.set(person, own)
    return own
  }

  function bodyOf(person: Person): JsonObject {
    const isStarter = (dayOf(person, payFields.start) ?? '') >= firstStart
    const pensionSetting: JsonObject = {}
    const body: Record<string, JsonObject> = {
      generalSetting: { pensionSetting },
      payrollSetting: {},
      bankSetting: {},
    }
    for (const { path, section, name, standard } of places[person.country.id]) {
      const value = person.values.get(path)
      if (value === undefined || person.unseen.has(path) || (!isStarter && path === starter)) continue
      // How a stored number or code is spaced makes no difference to a bank or to HMRC.
      const form = typeof value === 'string' ? standardForm(standard, value) : undefined
      ;(body[section] ?? pensionSetting)[name] = form ?? value
    }
    return body
  }
}
