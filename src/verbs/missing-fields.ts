import { fieldAt, isAskedFor, isEmpty, leafFields } from '../api/contract/fields/field-tree.ts'
import {
  answerPath,
  mappingOf,
  type Places,
  placesInResponse,
  unreturnedFields,
  valueAtPlaces,
} from '../api/contract/mapping/field-mapping.ts'
import { isNothing, isServiceOwned } from '../api/contract/mapping/map-record.ts'
import { describeRecord } from '../api/contract/mapping/record-name.ts'
import { isMask } from '../api/contract/mapping/service-masks.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import { fetchPage } from '../api/pages.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import type { Options } from '../cli/options.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import { declined, Failure, usage } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import { openPrompts } from './open-prompts.ts'
import { fieldsSeenToday, rememberSeenFields } from './shown-fields.ts'
import type { UpdatePlan } from './update-plan.ts'

/**
 * The one place that decides what becomes of a field that a record came back without. An update sends the record
 * whole, and what it does not send may be cleared: so no field is lost in silence.
 *
 * A field without which no such record is made is hidden for certain. Any other is judged by evidence: null says that
 * there is none; a service that shows the field of others leaves out what is empty; and where the list shows it of this
 * very record, it is hidden. Where nothing shows a field, pay decides. One that nearly every record has, and that says who is
 * paid, how much or where, stops the update. The rest is named in one warning: most records have no value in most of those
 * fields, so that a service which leaves out what is empty, and whose people all have no building society or P45, could
 * otherwise never be updated without an option for each.
 */

/** A field or a section that a record came back without, although it may have it. */
interface MissingPart {
  readonly path: string
  /** For a person: `account number`, `bank details`. */
  readonly name: string
  /** As --allow-missing takes it. */
  readonly option: string
  readonly why: string
}

/** What a record came back without. */
export interface MissingParts {
  /** What an update does not send the record without, unless a person allows it. */
  readonly stopping: readonly MissingPart[]
  /** Paths of fields that nothing shows, and that are only warned of. */
  readonly unshown: readonly string[]
}

type Judged = (path: string) => boolean

/** Throws a usage failure for an --allow-missing that names nothing which a record of this type has. */
export function assertAllowable(type: RecordType, { allowMissing = [] }: Options): void {
  for (const name of allowMissing) {
    if (pathOf(type, name) !== undefined) continue
    const sections = sectionPaths(type).filter((path) => !path.includes('.'))
    const waitsFor = [
      ...sections,
      ...guards(type).flatMap(({ paths, weight }) => (weight === 'other' ? [] : paths)),
    ]
    throw usage(
      `--allow-missing ${name} names no field or section that an update of ${type.displayName} waits for.`,
      `It takes a field that the record came back without, such as: ${waitsFor.map((path) => optionOf(type, path)).join(', ')}`,
    )
  }
}

/**
 * What the record came back without, although it may have it. Reads a page of the list and at most a few other records,
 * and only where a field is missing that the options do not allow; of a field that is only warned of, once a day.
 *
 * @param isGiven whether the update gives the field itself
 */
