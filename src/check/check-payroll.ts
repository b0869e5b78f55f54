import type { Client } from '../api/client.ts'
import { type CountryId, countries, countryIds } from '../api/contract/countries/countries.ts'
import { candidateByCountry } from '../api/contract/countries/country-candidates.ts'
import type { Field } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { wordList } from '../formats/words.ts'
import { keyOf } from '../import/natural-key.ts'
import type { Payroll, Person } from './payroll.ts'
import { closedList, readPayroll, type Wanted } from './read-payroll.ts'
import { dayAfter, type Seen, type Severity, severities } from './rule.ts'
import { fieldsOfEveryRule, type RuleId, ruleIds, ruleOf, weekEnding } from './rules.ts'

/** What a rule found, and how bad it is. */
export interface Finding extends Omit<Seen, 'severity'> {
  readonly rule: RuleId
  readonly severity: Severity
}

interface CheckRequest extends Pick<Wanted, 'onPerson'> {
  readonly rules: readonly RuleId[]
  /** The country whose people are checked; all of them where it is undefined. */
  readonly country: CountryId | undefined
  readonly today: string
  /** The last day of the week that is checked. */
  readonly weekEnding: string | undefined
}

/** What all rules found. */
export interface CheckResult {
  /** What stops pay first. */
  readonly findings: readonly Finding[]
  /** Sentences about what was not checked, each once. */
  readonly remarks: readonly string[]
  /** The people whose reference somebody else of their country has too: only their id names them. */
  readonly sharers: ReadonlySet<Person>
}

/** Without a week, timesheets of so many days before today are looked at, and all later ones. */
const usualDays = 28

/** Reads the lists that the rules need, whole, and lets each rule look at them. Throws as a list does. */
export async function checkPayroll(
  client: Client,
  { rules, country, today, weekEnding: last, onPerson }: CheckRequest,
): Promise<CheckResult> {
  const remarks = new Set<string>()
  const remark = (text: string) => void remarks.add(text)
  const chosen = rules.map((id) => ({ id, rule: ruleOf(id) }))
  const week = last === undefined ? undefined : weekEnding(last)
  const readsAll = country === undefined || rules.includes('unknown-person')
  const payroll = await readPayroll(client, {
    today,
    day: last ?? today,
    week,
    days: week ?? { first: dayAfter(today, 1 - usualDays), last: '9999-12-31' },
    countries: readsAll ? countryIds : [country],
    lists: new Set(chosen.flatMap(({ rule }) => rule.lists ?? [])),
    needs: (id) => [...new Set(chosen.flatMap(({ rule }) => rule.needs))].filter((path) => fieldOf(id, path)),
    reads: [
      ...new Set([
        ...fieldsOfEveryRule,
        ...chosen.flatMap(({ rule }) => [...rule.needs, ...(rule.uses ?? [])]),
      ]),
    ],
    onClosed: (id) => remark(closedList(id, 'checked')),
    ...(onPerson && { onPerson }),
  })
  const findings: Finding[] = []
  for (const { id, rule } of chosen) {
    if (id === 'unknown-person' && payroll.countries.size < countries.length) {
      remark('unknown-person was not checked: not all people could be read')
      continue
    }
    for (const seen of rule.find(payroll, remark)) {
      if (country !== undefined && seen.person && seen.person.country.id !== country) continue
      findings.push({ ...seen, rule: id, severity: seen.severity ?? rule.severity })
    }
  }
  for (const text of unreturned(payroll, rules, country)) remark(text)
  return { findings: findings.sort(worstFirst), remarks: [...remarks], sharers: sharersOf(payroll) }
}

function sharersOf({ people }: Payroll): ReadonlySet<Person> {
  const first = new Map<string, Person>()
  const sharers = new Set<Person>()
  for (const person of people) {
    if (person.reference === undefined) continue
    const key = `${person.country.id} ${keyOf(person.reference)}`
    const other = first.get(key)
    if (other) sharers.add(other).add(person)
    else first.set(key, person)
  }
  return sharers
}

const severityOrder = Object.keys(severities)

function worstFirst(one: Finding, other: Finding): number {
  return (
    severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity) ||
    ruleIds.indexOf(one.rule) - ruleIds.indexOf(other.rule) ||
    (one.reference ?? '').localeCompare(other.reference ?? '')
  )
}

/** A sentence for each country with people, of the fields that none of their records shows. */
function unreturned(
  { people, shown, countries: read }: Payroll,
  rules: readonly RuleId[],
  only: CountryId | undefined,
): string[] {
  return countries.flatMap(({ id, inPlace }) => {
    const isAbout = only === undefined || only === id
    if (!isAbout || !read.has(id) || !people.some(({ country }) => country.id === id)) return []
    const byField = new Map<string, RuleId[]>()
    for (const rule of rules) {
      const { needs, country } = ruleOf(rule)
      if (country !== undefined && country !== id) continue
      for (const path of needs) {
        const field = fieldOf(id, path)
        if (!field || shown[id].has(path)) continue
        byField.set(field.label, [...(byField.get(field.label) ?? []), rule])
      }
    }
    if (byField.size === 0) return []
    const named = [...byField].map(([label, names]) => `${label} (${names.join(', ')})`)
    return [
      `for people paid ${inPlace} the service does not return ${wordList(named, 'and')}: that was not checked`,
    ]
  })
}

/** The field of a country's people at a path of the request, or of the answer. */
function fieldOf(id: CountryId, path: string): Field | undefined {
  const { sent, answered } = candidateByCountry[id]
  return fieldAt(sent.fields, path) ?? fieldAt(answered.fields, path)
}
