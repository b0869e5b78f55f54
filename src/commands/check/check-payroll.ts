import type { Client } from '../../api/client.ts'
import { type CountryId, countryById, countryIds } from '../../model/countries/countries.ts'
import { type UnknownFact, watchFacts } from '../../model/facts/facts.ts'
import { keyOf } from '../../model/natural-key.ts'
import { countryCandidates } from '../../model/resources/country-candidates.ts'
import { isSubcontractor, payFields } from '../../model/standards/minimum-wage.ts'
import {
  type ClosedCountries,
  closedSentence,
  dayOf,
  fieldOf,
  fieldsOfEveryone,
  type Gap,
  gapSentences,
  gapsOf,
  hasLeft,
  type Person,
  paidPerson,
  startsAfter,
} from '../../reading/people.ts'
import { weekEnding } from '../../reading/work.ts'
import { dayAfter, spelledOut } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { agree, asClause, plural, wordList } from '../../text/words.ts'
import { doubtedFields, doubtFinder } from './form-doubts.ts'
import {
  type CheckRule,
  needsOf,
  type Payroll,
  type PersonFinding,
  type RuleFinding,
  type RuleNeeds,
  readPayroll,
  type Severity,
  seenOf,
  severities,
} from './rule.ts'
import { doubtedBy, pensionWithoutRule, type RuleId, ruleIds, ruleOf } from './rules.ts'
import { unjudgedSlips } from './slips.ts'

export interface CheckFinding extends Omit<PersonFinding, 'severity'> {
  readonly rule: RuleId
  readonly severity: Severity
  /** Whether somebody else of the country has the reference too, so that only the id names the person. */
  readonly isShared: boolean
}

interface CheckRequest extends Pick<RuleNeeds, 'onPerson' | 'isAskedFor' | 'facts' | 'isPractice'> {
  readonly rules: readonly RuleId[]
  /** Undefined: all of them. */
  readonly country: CountryId | undefined
  readonly today: string
  readonly weekEnding: string | undefined
  readonly payDate: string | undefined
}

/** The findings of all rules. */
export interface CheckResult {
  readonly findings: readonly CheckFinding[]
  /** Sentences, without a full stop, about what a rule could not see, each once. */
  readonly unseen: readonly string[]
  /** The remarks that are about a whole list. */
  readonly unseenLists: readonly string[]
  /** Other sentences about what was not read. */
  readonly notes: readonly string[]
  readonly people: number
  /** The pensions of the countries of these people that no rule judges. */
  readonly withoutRule: readonly string[]
  /** The countries whose people the service does not show. */
  readonly closed: ClosedCountries
}

/** Without a week, the timesheets of so many days before today, and all later ones, are checked. */
export const usualDays = 28

