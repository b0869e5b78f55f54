import type { Issue } from '../../errors.ts'
import { inEveryRecord } from '../../model/mapping/map-record.ts'
import type { PlacedValue } from '../../model/values/read-record.ts'
import type { KnownBy } from '../../model/whose.ts'
import { nameSome } from '../../text/words.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../json/path.ts'

/** A message about a row, and of a table the cell that it is about. */
export interface RowIssue extends Issue {
  /** The column, 0 for the first; undefined for JSON, and for the row as a whole. */
  readonly column?: number | undefined
  /** The row that it is about, where the record is made of several. */
  readonly row?: number
  /** Whether it is about this cell beside another one, and not about what stands in it alone. */
  readonly isBesideOther?: boolean
  /** Whether the row is left out, by a person who was asked or by what it says: it does not hold back the others. */
  readonly isLeftOut?: boolean | undefined
}

/** The values of a row, without what is worked out of them. */
type RowValues = Omit<FileRow, keyof RowChecks>

/** The members of a row that are worked out when somebody asks for them. */
interface RowChecks {
  readonly issues: () => readonly RowIssue[]
  readonly warnings: () => readonly RowIssue[]
  readonly digest: () => string
}

/**
 * One record of a file. Its checks are worked out once. A class that names its members: V8 keeps a shape for every object
 * with accessors, and for one that gets its members later, 40 MB of 5,000 people.
 */
export class FileRow {
  /** Row number as a person counts; the header of a CSV is row 1. */
  readonly row!: number
  /** The content of the file: the cells of a line, or the object. */
  readonly original!: readonly string[] | JsonObject
  readonly record!: JsonObject
  /** The id that stands in the file beside the record, as an export has it. It is compared, and not sent. */
  readonly givenId?: string | undefined
  /** What only the service sets. It is compared too. */
  readonly serviceOwned?: readonly PlacedValue[] | undefined
  /** Paths of the fields that the row says are to be empty. */
  readonly cleared?: readonly string[] | undefined
  /** Paths of the fields whose value is a guess, which the file does not say: a record that has a value keeps it. */
  readonly guessed?: readonly string[] | undefined
  /** In a table: the places of the lines that are not empty, by the path of the list that columns fill line by line. */
  readonly places?: ReadonlyMap<string, readonly number[]> | undefined
  /** By path, the sign of the currency that a cell writes at its amount. */
  readonly currencies?: ReadonlyMap<string, string> | undefined
  /** Values that were read out of a cell that says them in other words. */
  readonly notes?: readonly RowIssue[] | undefined
  /** The rows of the file that make the record, in their order, where it is made of several: its own is the first of them. */
  readonly parts?: readonly FileRow[] | undefined
  /** The other names of what lines of the record name, such as the code of a payment rate by its id. A service may show any. */
  readonly otherNames?: ReadonlyMap<string, readonly string[]> | undefined
  /** Who worked, of a sheet of hours. The record has the reference or the id alone. */
  readonly person?: KnownBy | undefined
  /**
   * The days that the file has, and which are without hours, where a record is made of some of its days. The record
   * does not say them.
   */
  readonly days?: readonly string[] | undefined
  readonly #checks: RowChecks
  #issues: readonly RowIssue[] | undefined
  #warnings: readonly RowIssue[] | undefined
  #digest: string | undefined

  constructor(values: RowValues, checks: RowChecks) {
    Object.assign(this, values)
    this.#checks = checks
  }

  /** Errors. A row that has one is not sent. */
  get issues(): readonly RowIssue[] {
    this.#issues ??= this.#checks.issues()
    return this.#issues
  }

  get warnings(): readonly RowIssue[] {
    this.#warnings ??= this.#checks.warnings()
    return this.#warnings
  }

  /** A digest of the file's text: the same as long as the file was not changed. */
  get digest(): string {
    this.#digest ??= this.#checks.digest()
    return this.#digest
  }
}

/** A row that is checked on demand. Every row is made here: `{ ...row }` has its values alone. */
export const rowWith = (values: RowValues, checks: RowChecks): FileRow => new FileRow(values, checks)

/** The numbers of the rows of the file that make a record. */
export const rowNumbers = ({ row, parts }: Pick<FileRow, 'row' | 'parts'>): readonly number[] =>
  parts ? parts.map((part) => part.row) : [row]

/** What a row says of what only the service sets. `isCompared`: with the record that the row changes. */
export function leftToService(values: readonly PlacedValue[], isCompared: boolean | undefined) {
  return {
    serviceOwned: values.length > 0 ? values : undefined,
    notes: isCompared ? [] : values.flatMap(notSent),
  }
}

/** Says that a value is not sent which a person would miss: no id, and not when the record was made. */
function notSent({ at }: PlacedValue): Issue[] {
  const path = formatPath(at)
  const message = `${path} is not sent, because only the service sets it`
  return inEveryRecord.has(at.at(-1) ?? '') ? [] : [{ path, message }]
}

/** The word in a cell, or in JSON, for a field that is to be empty: an empty cell says nothing. */
const clearMark = '[clear]'

/** Whether a cell or a value says that its field is to be empty. */
export const isClear = (value: Json): boolean =>
  typeof value === 'string' && value.includes('[') && value.trim().toLowerCase() === clearMark

/** Paths of the fields that a record says are to be empty, lists and sections among them. */
export function clearedIn(record: JsonObject, above = '', paths: string[] = []): string[] {
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (isClear(value)) paths.push(above + name)
    else if (isObject(value)) clearedIn(value, `${above}${name}.`, paths)
    else if (Array.isArray(value))
      value.forEach((each, at) => {
        if (isClear(each)) paths.push(`${above}${name}[${at}]`)
        else if (isObject(each)) clearedIn(each, `${above}${name}[${at}].`, paths)
      })
  }
  return paths
}

/** The message about `[clear]` for a new record, which has nothing to empty. */
export const clearsNothing = `${clearMark} empties a field of a record that exists already: add --update`

/** The message about `[clear]` for a field of one line: which line of the record it is, its other fields do not say for sure. */
export const clearsNoLine = (path: string) =>
  `${clearMark} does not empty a field of one line: update --unset '${path}' does`

/** `row 2`, `rows 2, 3 and 6`, `rows 2, 3, 4, 5, 6, 7 and 12 more`. `count`: how many there are, if `rows` has only the first. */
export function rowList(rows: readonly number[], count = rows.length): string {
  return `${count === 1 ? 'row' : 'rows'} ${nameSome(rows, 6, count)}`
}
