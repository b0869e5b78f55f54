import { unknownField } from '../api/contract/fields/check.ts'
import { anything, type Field } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { standardForm } from '../api/contract/standards/standard-form.ts'
import { type Issue, invalidInput, usage } from '../errors.ts'
import { writtenNumber } from '../json/numbers.ts'
import {
  formatPath,
  type Json,
  type JsonObject,
  parsePath,
  withoutValueAt,
  withValueAt,
} from '../json/path.ts'
import { NotJson, readJsonText } from '../json/read-json.ts'
import { didYouMean, findField } from '../values/find-field.ts'

/** The fields that --set and --unset name, as they were typed. */
export interface FieldChanges {
  readonly set?: readonly string[]
  readonly unset?: readonly string[]
}

/**
 * A body with `--set path=value` and `--unset path` laid on top, each value read as the type of its field. `--set path=`
 * clears like `--unset path`; `cleared` is the value that a field then has, undefined for a field that is left out.
 * Throws a Failure: exit 2 for a --set without an equals sign, exit 3 for a field that the record does not have.
 */
export function withChanges(
  type: RecordType,
  body: JsonObject,
  { set = [], unset = [] }: FieldChanges,
  cleared: (field: Field) => Json = () => undefined,
): JsonObject {
  const issues: Issue[] = []
  const done = new Set<string>()
  let result: Json = body
  for (const { name, text } of [...set.map(split), ...unset.map((name) => ({ name, text: '' }))]) {
    const target = targetOf(type, name)
    if ('message' in target) {
      issues.push(target)
      continue
    }
    const { segments, field } = target
    const path = segments.join('.')
    if (done.has(path)) throw usage(`--set and --unset name ${name} twice.`)
    done.add(path)
    if (text === '') assertClearable(name, target)
    const value = text === '' ? cleared(field) : readAs(field, text)
    result = value === undefined ? withoutValueAt(result, segments) : withValueAt(result, segments, value)
  }
  if (issues.length > 0) throw invalidInput('A field that was set does not exist.', issues)
  return result as JsonObject
}

/**
 * What clears a field of a record that exists: null where interface.md shows it, an empty text or list. Any other field
 * is left out of the request.
 */
export function emptyValue({ type, nullable }: Field): Json {
  if (nullable) return null
  if (type === 'string') return ''
  return type === 'lines' || type === 'array' ? [] : undefined
}

function assertClearable(name: string, { segments, field }: SetTarget): void {
  if (field.type === 'object')
    throw usage(`${name} is a whole section: name the fields that you want to clear.`)
  if (/^\d+$/.test(segments.at(-1) ?? ''))
    throw usage(`${name} is one element of a list: set the whole list instead.`)
}

interface SetTarget {
  readonly segments: readonly string[]
  readonly field: Field
}

/** The field that a name means, or why it means none. Throws a usage failure for what can be no name. */
function targetOf(type: RecordType, name: string): SetTarget | Issue {
  const segments = parsePath(name)
  const direct = segments && fieldAt(type.fields, name)
  if (direct) return { segments, field: direct }
  const { found, near = [], isAmbiguous = false } = findField(type.fields, name)
  // A record that is not shown may have a field of any name: only a label as it is written means another.
  const isMeant = type.documented || found?.field.label === name
  const request = isMeant && found?.request ? parsePath(found.request) : undefined
  if (found && request) return { segments: request, field: found.field }
  const field = segments && settable(type, segments)
  if (field) return { segments, field }
  if (found) return { path: name, message: 'only the service sets this field' }
  if (isAmbiguous)
    return { path: name, message: `can mean ${near.join(' or ')}: write the one that you mean` }
  if (!segments) throw usage('--set takes the path of a field, as in --set payrollSetting.taxCode=1257L')
  const { path, message } = unknownField(type, segments)
  const isBare = /^not a field of [^;,]*$/.test(message)
  return { path, message: isBare && near.length > 0 ? `${message}. ${didYouMean(near)}` : message }
}

/** The field at a path. A record that is not shown, and a value whose form is not shown, may hold any. */
function settable(type: RecordType, segments: readonly string[]): Field | undefined {
  const field = fieldAt(type.fields, formatPath(segments))
  if (field || !type.documented) return field ?? anything('')
  const inside = segments.some((_, at) => {
    const above = fieldAt(type.fields, formatPath(segments.slice(0, at)))
    return above?.type === 'unknown'
  })
  return inside ? anything('') : undefined
}

function split(set: string): { name: string; text: string } {
  const at = set.indexOf('=')
  if (at < 1) throw usage('--set takes path=value, as in --set payrollSetting.taxCode=1257L')
  return { name: set.slice(0, at), text: set.slice(at + 1) }
}

/** Typed text as the JSON of its field. What cannot be read stays text, for the check to name. */
function readAs(field: Field, text: string): Json {
  if (text === 'null' && field.nullable) return null
  switch (field.type) {
    case 'number':
    case 'integer':
      return writtenNumber(text) ?? text
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text
    case 'lines':
      return text.startsWith('[') ? parsed(text) : [text]
    case 'array':
    case 'object':
    case 'unknown':
      return parsed(text)
    default:
      return standardForm(field.standard, text) ?? text
  }
}

function parsed(text: string): Json {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  try {
    return readJsonText(text)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const names = error.issues.map((issue) => issue.path).join(', ')
    throw usage(`--set cannot take this value: ${error.message}${names && ` (${names})`}.`)
  }
}
