import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { answerPath, mappingOf, valueInResponse } from '../api/contract/mapping/field-mapping.ts'
import { isMask } from '../api/contract/mapping/service-masks.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import { fetchPage } from '../api/pages.ts'
import type { Options } from '../cli/options.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import { declined, Failure, usage } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import { openPrompts } from './open-prompts.ts'
import { fieldsShownToday, rememberShownFields } from './shown-fields.ts'
import type { UpdatePlan, WholeRecord } from './update-plan.ts'

/**
 * The one place that decides what becomes of a field that a record came back without. An update sends the record
 * whole, and what it does not send may be cleared: so no field is lost in silence.
 */

/** A field or a section that a record came back without, although it may have it. */
export interface MissingPart {
  readonly path: string
  /** For a person: `account number`, `bank details`. */
  readonly name: string
  /** As --allow-missing takes it. */
  readonly option: string
  readonly why: string
}

/** A guarded field that a record may have lost: not there, not said to be null, and not in a section that is absent. */
type Judged = (path: string) => boolean

/** Throws a usage failure for an --allow-missing that names nothing which an update of this record guards. */
export function assertAllowable(type: RecordType, { allowMissing = [] }: Options): void {
  for (const name of allowMissing) {
    if (pathOf(type, name) !== undefined) continue
    throw usage(
      `--allow-missing ${name} names no field or section that an update of ${type.displayName} waits for.`,
      `It takes: ${guardedPaths(type)
        .map((path) => optionOf(type, path))
        .join(', ')}`,
    )
  }
}

/**
 * What the record came back without, although it may have it: every section, and each guarded field of which nothing
 * shows that there is none. Reads a page of the list and at most a few other records, and only where a field is missing
 * that the options do not allow.
 *
 * @param isGiven whether the update gives the field itself
 */
export async function findMissing(
  plan: UpdatePlan,
  list: Target | undefined,
  { record, body, absent }: WholeRecord,
  options: Options,
  isGiven: Judged = () => false,
): Promise<MissingPart[]> {
  const { type } = plan
  const allowed = (options.allowMissing ?? []).map((name) => pathOf(type, name))
  const isAllowed: Judged = (path) => allowed.some((each) => path === each || path.startsWith(`${each}.`))
  const sections = absent.filter((path) => !path.includes('.') && !isAllowed(path))
  const fields = (type.guarded ?? []).filter(
    (path) =>
      valueAt(body, path.split('.')) === undefined &&
      !isNull(type, record, path) &&
      !absent.some((section) => path.startsWith(`${section}.`)) &&
      !isGiven(path) &&
      !isAllowed(path),
  )
  const hidden = fields.length === 0 ? [] : await hiddenFields(plan, list, fields, options)
  return [
    ...sections.map((path) => part(type, path, 'the service did not return this section')),
    ...hidden.map(({ path, why }) => part(type, path, why)),
  ]
}

/**
 * Refuses to send a record without these, unless a person says yes to each. Throws a Failure (exit 10) without a
 * terminal, whatever --yes says: that answers "send this?", and nothing else.
 */
export async function confirmMissing(
  { context }: UpdatePlan,
  missing: readonly MissingPart[],
  isDryRun: boolean,
): Promise<void> {
  if (missing.length === 0) return
  if (!context.interactive) {
    const names = new Intl.ListFormat('en-GB').format(missing.map(({ name }) => name))
    throw new Failure('invalid-response', `The service returned this record without ${names}.`, {
      outcome: 'not-sent',
      issues: missing.map(({ path, why }) => ({ path, message: why })),
      hint: `Check whether the record has any: what is not sent may be cleared. To send the update without, add ${optionsFor(missing)}`,
    })
  }
  for (const { path, why } of missing) context.warn(`${path}: ${why}. The service may clear it.`)
  if (isDryRun) return
  const ask = await openPrompts(context)
  for (const { name } of missing) {
    if (await ask.confirm({ message: `Send it without ${name}?`, default: false })) continue
    throw declined('Not confirmed.')
  }
}

/** Names what a form or an editor shows empty although the record may have it. */
export function warnOfMissing({ context }: UpdatePlan, missing: readonly MissingPart[]): void {
  for (const { path, why } of missing) {
    context.warn(`${path} is empty here, but ${why}: enter it again, or you are asked about it.`)
  }
}

/** Says which sections an update leaves out, or sends in part. */
export function warnOfSections({ context, type }: UpdatePlan, { absent }: WholeRecord, after: Json): void {
  for (const section of absent) {
    const isSet = valueAt(after, section.split('.')) !== undefined
    const sends = isSet ? 'only what you set of them' : 'none'
    context.warn(
      `the service returned no ${part(type, section, '').name} for this record, so the update sends ${sends}, and the service may clear them.`,
    )
  }
}

const optionsFor = (missing: readonly MissingPart[]) =>
  missing.map(({ option }) => `--allow-missing ${option}`).join(' ')

/** More records than these are not read to see whether the service shows a field at all. */
const mostRecords = 3

/** assumed: as many as a page may have. "maximum 100" */
const pageSize = 100

interface Hidden {
  readonly path: string
  readonly why: string
}

