import { needsOf } from '../../src/commands/check/rule.ts'
import { ruleIds, ruleOf } from '../../src/commands/check/rules.ts'
import { isObject, type JsonObject, lastName, valueAt, withValueAt } from '../../src/files/json/path.ts'
import type { CountryId } from '../../src/model/countries/countries.ts'
import { answerPath } from '../../src/model/mapping/field-mapping.ts'
import { candidateByCountry } from '../../src/model/resources/country-candidates.ts'
import { everyField } from '../every-field.ts'
import { freshHome, payroll, type Run } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

type Item = JsonObject

/** What a service shows, of which a test makes one thing unusual. */
export interface Shown {
  uk?: readonly Item[]
  ireland?: readonly Item[]
  timesheets?: readonly Item[]
  payslips?: readonly Item[]
  rates?: readonly Item[]
  /** What the list of people leaves out, and their records show. */
  listLacks?: readonly string[]
  /** What a record leaves out, and the list shows. */
  recordLacks?: readonly string[]
  /** The status with which a path is refused, by its end. */
  refuses?: Readonly<Record<string, number>>
}

/**
 * A person with a value for each field that a rule of `check` needs of everybody: where a test has typed none, that of
 * test/fixtures, so that a new rule finds nothing wrong of people without a fault. `given`: values by the last name.
 */
export function withNeeds(person: JsonObject, country: CountryId = 'uk', given: JsonObject = {}): JsonObject {
  const { sent } = candidateByCountry[country]
  const whole = country === 'uk' || country === 'ireland' ? everyField(country) : {}
  const rules = ruleIds.map(ruleOf).filter(({ fieldsAreRare }) => !fieldsAreRare)
  let filled = person
  for (const path of rules.flatMap((rule) => needsOf(rule, country))) {
    const place = answerPath(sent, path).split('.')
    const value = lastName(path) in given ? given[lastName(path)] : valueAt(whole, path.split('.'))
    if (value === undefined || valueAt(filled, place) !== undefined) continue
    // Two people with one e-mail address may be one person.
    const own = typeof value === 'string' && value.includes('@') ? `${person.id}.${value}` : value
    const next = withValueAt(filled, place, own)
    if (isObject(next)) filled = next
  }
  return filled
}

/** Fields that the service shows, and that have no value. */
export const empty = (names: string): Record<string, null> =>
  Object.fromEntries(names.split(' ').map((name) => [name, null]))

/** A person without a fault, as the service answers one. */
export function person(number: number, more: Item = {}, bank: Item = {}, setting: Item = {}) {
  const digits = String(number).padStart(4, '0')
  return withNeeds({
    id: `id-${number}`,
    agencyRef: `UK-${number}`,
    forename: 'Ann',
    surname: `Sample${number}`,
    DOB: '1990-01-01',
    city: 'Leeds',
    dateOfJoining: '2026-01-05',
    dateLeft: null,
    payMethod: 'BACS',
    payFrequency: 'ANNUAL',
    rateHour: 20,
    annualSalary: null,
    hours: 37.5,
    NINumber: `AB12${digits}A`,
    nationality: 'British',
    documentExpiryDate: null,
    pensionSetting: { postponementEndDate: null },
    bank: { sortCode: '601613', accountNumber: `3192${digits}`, IBANReference: null, SWIFTNo: null, ...bank },
    setting: { paymentModel: 'PAYEE', taxCode: '1257L', niCategory: 'A', margin: null, ...setting },
    ...more,
  })
}

export const sheet = (of: string, startDate: string, endDate: string, more: Item = {}) => ({
  id: `${of} ${startDate} ${JSON.stringify(more)}`,
  subcontractorRef: of,
  startDate,
  endDate,
  rates: [{ rateId: 'STD', rate: '20.00', units: '37.5' }],
  ...more,
})

/** A service that shows this; `shown` may be changed between two runs of one home. */
export async function hostile(shown: Shown) {
  const without = (item: Item, names: readonly string[] = []) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
  const { env, received } = await service(({ url }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const refused = Object.entries(shown.refuses ?? {}).find(([end]) => pathname.endsWith(end))
    if (refused) return answerJson(response, refused[1], { success: false, message: 'no' })
    const lists: Record<string, readonly Item[] | undefined> = {
      '/svc/candidates': (shown.uk ?? []).map((each) => without(each, shown.listLacks)),
      '/svc/candidates/ireland': shown.ireland ?? [],
      '/svc/time-sheets': shown.timesheets ?? [],
      '/svc/payment-rate': shown.rates ?? [],
      '/svc/v2/payslips': shown.payslips ?? [{ id: 'slip', subcontractorName: 'Somebody' }],
      '/svc/v1/payslips': shown.payslips ?? [],
    }
    const data = lists[pathname]
    if (data) return answerJson(response, 200, { data, totalDocs: data.length })
    const people = (pathname.includes('/ireland/') ? shown.ireland : shown.uk) ?? []
    const records = pathname.includes('/time-sheets/') ? (shown.timesheets ?? []) : people
    const one = records.find(({ id }) => pathname.endsWith(`/${id}`))
    answerJson(
      response,
      one ? 200 : 404,
      one ? { data: without(one, shown.recordLacks) } : { success: false, message: 'not found' },
    )
  })
  const home = freshHome()
  const run = (
    words: string | readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Run> =>
    payroll(typeof words === 'string' ? words.split(' ') : words, { home, env: { ...env, ...more } })
  return { run, home, env, received, shown }
}
