import { mostSuggestions, unknownField } from '../../../api/contract/fields/check.ts'
import { anything, type Field } from '../../../api/contract/fields/field.ts'
import { fieldAt, leafFields } from '../../../api/contract/fields/field-tree.ts'
import { normalizeName, pathsByLabel } from '../../../api/contract/fields/labels.ts'
import { nearest } from '../../../api/contract/fields/nearest.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Issue } from '../../../errors.ts'
import { columnLetters } from '../../../formats/column-letters.ts'
import { formatPath, parsePath } from '../../../json/path.ts'
import { rejectColumns } from '../reject-lines.ts'

/** The field that each column of an agency's file fills; null for a column that is not sent. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** The field that a column fills. */
export interface ColumnTarget {
  readonly path: string
  readonly segments: readonly string[]
  readonly field: Field
  /** Whether it is one of several lines, such as an address line. */
  readonly isLine: boolean
}

/** One column of a table. */
export interface Column {
  /** As written in the file. */
  readonly name: string
  /** For messages: `column C (Surname)`. */
  readonly place: string
  /** Undefined if the column is not sent. */
  readonly fills?: ColumnTarget
}

/** No field path is longer, but a cell may hold a whole letter. */
const longestName = 500

/**
 * Finds the field of each column. A header may have field paths, labels, or names that a map translates. `id`, which
 * the service sets, and the last columns of a rejects file are not sent. Unknown, ambiguous and repeated columns are
 * issues.
 */
export function columnsOf(
  type: RecordType,
  header: readonly string[],
  map: ColumnMap = {},
  suggests = true,
): { columns: Column[]; issues: Issue[] } {
  let suggestions = suggests ? mostSuggestions : 0
  const labels = pathsByLabel(type.fields)
  const issues: Issue[] = []
  const ownCount = header.length - (isRejects(header) ? rejectColumns.length : 0)
  const named = header.findLastIndex((name) => name.trim() !== '') + 1
  const columns = header.map((name, at): Column => {
    const place = placeOf(name, at)
    if (at >= ownCount || at >= named) return { name, place }
    const found = fieldFor(name)
    if (found === null) return { name, place }
    if (typeof found === 'object') return { name, place, fills: found }
    issues.push({ path: place, message: found })
    return { name, place }
  })
  return { columns, issues: [...issues, ...findRepeated(columns)] }

  function fieldFor(name: string): ColumnTarget | null | string {
    if (name.trim() === '') return 'has no name: two cells of the header were probably merged'
    const mapped = Object.hasOwn(map, name) ? map[name] : undefined
    if (mapped === null) return null
    if (mapped !== undefined)
      return targetAt(mapped, !type.documented) ?? `the map names ${mapped}, ${unknown(mapped)}`
    if (name.length > longestName) return unknown(name)
    const direct = targetAt(name.trim(), false)
    if (direct) return direct
    if (normalizeName(name) === 'id') return null
    const paths = byLabel(name)
    const [path] = paths
    if (paths.length > 1) return `can mean ${paths.join(' or ')}: write the one that you mean`
    return (path !== undefined && targetAt(path, false)) || unknown(name)
  }

  /** The field at a path; with `any`, even one that is not declared. */
  function targetAt(path: string, any: boolean): ColumnTarget | undefined {
    const segments = parsePath(path)
    const field = fieldAt(type.fields, path) ?? (any ? anything('') : undefined)
    if (!segments || !field || field.fields) return undefined
    const above = fieldAt(type.fields, segments.slice(0, -1).join('.'))
    return { path: formatPath(segments), segments, field, isLine: above?.type === 'lines' }
  }

  /** The paths that a label can mean. It may end in a line number: `Address 2`, `Address line 2`. */
  function byLabel(name: string): readonly string[] {
    const label = normalizeName(name)
    const whole = labels.get(label)
    if (whole) return whole
    const [, of = '', line = ''] = /^(.*?)(?: line)? (\d+)$/.exec(label) ?? []
    const paths = (labels.get(of) ?? []).filter((path) => fieldAt(type.fields, path)?.type === 'lines')
    return line === '' || line === '0' ? [] : paths.map((path) => `${path}[${Number(line) - 1}]`)
  }

  function unknown(name: string): string {
    suggestions -= 1
    if (suggestions < 0 || name.length > longestName) return `not a field of ${type.displayName}`
    const segments = parsePath(name)
    const message = segments && unknownField(type, segments).message
    if (message?.includes('did you mean') || message?.includes('only of')) return message
    const similar = suggestion(name)
    return `not a field of ${type.displayName}${similar === undefined ? '' : `; did you mean ${similar}?`}`
  }

  function suggestion(name: string): string | undefined {
    const known = new Map<string, string>()
    for (const [label, paths] of labels) known.set(label, paths[0] ?? label)
    for (const { path } of leafFields(type.fields)) {
      known.set(path.toLowerCase(), path)
      known.set((path.split('.').at(-1) ?? path).toLowerCase(), path)
    }
    const near = nearest([...known.keys()], normalizeName(name))
    return near === undefined ? undefined : known.get(near)
  }
}

/** How many cells of a row are names of fields: shows that a row is a header. */
export function namesIn(type: RecordType, cells: readonly string[]): number {
  const { columns } = columnsOf(type, cells, {}, false)
  return columns.filter(({ fills }) => fills !== undefined).length
}

/** Whether this is the header of a rejects file: its last columns are the ones that we add. */
export function isRejects(header: readonly string[]): boolean {
  return rejectColumns.every((name, at) => header.at(at - rejectColumns.length) === name)
}

function placeOf(name: string, at: number): string {
  const shown = normalizeName(name) === '' ? '' : ` (${name.replace(/\s+/g, ' ').trim().slice(0, 40)})`
  return `column ${columnLetters(at)}${shown}`
}

/** Columns that fill the same field as an earlier column, or a part of it. */
function findRepeated(columns: readonly Column[]): Issue[] {
  // The first column that fills a path, and the first that fills anything below it.
  const whole = new Map<string, Column>()
  const within = new Map<string, Column>()
  return columns.flatMap((column) => {
    const { fills, place } = column
    if (!fills) return []
    const paths = fills.segments.map((_, at) => fills.segments.slice(0, at + 1).join('.'))
    const own = paths.at(-1) ?? ''
    const same = paths.map((path) => whole.get(path)).find((other) => other !== undefined) ?? within.get(own)
    for (const path of paths) within.set(path, within.get(path) ?? column)
    whole.set(own, whole.get(own) ?? column)
    return same ? [{ path: place, message: `fills the same field as ${same.place}` }] : []
  })
}