export async function findMissing(
  plan: UpdatePlan,
  list: Target | undefined,
  { record, body, bodyWithNulls, absent }: WholeRecord,
  options: Options,
  isGiven: Judged = () => false,
): Promise<MissingParts> {
  const { type } = plan
  const allowed = (options.allowMissing ?? []).map((name) => pathOf(type, name))
  const isAllowed: Judged = (path) => allowed.some((each) => path === each || path.startsWith(`${each}.`))
  const sections = absent.filter((path) => !path.includes('.') && !isAllowed(path))
  const isSeen: Judged = (path) =>
    sectionPaths(type).includes(path)
      ? !absent.includes(path)
      : valueAt(bodyWithNulls, path.split('.')) !== undefined || isNull(type, record, path)
  const isMissing: Judged = (path) =>
    !isSeen(path) &&
    !absent.some((section) => path.startsWith(`${section}.`)) &&
    !isGiven(path) &&
    !isAllowed(path)
  const missing = guards(type).flatMap((guard): Guard[] => {
    const isThere = ({ paths }: Guard) =>
      paths.length > 1 && paths.some((path) => isGiven(path) || isAmount(valueAt(body, path.split('.'))))
    const paths = guard.paths.filter((path) => isMissing(path) && mayApply(type, path, body))
    return paths.length === 0 || isThere(guard) ? [] : [{ ...guard, paths }]
  })
  const certain = missing.flatMap(({ paths, weight }) => (weight === 'needed' ? paths : []))
  const doubtful = missing.filter(({ weight }) => weight !== 'needed')
  const { hidden, unshown } = await judge(plan, list, doubtful, options)
  const why = `${type.displayName} is never made without it, so the service hides it`
  return {
    stopping: [
      ...sections.map((path) => part(type, path, 'the service did not return this section')),
      ...certain.map((path) => part(type, path, why)),
      ...hidden.map(({ path, why }) => part(type, path, why)),
    ],
    unshown,
  }
}

/**
 * Refuses to send a record without these, unless a person says yes to each. Throws a Failure (exit 10) without a
 * terminal, whatever --yes says: that answers `send this?`, and nothing else.
 */
