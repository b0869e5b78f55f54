import type { Issue } from '../../../errors.ts'
import { formatPath, isObject } from '../../../json/path.ts'
import type { Field, Fields } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { crossChecks } from './cross-checks.ts'
import { timesheetUnits } from './plausible.ts'
import { checkValue } from './standards.ts'
import type { Warning } from './warning.ts'

/**
 * Everything in a body that does not fit a public standard. The user may ignore these warnings. No message shows a
 * sensitive value. `today` is YYYY-MM-DD.
 */
export function warnings(type: RecordType, body: unknown, today: string): Issue[] {
  if (!isObject(body)) return []
  const found = inFields(type.fields, body, [], today)
  if (type.fields.rates) return [...found, ...timesheetUnits(body)]
  return type.fields.payrollSetting ? [...found, ...crossChecks(body, today)] : found
}

/** What a public standard doubts of a changed body, and did not before the change. */
export function addedWarnings(type: RecordType, before: unknown, after: unknown, today: string): Issue[] {
  const lineOf = ({ path, message }: Issue) => `${path}: ${message}`
  const old = new Set(warnings(type, before, today).map(lineOf))
  return warnings(type, after, today).filter((doubt) => !old.has(lineOf(doubt)))
}

type Segments = readonly PropertyKey[]

function inFields(fields: Fields, record: Record<string, unknown>, under: Segments, today: string): Issue[] {
  const found: Issue[] = []
  for (const name in fields) {
    const field = fields[name]
    if (!field || !Object.hasOwn(record, name)) continue
    const issues = inField(field, record[name], under, name, today)
    if (issues.length > 0) found.push(...issues)
  }
  return found
}

/** The place is put together only where there is something to say of it. */
function inField(
  field: Field,
  value: unknown,
  under: Segments,
  name: PropertyKey,
  today: string,
): readonly Issue[] {
  const { fields, item } = field
  if (fields) return isObject(value) ? inFields(fields, value, [...under, name], today) : none
  if (item) {
    return Array.isArray(value)
      ? value.flatMap((each, index) => inField(item, each, [...under, name], index, today))
      : none
  }
  const warning = checkValue(field, value, today)
  return warning ? [{ path: formatPath([...under, name]), message: sentence(field, warning) }] : none
}

const none: readonly Issue[] = []

function sentence(field: Field, { message, suggestion }: Warning): string {
  return suggestion === undefined || field.sensitive ? message : `${message}; did you mean ${suggestion}?`
}
