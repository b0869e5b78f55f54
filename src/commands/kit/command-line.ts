import type { Parameters } from '../../api/route-path.ts'
import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { type JsonObject, valueAt } from '../../files/json/path.ts'
import { type Country, defaultCountry } from '../../model/countries/countries.ts'
import { answerPath } from '../../model/mapping/field-mapping.ts'
import type { Operation } from '../../model/records/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { isCarried, shellWord } from '../../text/shell-word.ts'
import type { ReadyCreation } from '../cli/create-request.ts'
import { nounOf } from '../cli/target.ts'

/** A command to copy. Every word is quoted for the shell, because some come from outside. */
export async function commandLine(context: Context, ...words: readonly string[]): Promise<string> {
  const { name, source } = await context.profile()
  const profile = source.profile === 'flag' && !words.includes('--profile') ? ['--profile', name] : []
  return typedCommand(context, withOptions(words, profile))
}

/** Adds options to a command, before any `--`, because none is read after it. */
export function withOptions(words: readonly string[], more: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return words.toSpliced(end, 0, ...more)
}

/** A command of these words, as it would be typed; without them, that of this run. */
export function typedCommand({ host }: Context, words: readonly string[] = host.argv): string {
  return ['payroll', ...words].map((word) => shellWord(word, host.platform)).join(' ')
}

/** The flag of a country, where a command without it may mean another one. */
export async function countryFlag(context: Context, { id, flag }: Country): Promise<string[]> {
  return id === defaultCountry.id && id === (await configuredCountry(context)) ? [] : [flag]
}

/** Where a record is: an operation on its kind of record, which has the country, and what its path needs. */
interface RecordPlace {
  readonly operation: Operation
  readonly parameters?: Parameters
}

/** The options that choose the country and the person of a place. */
export async function placeFlags(
  context: Context,
  { operation: { country }, parameters: { employeeId } = {} }: RecordPlace,
): Promise<string[]> {
  return [
    ...(country ? await countryFlag(context, country) : []),
    ...(employeeId ? ['--employee', employeeId] : []),
  ]
}

/** A place, with what its record can be found by. */
interface LookUp extends RecordPlace {
  readonly reference?: string | undefined
  /** The fields by which a new record without a reference is found, the best first; `body` has their values. */
  readonly keys?: readonly string[] | undefined
  readonly body?: JsonObject
}

/** By what a new record can be found. */
export function lookUpOf({ verb, type, operation, parameters, body }: ReadyCreation): LookUp {
  // A record with several key fields has no reference of its own: a timesheet has that of its person.
  const isOwn = (verb.claims ?? []).length < 2 && !verb.isRenamed
  const reference = isOwn && type.reference ? textInBody(body, type.reference) : undefined
  return { operation, parameters, reference, keys: verb.keys, body }
}

/** The command that shows whether a write was applied: the record by id or reference, else the list by its first key. */
export async function lookUpCommand(
  context: Context,
  { reference, keys = [], body = {}, ...place }: LookUp,
  ...more: readonly string[]
): Promise<string> {
  const id = place.parameters?.id
  const { platform } = context.host
  const flags = await placeFlags(context, place)
  const line = (...words: readonly string[]) => commandLine(context, nounOf(place.operation), ...words)
  if (id !== undefined) return line('get', id, ...flags, ...more)
  if (reference === undefined || !isCarried(reference, platform))
    return line(
      'list',
      ...flags,
      ...conditionOf(place.operation.requestRecord, keys, body, platform),
      ...more,
    )
  const options = ['--reference', ...flags, ...more]
  // A reference that begins with a hyphen would be read as an option.
  return reference.startsWith('-')
    ? line('get', ...options, '--', reference)
    : line('get', reference, ...options)
}

/** Notes before a write is sent which command shows whether it was applied, for a run that ends early. Returns that. */
export async function expectWrite(context: Context, write: LookUp): Promise<string> {
  const command = await lookUpCommand(context, write)
  context.writes.expect(command)
  return command
}

/** A --where for the first key that has a value. */
function conditionOf(
  type: RecordType | undefined,
  keys: readonly string[],
  body: JsonObject,
  platform: NodeJS.Platform | undefined,
): readonly string[] {
  for (const key of keys) {
    const value = textInBody(body, key)
    if (value !== undefined && isCarried(value, platform))
      return ['--where', `${answerPath(type ?? {}, key)}=${value}`]
  }
  return []
}

function textInBody(body: JsonObject, path: string): string | undefined {
  const value = valueAt(body, path)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
