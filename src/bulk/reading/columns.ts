import { unknownField } from '../../api/contract/check.ts'
import { anything, type Field } from '../../api/contract/field.ts'
import { formatPath, parsePath } from '../../api/contract/path.ts'
import type { RecordType } from '../../api/contract/record.ts'
import { sections } from '../../api/contract/sections.ts'
import { fieldAt, leaves } from '../../api/contract/walk.ts'
import { type Issue, invalidInput } from '../../errors.ts'
import type { ColumnMap } from './source.ts'

/** A column that fills a field. */
export interface Column {
  /** From 0. */
  readonly at: number
  /** As it stands in the file. */
  readonly name: string
  readonly segments: readonly string[]
  readonly field: Field
}

/** What the file of rejects adds to a row. */
export const rejectColumns = ['field', 'message', 'outcome'] as const

/** What an export adds: the service gave it, and gives a new one. */
const ignored = 'id'

/**
 * The columns of a header, by path (`generalSetting.forename`), by label ("Forename", or "Person: Forename" where
 * two fields share it), or as the map says. Throws a Failure (exit 3) that names every column that is none.
 */
export function columnsOf(header: readonly string[], type: RecordType, map: ColumnMap = {}): Column[] {
  const labels = labelsOf(type)
  const issues: Issue[] = []
  const columns: Column[] = []
  const names = withoutRejectColumns(header.map((name) => name.replaceAll('\u00A0', ' ').trim()))
  for (const [at, name] of names.entries()) {
    const place = `row 1, column ${at + 1}`
    const mapped = Object.hasOwn(map, name) ? map[name] : undefined
    if (mapped === null || (mapped === undefined && name === ignored)) continue
    if (name === '') continue
    const found = mapped === undefined ? byName(name, type, labels) : byPath(mapped, type, 'mapped')
    if (!found) {
      const { message } = unknownField(type, parsePath(mapped ?? name) ?? [mapped ?? name])
      issues.push({ path: place, message: `${name}: ${message}` })
    } else {
      const twin = columns.find(({ segments }) => formatPath(segments) === formatPath(found.segments))
      if (twin) issues.push({ path: place, message: `${name}: column ${twin.at + 1} fills the same field` })
      columns.push({ at, name, ...found })
    }
  }
  if (columns.length === 0 && names.length > 0) throw noHeader(issues)
  if (issues.length > 0) {
    throw invalidInput(
      'The columns are not those of the record. Nothing was sent.',
      issues,
      'Rename them, or say with --map what each is. payroll template --csv prints the names.',
    )
  }
  return columns
}

/** The columns that a file of rejects has behind its own are not looked at. */
export function withoutRejectColumns(names: readonly string[]): readonly string[] {
  const last = names.slice(-rejectColumns.length)
  return last.join() === rejectColumns.join() ? names.slice(0, -rejectColumns.length) : names
}

function noHeader(issues: readonly Issue[]) {
  return invalidInput(
    'Row 1 names no field. Nothing was sent.',
    issues.slice(0, 3),
    'If a title stands above the names of the columns, take it away: the first row is the header.',
  )
}

type Found = Pick<Column, 'segments' | 'field'>

function byName(name: string, type: RecordType, labels: ReadonlyMap<string, string>): Found | undefined {
  const path = labels.get(name.toLowerCase())
  return byPath(name, type) ?? (path === undefined ? undefined : byPath(path, type))
}

/** Inside a value whose form is not shown there may be any field; in a record that is not shown where the map says so. */
function byPath(path: string, type: RecordType, mapped?: 'mapped'): Found | undefined {
  const segments = parsePath(path)
  if (!segments) return undefined
  const isInside = segments.some((_, at) => {
    const above = fieldAt(type.fields, formatPath(segments.slice(0, at)))
    return above?.type === 'unknown'
  })
  const open = isInside || (mapped && !type.shown)
  const field = fieldAt(type.fields, path) ?? (open ? anything('') : undefined)
  return field && { segments, field }
}

/** Paths by what the form and the tables call a field, in small letters; no label that two fields share. */
function labelsOf(type: RecordType): ReadonlyMap<string, string> {
  const named = leaves(type.fields).flatMap(({ path, field: { label, section } }) => [
    [label.toLowerCase(), path] as const,
    ...(section ? [[`${sections[section]}: ${label}`.toLowerCase(), path] as const] : []),
    [path.toLowerCase(), path] as const,
  ])
  const twice = new Set(named.map(([name]) => name).filter((name, at, all) => all.indexOf(name) !== at))
  return new Map(named.filter(([name]) => !twice.has(name)))
}