/** Reads the lists that the rules need, each whole, and applies the rules. Throws as reading a list does. */
export async function checkPayroll(
  client: Client,
  { rules, country, weekEnding: last, payDate: paidOn, ...request }: CheckRequest,
): Promise<CheckResult> {
  const { today, isPractice, isAskedFor } = request
  const chosenRules = rules.map((id) => ({ id, rule: ruleOf(id) }))
  const rulesAsked = chosenRules.filter(({ rule }) => isAskedFor || !rule.fieldsAreRare)
  const [law, lawOfDoubts] = [watchFacts(request.facts), watchFacts(request.facts)]
  const doubted = countryCandidates.flatMap(({ sent }) => doubtedFields(sent).map(({ path }) => path))
  const asked = country === undefined ? countryIds : [country]
  const day = last ?? today
  const week = last === undefined ? undefined : weekEnding(last)
  const payDate = paidOn ?? day
  const payroll = await readPayroll(client, {
    ...request,
    asked,
    day,
    week,
    payDate,
    facts: law.facts,
    doubtsOf: doubtFinder({ day, payDate, facts: lawOfDoubts.facts, isPractice }),
    days: week ?? { first: dayAfter(today, 1 - usualDays), last: '9999-12-31' },
    countries: rules.includes('unknown-person') ? countryIds : asked,
    lists: new Set(chosenRules.flatMap(({ rule }) => rule.lists ?? [])),
    needs: (id) => [...new Set(rulesAsked.flatMap(({ rule }) => needsIn(rule, id)))],
    paths: [
      ...new Set([
        ...fieldsOfEveryone,
        payFields.paymentModel,
        payFields.frequency,
        ...chosenRules.flatMap(({ rule }) => [
          ...countryIds.flatMap((id) => needsOf(rule, id)),
          ...(rule.alsoReads ?? []),
          ...(rule.doubts ? doubted : []),
        ]),
      ]),
    ],
  })
  const isAbout = (person: Person | undefined) => !person || asked.includes(person.country.id)
  const people = payroll.people.filter(isAbout)
  const unseenLists = closedListsOf(payroll, chosenRules, payroll.leavers.filter(isAbout).length)
  const unseen = new Set(unseenLists)
  const lacked: LackedFact[] = []
  const isShown = ({ rule }: ChosenRule) => !rule.lists?.some((list) => payroll.closedLists.has(list))
  const rulesToRun = chosenRules.filter(isShown)
  const findings = rulesToRun.flatMap(({ id, rule }) => {
    const ofRule = [...seenBy(rule, payroll, (text) => void unseen.add(text))]
    lacked.push(...law.take().map((fact) => ({ ...fact, rule: id })))
    return ofRule
      .filter(({ person }) => isAbout(person))
      .map((one): CheckFinding => {
        const sharing = payroll.byReference.get(keyOf(one.person?.reference ?? '')) ?? []
        const isShared = sharing.some(
          (other) => other !== one.person && other.country === one.person?.country,
        )
        return { ...one, rule: id, severity: one.severity ?? rule.severity, isShared }
      })
  })
  for (const fact of lawOfDoubts.take())
    for (const { id, rule } of rulesToRun) if (judgesBy(rule, fact)) lacked.push({ ...fact, rule: id })
  for (const text of lackedFacts(lacked.filter((fact) => asked.includes(fact.country)))) unseen.add(text)
  for (const text of gapsIn(people, payroll, rulesAsked.filter(isShown))) unseen.add(text)
  const leaving = gapsOf(people, () => ['dateLeft']).filter(({ why }) => why !== 'hidden')
  return {
    findings: findings.sort(worstFirst),
    unseen: [...unseen],
    unseenLists,
    notes: [
      ...[...payroll.closed.keys()].map((id) => closedSentence(id, 'checked')),
      ...gapSentences(leaving, 'taken for a leaver'),
      ...(chosenRules.some(({ rule }) => rule.lists?.includes('payslips')) ? unjudgedSlips(payroll) : []),
    ],
    people: people.length,
    withoutRule: isAskedFor
      ? []
      : [...new Set(people.map(({ country }) => country.id))].flatMap((id) => pensionWithoutRule[id] ?? []),
    closed: payroll.closed,
  }
}

interface ChosenRule {
  readonly id: RuleId
  readonly rule: CheckRule
}

/** Sentences about the lists that the service does not show, and what was not checked without them. */
function closedListsOf(
  { closedLists }: Payroll,
  chosenRules: readonly ChosenRule[],
  leavers: number,
): string[] {
  return [...closedLists].flatMap(([list, { message, details }]) => {
    const ids = chosenRules.flatMap(({ id, rule }) => (rule.lists?.includes(list) ? [id] : []))
    const why = [asClause(message), details.hint].filter(Boolean).join('. ').replace(/\.$/, '')
    const says = (what: string, count: number) =>
      count === 0 ? [] : [`${what} ${agree(count, 'was')} not checked: ${why}`]
    const gone = list === 'timesheets' ? leavers : 0
    return [...says(wordList(ids, 'and'), ids.length), ...says(`${plural(gone, 'person')} who left`, gone)]
  })
}

/** Whether a rule reports doubts that need a fact: it names the fact, or else no rule does and it reports the rest. */
function judgesBy({ doubts, facts, country }: CheckRule, { name, country: asked }: UnknownFact): boolean {
  const isNamed = ruleIds.some((id) => ruleOf(id).facts?.includes(name))
  const isMeant = isNamed ? facts?.includes(name) === true : doubts === 'rest'
  return doubts !== undefined && isMeant && (country ?? asked) === asked
}

