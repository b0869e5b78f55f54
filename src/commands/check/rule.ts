import type { Client } from '../../api/client.ts'
import { lacksList, readSteadily } from '../../api/pages.ts'
import type { Failure, Issue } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { type CountryId, countryIds } from '../../model/countries/countries.ts'
import type { FactName, Facts } from '../../model/facts/facts.ts'
import { keyOf, nameKey } from '../../model/natural-key.ts'
import { operations } from '../../model/operations/operations.ts'
import { numberIn } from '../../model/values/amounts.ts'
import { onceFor, onceForText } from '../../once.ts'
import { eachItem } from '../../reading/lists.ts'
import { firstNumberIn, type PayslipOf, payslipOf } from '../../reading/payslip.ts'
import {
  byReference,
  hasLeft,
  type PeopleRead,
  type Person,
  readPeople,
  type WantedPeople,
} from '../../reading/people.ts'
import { textIn } from '../../reading/values.ts'
import { readWork, type Timesheet, weekEnding } from '../../reading/work.ts'
import type { Days } from '../../text/day.ts'
import { doubtFinder } from './doubts.ts'

/** How bad a finding is, the worst first, with the words above its group and in the summary. */
export const severities = {
  'stops-pay': { heading: 'Stops pay', one: 'stops pay', several: 'stop pay' },
  'likely-wrong': { heading: 'Likely wrong', one: 'is likely wrong', several: 'are likely wrong' },
  look: { heading: 'To review', one: 'is to be reviewed', several: 'are to be reviewed' },
} as const

export type Severity = keyof typeof severities

/** What to do about a finding: new values of the person, as `--set` takes them, a look at the person, or another command. */
export type Mend =
  | { readonly set: readonly string[] }
  | { readonly see: 'record' | 'payslips'; readonly reveal?: true }
  | { readonly run: readonly string[] }

/** One finding about a person. */
export interface RuleFinding {
  readonly severity?: Severity | undefined
  /** A sentence without a sensitive value, and without a full stop. */
  readonly seen: string
  /** The values that it is about, by the names of their fields. They are masked for a person. */
  readonly values?: JsonObject | undefined
  readonly mend: Mend
}

/** A finding and its person. */
export interface PersonFinding extends RuleFinding {
  /** Undefined if the service has no such person, such as for a timesheet of an unknown reference. */
  readonly person: Person | undefined
  /** The reference of the person, or else the id; without a person, the text that stood in its place. */
  readonly reference: string | undefined
}

/** The lists that a rule looks at, besides the people. */
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
   * Most people have nothing in its fields. Only with --only does payroll look for them in the records, and says
   * where the service shows none at all.
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
  /** The fields that it compares with the last mark of `changes`; it says nothing where there is none. */
  readonly comparesWithMark?: readonly string[]
  /** It judges leavers, and people who have not started, too. */
  readonly judgesEverybody?: true
  /** Whom it judges: a subcontractor (CIS) has no tax code and no minimum wage. */
  readonly judgesOnly?: 'employees' | 'subcontractors'
  /** The facts of the law that it needs. Where one has run out, the rule is not applied, and the report says so. */
  readonly facts?: readonly FactName[]
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

interface CheckedTime {
  /** The day for which it is checked: the end of the week that was asked for, or today. */
  readonly day: string
  readonly today: string
  readonly week: Days | undefined
  readonly facts: Facts
  /** Whether the people are those of the sandbox, who have HMRC's examples for numbers. */
  readonly isPractice: boolean
  /** The last mark of `changes`, or why there is none to compare with. */
  readonly mark: LastMark | { readonly why: string }
}

/** Everything that was read, whole, before a rule looks at it. */
export interface Payroll extends CheckedTime, Omit<PeopleRead<Person>, 'closed'> {
  /** The people who had not left before the seven days up to `day`, whose last pay is still to come. Some start later. */
  readonly active: readonly Person[]
  readonly doubtsOf: (person: Person) => readonly Issue[]
  readonly byReference: ReadonlyMap<string, readonly Person[]>
  /** The timesheets of the days that are checked, by the reference of the person as `keyOf` writes it. */
  readonly sheets: ReadonlyMap<string, readonly Timesheet[]>
  /** The people who have payslips, by reference and name, as `keyOf` and `nameKey` write them; undefined where payslips have neither. */
  readonly paid: ReadonlySet<string> | undefined
  /** The payslips of each person; those with a reference and a name by the reference alone. */
  readonly slips: ReadonlyMap<string, readonly ReadSlip[]>
  /** The day of pay, where it is known, and else `day`: NI letters go by it. */
  readonly payDate: string
}

