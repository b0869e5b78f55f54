import { type Issue, invalidInput, usage } from '../../errors.ts'
import {
  formatPath,
  hasNoValue,
  type Json,
  type JsonObject,
  parsePath,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../files/json/path.ts'
import { isClear } from '../../files/table/row.ts'
import { anything, type Field } from '../../model/fields/field.ts'
import { fieldAt, fieldAtPlace } from '../../model/fields/field-tree.ts'
import { type NamedField, requestPlace } from '../../model/mapping/field-mapping.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { unknownField } from '../../model/resources/check-record.ts'
import { onlyElsewhere } from '../../model/resources/country-candidates.ts'
import { plainText } from '../../model/standards/standards.ts'
import { didYouMean, findField, readHeading, severalMeant } from '../../model/values/find-field.ts'
import { type Implied, impliedValue, splitImplied } from '../../model/values/implied-values.ts'
import type { ServiceWords } from '../../model/values/read-code.ts'
import { typedDates } from '../../model/values/read-date.ts'
import { controlsInside, hasControls, readValue } from '../../model/values/read-value.ts'
import { nameSome } from '../../text/words.ts'
import { toListFields } from '../cli/record-types.ts'

/** The fields that --set, --set-raw and --unset name, as they were typed. */
interface FieldChanges {
  readonly set?: readonly string[] | undefined
  readonly setRaw?: readonly string[] | undefined
  readonly unset?: readonly string[] | undefined
  readonly strict?: boolean
}

/** Whether any field is named. */
export const namesFields = ({ set = [], setRaw = [], unset = [] }: FieldChanges): boolean =>
  set.length + setRaw.length + unset.length > 0

interface ChangeOptions {
  /** YYYY-MM-DD. */
  readonly today: string
  /** The value that a cleared field gets; undefined where it is left out. */
  readonly cleared?: (field: Field, path: string) => Json
  /** Whether the record has not been read yet, so that it may have what the change needs. */
  readonly isUnread?: boolean
  readonly serviceWords?: ServiceWords | undefined
}

/**
 * A body with `--set`, `--set-raw` and `--unset` applied. `--set path=` clears. Throws exit 2 for a missing
 * equals sign or a field that is named twice, and exit 3 for an unknown field or a value that cannot be read.
 */
export function withFieldChanges(
  type: RecordType,
  body: JsonObject,
  { set = [], setRaw = [], unset = [], strict = false }: FieldChanges,
  options: ChangeOptions,
): { readonly body: JsonObject; readonly givenValues: JsonObject; readonly doubts: readonly Issue[] } {
  const { isUnread = false } = options
  const unknown: Issue[] = []
  const wrong: Issue[] = []
  const doubts: Issue[] = []
  const changesByPath = new Map<string, TypedReading & SetTarget>()
  let result: Json = body
  let givenValues: Json = {}
  const apply = (segments: readonly string[], reading: TypedReading) => {
    const { value, flaw, notes = [] } = reading
    const path = formatPath(segments)
    if (flaw !== undefined) wrong.push({ path, message: flaw })
    for (const message of notes) if (message !== undefined) doubts.push({ path, message })
    if (!('value' in reading)) return
    result = value === undefined ? withoutValueAt(result, segments) : withValueAt(result, segments, value)
    givenValues = withValueAt(givenValues, segments, value)
  }
  const style = { ...options, currency: type.currency, isStrict: strict && !isUnread }
  const changes: readonly TypedChange[] = [
    ...set.map((each) => splitChange(each, '--set')),
    ...setRaw.map((each) => splitChange(each, '--set-raw')),
    ...unset.map((name) => ({ option: '--unset', name, text: '' }) as const),
  ]
  for (const change of changes) {
    const target = targetOf(type, change, body, isUnread)
    if ('message' in target) {
      unknown.push(target)
      continue
    }
    const path = formatPath(target.segments)
    if (changesByPath.has(path)) throw usage(`${change.name} is named twice.`)
    const reading = readTypedChange(change, target, valueAt(body, target.segments), style)
    apply(target.segments, reading)
    changesByPath.set(path, { ...target, ...reading })
  }
  for (const { segments, implied } of changesByPath.values()) {
    const impliedField =
      implied && impliedValue(type, segments, implied, { record: result, given: givenValues })
    // A record that was not read yet may have the day of a kind.
    if (!impliedField || (isUnread && 'flaw' in impliedField && 'kind' in implied)) continue
    const { path, note, ...reading } = impliedField
    apply(path.split('.'), { ...reading, notes: [note] })
  }
  if (unknown.length > 0)
    throw invalidInput(
      `${nameSome(
        unknown.map(({ path }) => `"${path}"`),
        5,
      )} cannot be set.`,
      [...unknown, ...wrong],
      toListFields(type.fields),
    )
  if (wrong.length > 0) throw notSendable(wrong)
  return { body: result as JsonObject, givenValues: givenValues as JsonObject, doubts }
}

/** One field that is changed, as it was typed; the text is empty for a field that is cleared. */
interface TypedChange {
  readonly option: '--set' | '--set-raw' | '--unset'
  readonly name: string
  readonly text: string
}

/** The value that a typed text stands for. Without a value nothing is set; a flaw refuses the whole change. */
interface TypedReading {
  readonly value?: Json
  readonly flaw?: string
  /** How it was understood, and what is doubtful of it. */
  readonly notes?: readonly (string | undefined)[]
  readonly implied?: Implied | undefined
}

interface TypedStyle extends ChangeOptions {
  readonly currency: string | undefined
  /** True where a doubt refuses a value. */
  readonly isStrict: boolean
}

/** Reads typed text as the form does, with the day before the month; `null` where interface.md shows null. */
function readTypedChange(
  { option, name, text: valueText }: TypedChange,
  target: SetTarget,
  before: Json,
  { cleared = () => undefined, isStrict, today, serviceWords, currency }: TypedStyle,
): TypedReading {
  const { segments, field } = target
  // A loop over a file of Windows leaves a carriage return at the end.
  const text = valueText.trim()
  if (option === '--set-raw') {
    const other = notAsText[field.type]
    return other === undefined
      ? { value: valueText }
      : { flaw: `expected ${other}, and --set-raw sends text: use --set` }
  }
  const toEmpty = `to empty the field: --unset ${/\s/.test(name) ? `"${name}"` : name}`
  if (text === '') {
    assertClearable(name, target)
    const value = cleared(field, segments.join('.'))
    if (option === '--unset' || hasNoValue(before)) return { value }
    // In a script it may be a variable that is empty.
    return isStrict
      ? { flaw: `nothing stands after the =; ${toEmpty}` }
      : { value, notes: ['nothing stands after the =, so the field is emptied'] }
  }
  if (isClear(text)) return { flaw: `[clear] is for the cells of an import; ${toEmpty}` }
  if (/^(…|\.{3})$/.test(text)) return { flaw: `${text} stands for a value: put the value there` }
  if (valueText === 'null' && field.nullable) return { value: null }
  if (field.type !== 'lines' && hasControls(text)) return { flaw: controlsInside }
  const style = { ...typedDates(today), serviceWords, currency, isAlone: true }
  const reading = readValue(field, plainText(text), style)
  if ('flaw' in reading) return { flaw: reading.flaw }
  const { doubt, note } = reading
  const parts = splitImplied(field, reading.value, reading.kind)
  return doubt && isStrict
    ? { ...parts, flaw: `${doubt.message}. To send it, leave out --strict`, notes: [note] }
    : { ...parts, notes: [doubt?.message, note] }
}

/** The failure (exit 3) that lists each field that cannot be sent. */
export const notSendable = (issues: readonly Issue[]) =>
  invalidInput(
    issues.length === 1
      ? 'One field cannot be sent as it is.'
      : `${issues.length} fields cannot be sent as they are.`,
    issues,
  )

const notAsText: Partial<Readonly<Record<Field['type'], string>>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  lines: 'a list',
  array: 'a list',
  object: 'an object',
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

/** The field that a name means, or why it means none. Throws a usage failure for text that cannot be a name. */
function targetOf(
  type: RecordType,
  { option, name }: TypedChange,
  body: JsonObject,
  isUnread: boolean,
): SetTarget | Issue {
  const segments = parsePath(name)
  // A path in an answer counts, too, where the answer never returns the field: pensionSetting.scheme.
  const place = segments && segments.length > 1 ? requestPlace(type, segments) : segments
  const direct = place && fieldAtPlace(type.fields, place)
  if (direct) return { segments: place, field: direct }
  const { found, near = [], isAmbiguous = false } = findField(type.fields, name)
  // A record whose fields interface.md does not show may have a field of any name, so only an exact label
  // counts.
  const isMeant = type.documented || found?.field.label === name
  const request = isMeant && found?.request ? parsePath(found.request) : undefined
  if (found && request) return { segments: request, field: found.field }
  // A record that was not read yet may have a field of any name.
  const mayHave = (segments: readonly string[]) => isUnread || valueAt(body, segments) !== undefined
  const field = segments && undeclaredField(type, segments, mayHave)
  if (field) return { segments, field }
  // `hours` of a timesheet, as the column of an import is called.
  const { path: ofLine = '' } = found ? {} : readHeading(type, name)
  if (ofLine.includes('[0]'))
    return { path: name, message: `each line has its own: name that of the line, such as ${ofLine}` }
  const owned = found?.request ? undefined : (found ?? ownedByService(type, near))
  if (owned) {
    const { note } = owned.field
    return { path: name, message: ['only the service sets this field', note].filter(Boolean).join('. ') }
  }
  if (isAmbiguous) return { path: name, message: severalMeant(near) }
  const only = onlyElsewhere(type, (other) => findField(other.fields, name).found !== undefined)
  if (only !== undefined) return { path: name, message: only }
  // Words without a dot or a bracket are no broken path: they name no field.
  if (!segments && !/^\p{L}[^.[\]]*$/u.test(name))
    throw usage(
      `${option} takes the path of a field, as in ${option} payrollSetting.taxCode${option === '--unset' ? '' : '=1257L'}.`,
    )
  const { path, message } = segments
    ? unknownField(type, segments)
    : { ...unknownField(type, [name]), path: name }
  const isBare = /^not a field of [^;,]*$/.test(message)
  const why = type.documented ? message : `${message} that payroll knows`
  const suggestions = found?.request ? [found.request] : near
  return { path, message: isBare && suggestions.length > 0 ? `${why}. ${didYouMean(suggestions)}` : why }
}

/** The field that a heading means which names only fields that the service sets: `leaver`. */
function ownedByService(type: RecordType, paths: readonly string[]): NamedField | undefined {
  const fields = paths.map((path) => findField(type.fields, path).found)
  return fields.every((each) => each && !each.request) ? fields[0] : undefined
}

/** A field that is not declared: inside a value of unknown form, or any that an undocumented record has. */
function undeclaredField(
  type: RecordType,
  segments: readonly string[],
  mayHave: (segments: readonly string[]) => boolean,
): Field | undefined {
  if (!type.documented && mayHave(segments)) return anything('')
  const inside = segments.some((_, at) => {
    const above = fieldAt(type.fields, formatPath(segments.slice(0, at)))
    return above?.type === 'unknown'
  })
  return inside ? anything('') : undefined
}

function splitChange(set: string, option: TypedChange['option']): TypedChange {
  const at = set.indexOf('=')
  if (at < 1) throw usage(`${option} takes path=value, as in ${option} payrollSetting.taxCode=1257L.`)
  return { option, name: set.slice(0, at), text: set.slice(at + 1) }
}