function* seenBy(rule: CheckRule, payroll: Payroll, remark: (text: string) => void) {
  if ('all' in rule) return yield* rule.all(payroll, remark)
  for (const person of rule.judgesEverybody ? payroll.people : payroll.active) {
    const { id } = person.country
    if ((rule.country ?? id) !== id || !payroll.asked.includes(id)) continue
    if (rule.judgesStayers && hasLeft(person, weekEnding(payroll.day).first)) continue
    if (rule.judgesOnly && isSubcontractor(paidPerson(person)) !== (rule.judgesOnly === 'subcontractors'))
      continue
    const doubted = doubtedBy(rule, person, payroll)
    const finding = 'each' in rule ? rule.each(person, payroll, remark, doubted) : doubted
    for (const one of [finding ?? []].flat())
      yield seenOf(person, rule.judgesEverybody ? one : beforeStart(one, person, payroll))
  }
}

/** What is found of somebody who starts later is to be reviewed: nothing is paid before. */
function beforeStart(finding: RuleFinding, person: Person, { day }: Payroll): RuleFinding {
  if (!startsAfter(person, day)) return finding
  const start = spelledOut(dayOf(person, payFields.start) ?? '')
  const seen = finding.seen.includes(start) ? finding.seen : `starts on ${start}: ${finding.seen}`
  return { ...finding, severity: 'look', seen }
}

interface LackedFact extends UnknownFact {
  readonly rule: RuleId
}

function lackedFacts(facts: readonly LackedFact[]): string[] {
  const groups = [...groupBy(facts, ({ name, country }) => `${name} ${country}`).values()]
  return groups.flatMap((lacked, at) => {
    const [first] = lacked
    if (!first) return []
    const rules = ruleIds.filter((id) => lacked.some(({ rule }) => rule === id))
    const were = agree(rules.length, 'was')
    const on = spelledOut(lacked.map(({ day }) => day).sort()[0] ?? '')
    const { inPlace } = countryById[first.country]
    const how = at < groups.length - 1 ? '' : ' (to add it: payroll help facts import)'
    return `${wordList(rules, 'and')} ${were} not checked in full: payroll has no fact ${first.name} for ${on} ${inPlace}${how}`
  })
}

const needsIn = (rule: CheckRule, country: CountryId) =>
  needsOf(rule, country).filter((path) => fieldOf(country, path))

function gapsIn(
  people: readonly Person[],
  { active }: Payroll,
  chosenRules: readonly ChosenRule[],
): string[] {
  const isActive = new Set(active)
  const rulesOf = ({ country, path, why }: Pick<Gap, 'country' | 'path' | 'why'>) =>
    chosenRules.flatMap(({ id, rule }) => {
      const isSeen = rule.maskIsEnough === true && why !== 'hidden'
      return !isSeen && needsIn(rule, country.id).includes(path) ? [id] : []
    })
  const paths = new Map(
    countryIds.map((id) => [id, new Set(chosenRules.flatMap(({ rule }) => needsIn(rule, id)))]),
  )
  const gaps = gapsOf(
    people.filter((person) => isActive.has(person)),
    ({ country }) => paths.get(country.id) ?? [],
  )
  return gapSentences(
    gaps.filter((gap) => rulesOf(gap).length > 0),
    'checked',
    (gap) => `${fieldOf(gap.country.id, gap.path)?.label} (${rulesOf(gap).join(', ')})`,
  )
}

const severityOrder = Object.keys(severities)
const { compare: compareNumbered } = new Intl.Collator('en', { numeric: true })

function worstFirst(one: CheckFinding, other: CheckFinding): number {
  return (
    severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity) ||
    ruleIds.indexOf(one.rule) - ruleIds.indexOf(other.rule) ||
    compareNumbered(keyOf(one.reference ?? ''), keyOf(other.reference ?? ''))
  )
}