/**
 * Which of these fields may be hidden. A service that shows a field of others leaves out what is empty, so this record
 * has none; one that shows it of nobody may hide it, and one whose list shows it of this record does.
 */
async function hiddenFields(
  plan: UpdatePlan,
  list: Target | undefined,
  paths: readonly string[],
  options: Options,
): Promise<Hidden[]> {
  const { context, type, reads, id, parameters } = plan
  const known = await fieldsShownToday(context, reads)
  const open = new Set(paths.filter((path) => !known.includes(path)))
  if (open.size === 0) return []
  const hidden: Hidden[] = []
  const shown: string[] = []
  const settle = (path: string, why?: string) => {
    open.delete(path)
    if (why !== undefined) hidden.push({ path, why })
  }
  const client = await context.client()
  const items = list ? await listed() : []
  const isThis = (item: JsonObject) => answeredIds(type, item).includes(id)
  const own = items.find(isThis)
  const others = items.filter((item) => !isThis(item) && answeredIds(type, item).length > 0)
  for (const path of open) {
    const value = own && answeredValue(type, own, path)
    if (value === undefined) continue
    // null and '' say that there is none.
    settle(path, hasValue(value) ? 'the list shows that this record has it' : undefined)
  }
  const showing = (item: JsonObject) => [...open].filter((path) => shows(type, item, path)).length
  const nearest = others.toSorted((one, other) => showing(other) - showing(one)).slice(0, mostRecords)
  const inList = new Map([...open].map((path) => [path, others.some((item) => shows(type, item, path))]))
  for (const item of nearest) {
    if (open.size === 0) break
    const record = await recordOf(item)
    if (!record) continue
    for (const path of open) {
      if (shows(type, record, path)) {
        shown.push(path)
        settle(path)
      } else if (shows(type, item, path) && answeredValue(type, record, path) === undefined) {
        settle(path, 'the list shows it for others, and their own records do not')
      }
    }
  }
  for (const path of open) {
    // Where no other record can be read, the list alone says that the service shows it.
    if (inList.get(path)) settle(path)
    else settle(path, 'nothing shows whether this record has none, or the service hides it')
  }
  await rememberShownFields(context, reads, shown)
  return paths.flatMap((path) => hidden.find((each) => each.path === path) ?? [])

  async function listed(): Promise<JsonObject[]> {
    const { id: _, ...rest } = parameters
    const operation = chooseOperation(list as Target, options)
    const page = await unlessRefused(fetchPage(client, operation, 1, pageSize, { parameters: rest }))
    return (page?.items ?? []).filter(isObject)
  }

  async function recordOf(item: JsonObject): Promise<JsonObject | undefined> {
    const [other = ''] = answeredIds(type, item)
    return unlessRefused(client.record(reads, { parameters: { ...parameters, id: other } }))
  }
}

/** What cannot be read shows nothing. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}

function shows(type: RecordType, record: JsonObject, path: string): boolean {
  const value = answeredValue(type, record, path)
  const name = path.split('.').at(-1) ?? ''
  return hasValue(value) && !isMask({ name, standard: fieldAt(type.fields, path)?.standard }, value)
}

const hasValue = (value: Json) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The value of a field of the request in an answer; null where it, or the section that it is in, is null. */
function answeredValue(type: RecordType, record: JsonObject, path: string): Json {
  const mapping = mappingOf(type)
  return valueInResponse(record, { request: path, item: mapping ? answerPath(mapping, path) : path })
}

/** Whether the answer says that there is none: null, for the field or for a section around it. */
function isNull(type: RecordType, record: JsonObject, path: string): boolean {
  const names = path.split('.')
  return names.some((_, at) => answeredValue(type, record, names.slice(0, at + 1).join('.')) === null)
}

/** The sections and fields that an update does not send a record without. */
function guardedPaths(type: RecordType): string[] {
  const sections = mappingOf(type)?.names.map(([request]) => request) ?? []
  return [
    ...sections.filter((path) => path !== '' && !path.includes('.') && fieldAt(type.fields, path)?.fields),
    ...(type.guarded ?? []),
  ]
}

/** The guarded path that a name means: the path in a request or an answer, the last part of it, or the label. */
function pathOf(type: RecordType, name: string): string | undefined {
  const mapping = mappingOf(type)
  const wanted = name.trim().toLowerCase()
  return guardedPaths(type).find((path) =>
    [path, mapping && answerPath(mapping, path), path.split('.').at(-1), fieldAt(type.fields, path)?.label]
      .filter((each) => each !== undefined && each !== '')
      .some((each) => each?.toLowerCase() === wanted),
  )
}

function part(type: RecordType, path: string, why: string): MissingPart {
  const field = fieldAt(type.fields, path)
  // An abbreviation keeps its capitals, and so does the name of National Insurance.
  const label = (field?.label ?? path).replace(/^\p{Lu}(?=\p{Ll}+(?: \p{Ll}|$))/u, (letter) =>
    letter.toLowerCase(),
  )
  return { path, why, name: field?.fields ? `${label} details` : label, option: optionOf(type, path) }
}

/** `bank`, `accountNumber`. */
function optionOf(type: RecordType, path: string): string {
  const field = fieldAt(type.fields, path)
  return field?.fields ? field.label.toLowerCase() : (path.split('.').at(-1) ?? path)
}
