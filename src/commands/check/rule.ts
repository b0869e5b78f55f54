import type { Client } from '../../api/client.ts'
import { lacksList } from '../../api/pages.ts'
import type { Failure, Issue } from '../../errors.ts'
import { type JsonObject, lastName } from '../../files/json/path.ts'
import { type CountryId, countryIds } from '../../model/countries/countries.ts'
import type { FactName, Facts } from '../../model/facts/facts.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import { keyOf } from '../../model/natural-key.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { candidateByCountry } from '../../model/resources/country-candidates.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { periodDays } from '../../model/standards/plausible.ts'
import { type ItemsOfPeople, itemsOf } from '../../model/whose.ts'
import { onceFor } from '../../once.ts'
import { noSlips, type ReadSlip, readPayslips } from '../../reading/payslips.ts'
import {
  hasLeft,
  type PeopleRead,
  type Person,
  readPeople,
  textOf,
  type WantedPeople,
  whoWasThere,
} from '../../reading/people.ts'
import { readWork, type Timesheet, weekEnding } from '../../reading/work.ts'
import { type Days, dayAfter } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { wordList, writeMoney } from '../../text/words.ts'

/** How bad a finding is, the worst first, with the words above its group and in the summary. */
export const severities = {
  'stops-pay': 'Stops pay',
  'likely-wrong': 'Likely wrong',
  look: 'To review',
} as const

export type Severity = keyof typeof severities

/** What to do about a finding: new values of the person, as `--set` takes them, a look at the person, or another command. */
export type Mend =
  | { readonly set: readonly string[] }
  | { readonly see: 'record' | 'payslips'; readonly reveal?: true }
  | { readonly run: readonly string[] }

export interface RuleFinding {
  readonly severity?: Severity | undefined
  /** A sentence without a sensitive value, and without a full stop. */
  readonly seen: string
  /** What stays the same of `seen` as long as the finding does, where that is not all of it: accepted once, it is quiet. */
  readonly same?: string
  /** The values that it is about, by the names of their fields. They are masked for a person. */
  readonly values?: JsonObject | undefined
  /** Other values that it is about, which are not shown. */
  readonly about?: readonly string[]
  readonly mend: Mend
}

export interface PersonFinding extends RuleFinding {
  /** Undefined if the service has no such person, such as for a timesheet of an unknown reference. */
  readonly person: Person | undefined
  /** The reference of the person, or else the id; without a person, the text that stood in its place. */
  readonly reference: string | undefined
}

type ReadList = 'timesheets' | 'payslips'

/** Says once what could not be checked, and why: a sentence without a full stop. */
type AddRemark = (text: string) => void

/** One rule, as data: what it looks for, why, and how. */
interface AnyRule {
  readonly severity: Severity
  /** The country whose people it is for; all of them, unless said. */
  readonly country?: CountryId
  readonly sentence: string
  readonly source: string
  /**
   * The fields without which a person is not judged, as paths of a request. Those that a country does not have are not
   * asked of its people; a function says which, where what both have is needed in one of them alone.
   */
  readonly needs: readonly string[] | ((country: CountryId) => readonly string[])
  /**
   * Most people have nothing in its fields. Only with --only does payroll look for them in the records, and
   * says where the service shows none at all.
   */
  readonly fieldsAreRare?: true
  /** It only asks whether there is a value, and so a mask is enough. */
  readonly maskIsEnough?: true
  /**
   * The doubts of the form that it reports, by the beginnings of their paths; `rest`: those of no other rule.
   * All fields that the form compares are read for it.
   */
  readonly doubts?: readonly string[] | 'rest'
  /** Fields that it reads where they are there. */
  readonly alsoReads?: readonly string[]
  readonly lists?: readonly ReadList[]
  /** It is about one week, and finds nothing without `--week-ending`. */
  readonly needsWeek?: true
  /** It is about people who stay: not about those who left and are still to be paid. */
  readonly judgesStayers?: true
  /** It judges leavers, and people who have not started, too. */
  readonly judgesEverybody?: true
  /** The facts of the law that it judges by, for `check rules`. */
  readonly facts?: readonly FactName[]
  /** Whom it judges: a subcontractor (CIS) has no tax code and no minimum wage. */
  readonly judgesOnly?: 'employees' | 'subcontractors'
}

/** A rule judges `each` person alone, or `all` together. `doubted` is what the form doubts of a person. */
export type CheckRule = AnyRule &
  (
    | { readonly doubts: readonly string[] | 'rest' }
    | {
        readonly each: (
          person: Person,
          payroll: Payroll,
          remark: AddRemark,
          doubted: RuleFinding | undefined,
        ) => RuleFinding | readonly RuleFinding[] | undefined
      }
    | { readonly all: (payroll: Payroll, remark: AddRemark) => Iterable<PersonFinding> }
  )

/** The fields that a rule needs to judge the people of a country. */
export function needsOf({ needs, country: only }: AnyRule, country: CountryId): readonly string[] {
  if (only !== undefined && only !== country) return []
  return typeof needs === 'function' ? needs(country) : needs
}

interface Asked {
  /** The countries that are asked for: of people in another one nothing is said. */
  readonly asked: readonly CountryId[]
  /** The day for which it is checked: the end of the week that was asked for, or today. */
  readonly day: string
  readonly today: string
  readonly week: Days | undefined
  /** The law. Where it is asked what is not known for a day, the report says so: a rule then finds nothing. */
  readonly facts: Facts
  /** Whether the people are those of the sandbox, who have HMRC's examples for numbers. */
  readonly isPractice: boolean
}

