import type { Country, CountryId } from '../api/contract/countries/countries.ts'
import type { Person as Identity } from '../import/person-likeness.ts'
import type { Json } from '../json/path.ts'

/** What a record has in the fields that were wanted, by the path of each in a request: `bankSetting.sortCode`. */
export interface FieldValues extends Iterable<readonly [path: string, value: Json]> {
  get(path: string): Json
}

/** Somebody in the list of a country, with what the rules need of the record. */
export interface Person extends Identity {
  readonly country: Country
  readonly forename: string
  readonly surname: string
  readonly values: FieldValues
}

/** A timesheet as the rules see it. Days are YYYY-MM-DD, and empty where the service shows none. */
export interface Timesheet {
  readonly id: string | undefined
  /** Of the person who worked. */
  readonly reference: string
  readonly first: string
  readonly last: string
  readonly lines: readonly WorkedLine[]
}

/** One rate of a timesheet. */
interface WorkedLine {
  /** What an hour is paid; undefined where there is no rate, or its unit is no time. */
  readonly hourly: number | undefined
  readonly hours: number | undefined
}

/** Days from the first to the last, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** Everything that was read, whole, before a rule looks at it. */
export interface Payroll {
  /** The day for which it is checked: the end of the week that was asked for, or today. */
  readonly day: string
  /** Today, as YYYY-MM-DD. */
  readonly today: string
  /** The week that was asked for. */
  readonly week: Days | undefined
  readonly people: readonly Person[]
  /** Those with a reference, as `keyOf` writes it; of several with one reference, the first. */
  readonly byReference: ReadonlyMap<string, Person>
  /** The countries whose people could be read. */
  readonly countries: ReadonlySet<CountryId>
  /** By country, the fields that some record shows. */
  readonly shown: Readonly<Record<CountryId, ReadonlySet<string>>>
  /** Those of the days that are checked, by the reference of the person, as `keyOf` writes it. */
  readonly timesheets: ReadonlyMap<string, readonly Timesheet[]>
  /** Whom the payslips are of: references and names, as `keyOf` and `nameKey` write them; undefined where they say neither. */
  readonly paid: ReadonlySet<string> | undefined
}