export async function confirmMissing(
  { context }: UpdatePlan,
  missing: readonly MissingPart[],
  isDryRun: boolean,
): Promise<void> {
  if (missing.length === 0) return
  if (!context.interactive) {
    const names = listOf(missing.map(({ name }) => name))
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
  for (const why of new Set(missing.map((each) => each.why))) {
    const names = missing.flatMap((each) => (each.why === why ? [each.name] : []))
    const [are, they] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
    context.warn(
      `${listOf(names)} ${are} empty here, but ${why}: enter ${they} again, or you are asked about ${they}.`,
    )
  }
}

/** A line that names more fields than these is not read. */
const mostNamed = 5

/**
 * Names in one line the fields that are not needed for pay, that this record came back without, and that nothing shows:
 * neither another record nor the list. Of many it names the first and counts the rest.
 */
export function warnOfUnshown({ context, type }: UpdatePlan, unshown: readonly string[]): void {
  if (unshown.length === 0) return
  const names = unshown
    .slice(0, mostNamed)
    .map((path) => shortName(type, path))
    .join(', ')
  const more = unshown.length - mostNamed
  context.warn(
    `nothing shows whether this record has none of these fields or the service hides them, and what is not sent may be cleared: ${names}${more > 0 ? ` and ${more} more` : ''}.`,
  )
}

/** Names the fields that the service never returns and this update does not give: the service may clear them. */
export function warnOfLosses({ context, type }: UpdatePlan, body: JsonObject): void {
  const lost = unreturnedFields(type).filter((path) => valueAt(body, path.split('.')) === undefined)
  if (lost.length === 0) return
  const names = lost.map((path) => shortName(type, path)).join(', ')
  context.warn(`the service does not return these fields, and may clear those not given: ${names}.`)
}

/** Says which sections an update leaves out, or sends in part. */
export function warnOfSections({ context, type, id }: UpdatePlan, seen: WholeRecord, after: Json): void {
  const { absent, record } = seen
  for (const section of absent) {
    const isSet = valueAt(after, section.split('.')) !== undefined
    const sends = isSet ? 'only what you set of them' : 'none'
    context.warn(
      `the service returned no ${part(type, section, '').name} for ${describeRecord(type, record, id)}, so the update sends ${sends}, and the service may clear them.`,
    )
  }
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names)

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
 * Which of these fields the service may hide for this record, and which it shows for no record at all: then none may have a
 * value. The latter are looked for, and named, once a day, because they are the same for every record.
 */
async function judge(
  plan: UpdatePlan,
  list: Target | undefined,
  missing: readonly Guard[],
  options: Options,
): Promise<{ readonly hidden: readonly Hidden[]; readonly unshown: readonly string[] }> {
  const { context, type, reads, id, parameters } = plan
  const known = await fieldsSeenToday(context, reads)
  const guarded = missing.filter(({ weight }) => weight === 'pay').flatMap(({ paths }) => paths)
  const paths = missing.flatMap((each) => each.paths)
  const isKnown: Judged = (path) =>
    known.shown.includes(path) || (!guarded.includes(path) && known.unshown.includes(path))
  const open = new Set(paths.filter((path) => !isKnown(path)))
  if (open.size === 0) return { hidden: [], unshown: [] }
  const hidden: Hidden[] = []
  const shown: string[] = []
  const settle = (path: string, why?: string) => {
    open.delete(path)
    if (why !== undefined) hidden.push({ path, why })
  }
  const client = await context.client()
  const items = list ? await listed() : []
  const isThis = (item: JsonObject) => answeredIds(type, item).includes(id)
  const thisItem = items.find(isThis)
  const others = items.filter((item) => !isThis(item) && answeredIds(type, item).length > 0)
  for (const path of open) {
    const value = thisItem && answeredValue(type, thisItem, path)
    if (value === undefined) continue
    // null and '' say that there is none.
    settle(path, hasValue(value) ? 'the list shows that this record has it' : undefined)
  }
  const isOpen: Judged = (path) => open.has(path)
  const showing = (item: JsonObject) => {
    const shownBy = (all: readonly string[]) =>
      all.filter((path) => isOpen(path) && shows(type, item, path)).length
    return paths.length * shownBy(guarded) + shownBy(paths)
  }
  const nearest = others.toSorted((one, other) => showing(other) - showing(one)).slice(0, mostRecords)
  const inList = new Map([...open].map((path) => [path, others.some((item) => shows(type, item, path))]))
  let isSeen = false
  for (const item of nearest) {
    // For what is only warned of, one other record is enough.
    if (open.size === 0 || (isSeen && !guarded.some(isOpen))) break
    const record = await recordOf(item)
    if (!record) continue
    isSeen = true
    for (const path of open) {
      if (shows(type, record, path)) {
        shown.push(path)
        settle(path)
      } else if (shows(type, item, path) && answeredValue(type, record, path) === undefined) {
        settle(path, 'the list shows it for others, and their own records do not')
      }
    }
  }
  // Where no other record can be read, the list alone says that the service shows it.
  for (const path of open) if (inList.get(path)) settle(path)
  // One that somebody has shows that the service leaves out the others: a salary, where there are hourly rates.
  for (const { paths } of missing) {
    if (!paths.every((path) => open.has(path))) for (const path of paths) open.delete(path)
  }
  const unshown = [...open].filter((path) => !guarded.includes(path))
  for (const path of open) {
    if (guarded.includes(path))
      settle(path, 'nothing shows whether this record has none, or the service hides it')
  }
  await rememberSeenFields(context, reads, { shown, unshown: options.dryRun ? [] : unshown })
  return { hidden: paths.flatMap((path) => hidden.find((each) => each.path === path) ?? []), unshown }

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

const hasValue = (value: Json) => !isEmpty(value) && !isNothing(value)

/** 0 is no pay: beside a salary of 0 there is an hourly rate. */
const isAmount = (value: Json) => hasValue(value) && value !== 0

/** The value of a field of the request in an answer; null where it, or the section that it is in, is null. */
function answeredValue(type: RecordType, record: JsonObject, path: string): Json {
  return valueAtPlaces(record, placesOf(type, path))
}

/** The places of a type's fields in an answer: each is looked up in every item of a list, and is the same for all. */
const knownPlaces = new WeakMap<RecordType, Map<string, Places>>()

function placesOf(type: RecordType, path: string): Places {
  const places = knownPlaces.get(type) ?? new Map<string, Places>()
  knownPlaces.set(type, places)
  const earlier = places.get(path)
  if (earlier) return earlier
  const mapping = mappingOf(type)
  const added = placesInResponse({ request: path, item: mapping ? answerPath(mapping, path) : path })
  places.set(path, added)
  return added
}

/** Whether the answer says that there is none: null, for the field or for a section around it. */
function isNull(type: RecordType, record: JsonObject, path: string): boolean {
  const names = path.split('.')
  return names.some((_, at) => answeredValue(type, record, names.slice(0, at + 1).join('.')) === null)
}

/** needed: no record is made without it. pay: nearly every record has it, and pay depends on it. */
type Weight = 'needed' | 'pay' | 'other'

/** A field, or several of which one is enough. */
interface Guard {
  readonly paths: readonly string[]
  readonly weight: Weight
}

/** Everything that an update may lose, each field once, in the order in which the contract declares it. */
function guards(type: RecordType): readonly Guard[] {
  const { needs = [], guarded = [] } = type
  const groups = guarded.filter((each): each is readonly string[] => typeof each !== 'string')
  const weightOf = (path: string): Weight => {
    if (needs.includes(path)) return 'needed'
    return guarded.includes(path) || fieldAt(type.fields, path)?.neededForPay ? 'pay' : 'other'
  }
  return expectedPaths(type).flatMap((path): Guard[] => {
    const group = groups.find((each) => each.includes(path))
    if (!group) return [{ paths: [path], weight: weightOf(path) }]
    return group[0] === path ? [{ paths: group, weight: 'pay' }] : []
  })
}

/**
 * The fields and inner sections that an answer has, by their path in a request. A field that no answer shows cannot be
 * expected back. An object that is no section, such as an opening balance, counts as one value.
 */
function expectedPaths(type: RecordType, fields = type.fields, above = ''): string[] {
  const mapping = mappingOf(type)
  const sections = sectionPaths(type)
  const isTop =
    above === '' || mapping?.names.some(([request, answer]) => answer === '' && `${request}.` === above)
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = above + name
    if (mapping && !fieldAt(mapping.answer.fields, answerPath(mapping, path)) && !sections.includes(path))
      return []
    if (isServiceOwned(type, name, isTop === true)) return []
    if (!field.fields || !sections.includes(path)) return [path]
    const inner = expectedPaths(type, field.fields, `${path}.`)
    return above === '' ? inner : [path, ...inner]
  })
}