/** Everything that was read, whole, before a rule looks at it. */
export interface Payroll extends Asked, PeopleRead<Person> {
  /** The people to whom pay is still to come: some have left, and some start later. */
  readonly active: readonly Person[]
  /**
   * People who left, and of whom only timesheets that are not shown would say whether something is still to be paid.
   */
  readonly leavers: readonly Person[]
  readonly byReference: ReadonlyMap<string, readonly Person[]>
  /** The timesheets of the days that are checked. */
  readonly work: ItemsOfPeople<Person, Timesheet>
  readonly slips: ItemsOfPeople<Person, ReadSlip>
  /** Whether there are payslips, and none says whose it is. */
  readonly areSlipsNameless: boolean
  readonly closedLists: ReadonlyMap<ReadList, Failure>
  /** The day of pay, where it is known, and else `day`: NI letters go by it. */
  readonly payDate: string
  readonly doubtsOf: (person: Person) => readonly Issue[]
}

/** The lists and days that rules need. */
export interface RuleNeeds extends Asked, WantedPeople {
  readonly days: Days
  readonly lists: ReadonlySet<ReadList>
  readonly payDate: string
  readonly doubtsOf: Payroll['doubtsOf']
}

/** Reads the lists, and keeps of each record what the rules need. Throws as a list does. */
export async function readPayroll(client: Client, wanted: RuleNeeds): Promise<Payroll> {
  const { lists, day, days } = wanted
  const closedLists = new Map<ReadList, Failure>()
  const readShown = <T>(list: ReadList, none: T, reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      if (!lacksList(error)) throw error
      closedLists.set(list, error)
      return none
    })
  const readSheets = () => readShown('timesheets', noWork, readWork(client, days))
  const [read, listed, slips] = await Promise.all([
    readPeople(client, wanted),
    lists.has('timesheets') ? readSheets() : undefined,
    lists.has('payslips') ? readShown('payslips', noSlips, readPayslips(client)) : noSlips,
  ])
  const isGone = (person: Person) => {
    return hasLeft(person, dayAfter(weekEnding(day).first, -payPeriodOf(person)))
  }
  // Whether something is to be paid to somebody who left must not depend on the rules of --only.
  const gone = read.people.filter(isGone)
  const ofAll = listed ?? (gone.length > 0 ? await readSheets() : noWork)
  const known = {
    ...{ ...wanted, ...read, closedLists },
    byReference: groupBy(read.people, ({ reference }) => reference && keyOf(reference)),
    work: itemsOf(read.people, ofAll),
    slips: itemsOf(read.people, slips),
    areSlipsNameless: slips.areNameless,
  }
  return {
    ...known,
    leavers: closedLists.has('timesheets') ? gone : [],
    active: read.people.filter((person) => !isGone(person) || sheetsOf(known, person).length > 0),
  }
}

const noWork = { items: [], said: [] }

/**
 * The people who may have worked a timesheet: more than one where a country has a reference twice, and none
 * where two countries have it, because hours of the one must not be judged by the law of the other, or where it says what
 * is the reference of one and the id of another.
 */
export function workersOf({ work }: Pick<Payroll, 'work'>, sheet: Timesheet): readonly Person[] {
  const { people: all, doubt } = work.whose(sheet)
  const people = whoWasThere(all, sheet)
  const isGuess = doubt === 'id' || (doubt === 'both' && people.length > 1)
  return !isGuess && people.every(({ country }) => country === people[0]?.country) ? people : []
}

/** The timesheets of a person that are paid, in the days that are checked. */
export const sheetsOf = (payroll: Pick<Payroll, 'work'>, person: Person): readonly Timesheet[] =>
  liveIn(payroll)(person)

const liveIn = onceFor((payroll: Pick<Payroll, 'work'>) =>
  onceFor((person: Person): readonly Timesheet[] =>
    payroll.work
      .of(person)
      .filter((sheet) => sheet.dead === undefined && workersOf(payroll, sheet).includes(person)),
  ),
)

/** A finding with its person. */
export const seenOf = (person: Person, found: RuleFinding): PersonFinding => ({
  person,
  reference: person.reference ?? person.id,
  ...found,
})

/** The days of somebody's pay period; those of a month where it is not known. */
export const payPeriodOf = (person: Person): number => periodDays(textOf(person, payFields.frequency)) ?? 31

/** Whether all people could be read. */
export const hasEverybody = ({ countries }: Payroll): boolean => countries.length === countryIds.length

/** The candidate of a person's country. */
export const typeOf = ({ country }: Person): RecordType => candidateByCountry[country.id].sent

/** What a field is called within a sentence. */
export function fieldLabel(person: Person, path: string): string {
  const label = fieldAt(typeOf(person).fields, path)?.label ?? path
  return /^[A-Z][a-z]/.test(label) && !/^(National|Unique)/.test(label)
    ? label[0]?.toLowerCase() + label.slice(1)
    : label
}

/** The labels of several fields within a sentence, the last after `and` or `or`. */
export const fieldLabels = (person: Person, paths: readonly string[], last: 'and' | 'or') =>
  wordList(
    paths.map((path) => fieldLabel(person, path)),
    last,
  )

/** Sets fields of the person: what they are to be, an admin knows. */
export const toSet = (...paths: readonly string[]): Mend => ({
  set: paths.map((path) => `${lastName(path)}=…`),
})

/** Looks at the person. */
export const toSee: Mend = { see: 'record' }

/** Finds people by words. Those that begin with a dash would be read as an option. */
export const toFind = (words: string): Mend => ({
  run: ['candidates', 'find', ...(words.startsWith('-') ? ['--'] : []), words],
})

/** An amount in the currency of a person's country. */
export const moneyOf = ({ country }: Person, amount: number) => writeMoney(country.currency, amount)

/** The texts of fields of a person. */
export const textsOf = (person: Person, paths: readonly string[]) => paths.map((path) => textOf(person, path))
