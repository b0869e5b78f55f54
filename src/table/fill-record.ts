import { splitTaxCode } from '../api/contract/standards/tax-code.ts'
import { isIndex, isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import type { Column } from './file-columns.ts'
import type { FindColumn } from './find-column.ts'
import type { RowIssue } from './row.ts'

/** Puts the value of the column `at` into a record. */
type FillRecord = (at: number, value: Json) => void

/** An object or a list that holds the values of columns. */
interface Holder {
  /** The holder around it; undefined for the record itself. */
  readonly around: number | undefined
  readonly name: string
  readonly isList: boolean
}

interface Target {
  readonly holder: number
  readonly name: string
  readonly isLine: boolean
}

/**
 * Works out once where the values of each column go. Address lines are in their order, whatever that of the columns, and
 * close up when a cell is empty; in other lists the number in the path is the position.
 */
export function recordFiller(columns: readonly Column[]): () => {
  readonly record: JsonObject
  readonly fill: FillRecord
  /** Closes up the lines of an address. */
  readonly close: () => void
} {
  const holders: Holder[] = []
  const known = new Map<string, number>()
  const holderAt = (segments: readonly string[], isList: boolean): number => {
    const path = segments.join('.')
    const before = known.get(path)
    if (before !== undefined) return before
    const around =
      segments.length === 0 ? undefined : holderAt(segments.slice(0, -1), isIndex(segments.at(-1) ?? ''))
    known.set(path, holders.push({ around, name: segments.at(-1) ?? '', isList }) - 1)
    return holders.length - 1
  }
  const targets = columns.map(({ fills }): Target | undefined => {
    if (!fills) return undefined
    const name = fills.segments.at(-1) ?? ''
    return { holder: holderAt(fills.segments.slice(0, -1), isIndex(name)), name, isLine: fills.isLine }
  })
  return () => {
    const record: JsonObject = {}
    const made: (JsonObject | Json[] | undefined)[] = []
    const withLines: Json[][] = []
    const open = (at: number): JsonObject | Json[] => {
      const { around, name, isList } = holders[at] as Holder
      made[at] ??= around === undefined ? record : put(open(around), name, isList ? [] : {})
      return made[at] as JsonObject | Json[]
    }
    return {
      record,
      fill(at, value) {
        const { holder, name, isLine } = targets[at] as Target
        const inside = open(holder)
        put(inside, name, value)
        if (isLine && Array.isArray(inside) && !withLines.includes(inside)) withLines.push(inside)
      },
      close() {
        for (const list of withLines) list.splice(0, list.length, ...list.filter(() => true))
      },
    }
  }
}

function put<T extends Json>(holder: JsonObject | Json[], name: string, value: T): T {
  ;(holder as JsonObject)[name] = value
  return value
}

/** What became of a code that stands for two fields: a remark, or an issue if the other field says something else. */
interface SplitCode {
  readonly note?: RowIssue
  readonly issue?: RowIssue
}

/** Puts week 1/month 1, where it stands behind the tax code of a record, into the tax basis beside it, as the form does. */
export type SplitCodes = (record: JsonObject) => SplitCode

/** Looks once where a table has tax codes. */
export function codeSplitter(columns: readonly Column[], find: FindColumn): SplitCodes {
  const column = columns.findIndex(({ fills }) => fills?.field.standard === 'tax-code')
  const { fills, place } = columns[column] ?? {}
  if (!fills) return () => ({})
  const { path, segments } = fills
  const [above, name] = [segments.slice(0, -1), segments.at(-1) ?? '']
  const basisPath = [...above, 'taxBasis'].join('.')
  return (record) => {
    const section = valueAt(record, above)
    const written = isObject(section) ? section[name] : undefined
    const split = typeof written === 'string' ? splitTaxCode(written) : undefined
    if (!split || !isObject(section)) return {}
    const { taxBasis } = section
    section[name] = split.taxCode
    if (taxBasis === undefined) {
      section.taxBasis = split.taxBasis
      const message = `${place}: W1, M1 or X behind the code is sent as the tax basis ${split.taxBasis}`
      return { note: { path, message, column } }
    }
    if (taxBasis === split.taxBasis) return {}
    const basis = find(basisPath)
    const message = `${basis?.place}: it contradicts the W1, M1 or X behind the code in ${place}`
    return { issue: { path: basisPath, message, ...(basis && { column: basis.column }) } }
  }
}
