import { constants, createReadStream, openSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import { type Issue, invalidInput, usage } from '../../errors.ts'
import { formatPath, isObject, type Json, type JsonObject, valueAt } from '../../files/json/path.ts'
import { NotJson, readJson } from '../../files/json/read-json.ts'
import { asOpenFailure } from '../../files/table/open-failure.ts'
import { isTableName } from '../../files/table/read-formats.ts'
import { clearedIn } from '../../files/table/row.ts'
import { addedIssues, isBlank, lackingFields, type RecordType } from '../../model/records/record-type.ts'
import { checkRecord } from '../../model/resources/check-record.ts'
import { leftExamples } from '../../model/standards/sample.ts'
import {
  type RecordAsRequest,
  readNewRecord,
  readRecord,
  unknownName,
} from '../../model/values/read-record.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Options } from '../cli/options.ts'
import { namesFields, notSendable, withFieldChanges } from './set-fields.ts'
import { readBytes, sayWhenWaiting } from './standard-input.ts'

/** No record is larger than this, but a file that was named by mistake may be. */
const largestInput = 1024 * 1024

/** Whether the form opens: at a terminal, without any other input. */
export function wantsForm(context: Context, options: Options): boolean {
  return context.interactive && options.file === undefined && !namesFields(options)
}

/** Throws a usage failure for an option without effect: --mask without a form, --strict with one. */
export function assertFormOptions(options: Options, opensForm: boolean): void {
  if (options.strict && opensForm)
    throw usage('--strict has no effect in the form, which asks about every doubt.')
  if (!options.mask || opensForm) return
  throw usage(
    '--mask hides values in the form, and no form opens here.',
    'Without a file, a pipe or --set, a terminal opens the form.',
  )
}

/** The given record, or `base`, under the names of the request, with `--set` on top. Throws exit 3 with the fields. */
export async function givenBody(
  context: Context,
  type: RecordType,
  options: Options,
  base?: JsonObject,
): Promise<{ readonly body: JsonObject; readonly doubts: readonly Issue[] }> {
  const input = base ?? asNewRecord(context, type, await givenRecord(context, options))
  // --set needs an object. For any other value, the check below reports it.
  const { body, doubts } = isObject(input)
    ? withFieldChanges(type, input, options, {
        today: context.today(),
        serviceWords: await (await context.knowledge()).wordsOf(type),
      })
    : { body: input, doubts: [] }
  assertSendable(body, [...checkRecord(type, body), ...leftExamples(type, body)])
  // Standard input may have had the rest of the record, but it was not read.
  const isUnread = !base && options.file === undefined && namesFields(options) && !context.host.stdin.isTTY
  if (!options.incomplete) assertComplete(lackingFields(type, body), isUnread)
  return { body: body as JsonObject, doubts }
}

/** A given record under the names of the request. Throws exit 3 for an unknown name, and for a field with two values. */
export function asNewRecord(context: Context, type: RecordType, input: Json): Json {
  if (!isObject(input)) return input
  const { body, issues, leftOut } = readNewRecord(type, input, true)
  const message = '[clear] empties a field of a record that exists already: leave it out'
  const allIssues = [...issues, ...clearedIn(body).map((path) => ({ path, message }))]
  if (allIssues.length > 0)
    assertSendable(body, [...allIssues, ...checkRecord(type, body), ...leftExamples(type, body)])
  const names = leftOut.map(({ at }) => formatPath(at))
  if (names.length > 0) context.note(`Left out, because only the service sets it: ${names.join(', ')}.`)
  return body
}

/** Reads a change, and throws exit 3 for what is wrong of it, whatever the record holds. */
export function readChange(type: RecordType, input: Json, options: Options, today: string): RecordAsRequest {
  const reading = readRecord(type, isObject(input) ? input : {})
  const change = isObject(input)
    ? withFieldChanges(type, reading.body, options, { today, isUnread: true }).body
    : input
  const there = ({ path }: Issue) => path === '' || valueAt(change, path) !== undefined
  const strange = reading.serviceOwned.length === 0 ? reading.unknown : []
  assertSendable(change, [
    ...reading.issues,
    ...clearedIn(reading.body).map((path) => ({
      path,
      message: `[clear] is for the rows of an import; to empty the field here: --unset ${path}`,
    })),
    ...strange.map((each) => unknownName(type, each)),
    ...checkRecord(type, change).filter(there),
  ])
  return reading
}

/** Throws exit 3 for what a change makes wrong; not for what was wrong in the answer of the service. */
export function assertChanged(
  type: RecordType,
  before: JsonObject,
  after: Json,
  incomplete: boolean | undefined,
): asserts after is JsonObject {
  const findAdded = (issuesOf: typeof checkRecord) => addedIssues(issuesOf, type, before, after)
  assertSendable(after, findAdded(checkRecord))
  if (!incomplete) assertComplete([...findAdded(lackingFields), ...findAdded(lackingReference)])
}

/** Refuses that a record loses its reference: the next import would take it for somebody new. */
function lackingReference(type: RecordType, body: Json): Issue[] {
  const { needs, reference } = type
  if (!needs || !reference || !isBlank(valueAt(body, reference))) return []
  const message = `without it ${type.displayName} is found by the id alone, and an import creates the person again`
  return [{ path: reference, message }]
}

/** Throws a Failure (exit 3) with the issues that a body has, if any. */
export function assertSendable(body: Json, issues: readonly Issue[]): void {
  if (issues.length > 0 && !isObject(body)) throw invalidInput('The input is not one record.', issues)
  if (issues.length > 0) throw notSendable(issues)
}

/** Throws exit 3 for a record that lacks fields. Call it last, because a misspelt field is not a missing one. */
function assertComplete(lacking: readonly Issue[], isInputUnread = false): void {
  if (lacking.length === 0) return
  const unread =
    'Standard input was not read, because --set, --set-raw or --unset is there: to read it too, add --file -. '
  throw invalidInput(
    'The record is incomplete.',
    lacking,
    `${isInputUnread ? unread : ''}To send it without, add --incomplete.`,
  )
}

/** The given record, before any `--set`. Where fields are set, standard input is not opened: it may never end. */
export async function givenRecord(context: Context, options: Options): Promise<Json> {
  const { file } = options
  if (file !== undefined && file !== '-') {
    return parseGiven(await readInputFile(file), file, otherCommand(context, file))
  }
  if (file === undefined && namesFields(options)) return {}
  const { stdin } = context.host
  if (file === undefined && stdin.isTTY) {
    throw usage('There is no input: name a file with --file, pipe JSON in, or set fields with --set.')
  }
  const instead = `To read none, name a file with --file${file === '-' ? '' : ', or set fields with --set'}.`
  const bytes = await sayWhenWaiting(context, 'the record, as JSON', instead, readStream(stdin))
  return parseGiven(
    bytes,
    'Standard input',
    'Pipe in one record as JSON, name a file with --file, or set fields with --set.',
  )
}

/** The command that takes a table instead: one record for create, many for import. */
function otherCommand({ command: [noun = ''], host }: Context, file: string): string | undefined {
  if (!isTableName(file) || !['candidates', 'payment-rates', 'timesheets'].includes(noun)) return undefined
  return `A table is imported: payroll ${noun} import ${shellWord(file, host.platform)}`
}

/** Parses given JSON. Throws exit 3 with the name of the source. */
export function parseGiven(bytes: Uint8Array, source: string, hint?: string): Json {
  try {
    return readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw invalidInput(`${source} holds no record: ${error.message}.`, error.issues, hint)
  }
}

async function readInputFile(path: string): Promise<Uint8Array> {
  try {
    return await readStream(statSync(path).isFIFO() ? await openPipe(path) : createReadStream(path))
  } catch (error) {
    throw asOpenFailure(path, error)
  }
}

/** Opens a named pipe such as `<(jq . starter.json)`. Ctrl-C would not end the wait of an ordinary stream. */
async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net')
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}

const readStream = (stream: Readable) =>
  readBytes(stream, largestInput, invalidInput('The input is larger than 1 MiB: more than one record.', []))