interface LastMark {
  readonly name: string
  /** The day of its making, as YYYY-MM-DD. */
  readonly day: string
  /** The fields of a person that changed, of those that a rule compares. */
  readonly changed: (person: Person) => readonly string[]
}

export interface ReadSlip {
  readonly year: number
  readonly period: number
  readonly unit: PayslipOf['unit']
  readonly agency: string
  readonly gross: number | undefined
  /** assumed: the name of this field. "Fields of … payslip …: not shown." */
  readonly net: number | undefined
}

/** The lists and days that rules need. */
export interface RuleNeeds extends CheckedTime, WantedPeople {
  readonly days: Days
  readonly lists: ReadonlySet<ReadList>
  readonly payDate: string | undefined
}

/** Reads the lists, and keeps of each record what the rules need. Throws as a list does. */
export async function readPayroll(
  client: Client,
  wanted: RuleNeeds,
): Promise<
  Payroll & {
    readonly closed: readonly CountryId[]
    /** Why the service does not show a list. */
    readonly closedLists: ReadonlyMap<ReadList, Failure>
  }
> {
  const { lists, day, days, facts, isPractice, payDate = day } = wanted
  const closedLists = new Map<ReadList, Failure>()
  const readShown = async <T>(list: ReadList, none: T, read: () => Promise<T>): Promise<T> => {
    if (!lists.has(list)) return none
    return read().catch((error: unknown) => {
      if (!lacksList(error)) throw error
      closedLists.set(list, error)
      return none
    })
  }
  const [read, sheets, { paid, slips }] = await Promise.all([
    readPeople(client, wanted),
    readShown('timesheets', new Map<string, readonly Timesheet[]>(), () => readWork(client, days)),
    readShown('payslips', { paid: undefined, slips: new Map<string, readonly ReadSlip[]>() }, () =>
      readPaid(client),
    ),
  ])
  return {
    ...wanted,
    ...read,
    closedLists,
    payDate,
    sheets,
    paid,
    slips,
    active: read.people.filter((person) => !hasLeft(person, weekEnding(day).first)),
    byReference: byReference(read.people),
    doubtsOf: doubtFinder({ day, payDate, facts, isPractice }),
  }
}

/** For how many names and references the folded text is remembered. */
const mostTexts = 100_000

/** The payslips by the person whom they name. */
function readPaid(client: Client): Promise<Pick<Payroll, 'paid' | 'slips'>> {
  return readSteadily(async () => {
    // A person has many payslips, with the same name.
    const [referenceKey, personKey] = [onceForText(keyOf, mostTexts), onceForText(nameKey, mostTexts)]
    const [paid, slips] = [new Set<string>(), new Map<string, ReadSlip[]>()]
    let count = 0
    await eachItem(client, operations.payslips.list, (item) => {
      count += 1
      const { name, reference, taxYear, period, unit } = payslipOf(item)
      if (name !== '') paid.add(personKey(name))
      if (reference !== '') paid.add(referenceKey(reference))
      if (name === '' && reference === '') return
      const key = reference === '' ? personKey(name) : referenceKey(reference)
      const own = slips.get(key) ?? []
      slips.set(key, own)
      own.push({
        year: firstNumberIn(taxYear),
        period,
        unit,
        agency: textIn(item.agencyName),
        gross: numberIn(item.gross),
        net: numberIn(item.net ?? item.netPay),
      })
    })
    return { paid: count > 0 && paid.size === 0 ? undefined : paid, slips }
  })
}

/** The timesheets of a person that are paid, in the days that are checked. */
export const sheetsOf = ({ sheets }: Payroll, person: Person): readonly Timesheet[] => liveIn(sheets)(person)

const liveIn = onceFor((sheets: Payroll['sheets']) =>
  onceFor(({ reference }: Person): readonly Timesheet[] => {
    const own = reference === undefined ? undefined : sheets.get(keyOf(reference))
    return own?.filter(({ dead }) => dead === undefined) ?? []
  }),
)

/** A finding with its person. */
export const seenOf = (person: Person, found: RuleFinding): PersonFinding => ({
  person,
  reference: person.reference ?? person.id,
  ...found,
})

/** Whether all people could be read. */
export const hasEverybody = ({ countries }: Payroll): boolean => countries.length === countryIds.length