/** The sections that an answer may have under another name. */
const sectionPaths = (type: RecordType): string[] =>
  (mappingOf(type)?.names ?? [])
    .map(([request]) => request)
    .filter((path) => fieldAt(type.fields, path)?.fields)

/** Whether the record may have this field, by what else it has: a subcontractor has no tax code. */
function mayApply(type: RecordType, path: string, body: JsonObject): boolean {
  const field = fieldAt(type.fields, path)
  if (!field?.when || 'without' in field.when) return true
  return isAskedFor({ path, field }, body)
}

/** The path that a name means: a path in a request or an answer, the last part of one, or a label. */
function pathOf(type: RecordType, name: string): string | undefined {
  const mapping = mappingOf(type)
  const wanted = name.trim().toLowerCase()
  const paths = [...new Set([...sectionPaths(type), ...guards(type).flatMap(({ paths }) => paths)])]
  const namings: readonly ((path: string) => string | undefined)[] = [
    (path) => path,
    (path) => mapping && answerPath(mapping, path),
    (path) => path.split('.').at(-1),
    (path) => fieldAt(type.fields, path)?.label,
  ]
  for (const naming of namings) {
    const meant = paths.filter((path) => naming(path)?.toLowerCase() === wanted)
    if (wanted !== '' && meant.length === 1) return meant[0]
  }
  return undefined
}

/** The last part of a path where no other field has it: --set takes it too. */
function shortName(type: RecordType, path: string): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const alike = leafFields(type.fields).filter((leaf) => leaf.path.split('.').at(-1) === last)
  return alike.length > 1 ? path : last
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
  return field?.fields && sectionPaths(type).includes(path)
    ? field.label.toLowerCase()
    : shortName(type, path)
}
