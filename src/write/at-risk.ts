import type { Client } from '../api/client.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import { fetchPage } from '../api/pages.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import { onFailure, usage } from '../errors.ts'
import { isEmpty, isObject, type Json, type JsonObject, lastName, valueAt } from '../files/json/path.ts'
import { fieldAt, isAskedFor } from '../model/fields/field-tree.ts'
import { expectedPaths, isNullIn, showsField } from '../model/mapping/answered-fields.ts'
import { answeredValue } from '../model/mapping/field-mapping.ts'
import { sectionPaths } from '../model/mapping/map-record.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { findField } from '../model/values/find-field.ts'
import { wordList } from '../text/words.ts'
import type { News } from './knowledge-file.ts'
import type { RecordTarget } from './record-write.ts'
import { type SentFields, type ServiceKnowledge, sendableFields } from './service-knowledge.ts'

/**
 * A record is sent whole, so a field that was not returned, and that the PUT lacks, may be cleared. What is known of the
 * service says whether it is empty or hidden; what it may clear is at risk, and somebody is told or asked.
 */

/** The profile's setting: what an unknown field is. */
const emptyFieldsSettings = ['left-out', 'hidden', 'ask'] as const
export type EmptyFields = (typeof emptyFieldsSettings)[number]

/** The meaning that somebody gave. Throws a usage failure for another word. `from`: who says it. */
export function readEmptyFields({
  text,
  from,
}: {
  readonly text: string
  readonly from: string
}): EmptyFields {
  const meaning = emptyFieldsSettings.find((each) => each === text)
  if (meaning !== undefined) return meaning
  throw usage(`${from} is ${text}, and must be ${wordList(emptyFieldsSettings, 'or')}.`)
}

/** A field or a section that was not returned, although the record may have it. */
export interface PartAtRisk {
  readonly path: string
  /** The name to show: `account number`, `bank details`. */
  readonly name: string
  /** The name that --allow-missing takes: `bank`, `accountNumber`. */
  readonly option: string
  readonly why: string
}

/** What an update of a record may clear, by what is done about it. */
export interface AtRisk {
  /** What stops the update until a person allows it to be lost. */
  readonly blocking: readonly PartAtRisk[]
  /** Unknown fields that pay depends on. A person has to be asked. */
  readonly unknownPay: readonly PartAtRisk[]
  /** Other unknown fields. They are only warned of, once a day. */
  readonly unknownOther: readonly string[]
  /** Sections inside another, and those that somebody allowed to be lost. They are warned of. */
  readonly otherSections: readonly string[]
}

/** The evidence for whether a record has a field that was not returned. */
interface Evidence {
  readonly known: ReadonlySet<News>
  readonly sent?: SentFields | undefined
  /** Whether a list shows that this record has a value in a field; undefined where it shows nothing of it. */
  readonly inList?: ((path: string) => boolean | undefined) | undefined
  /** Whether a field counts as shown if the list shows it for other records. */
  readonly trustsList: boolean
}

/** Why a field that was not returned may have a value; undefined where the record has none. */
function whyAtRisk(path: string, { known, sent, inList, trustsList }: Evidence): string | undefined {
  const hasValue = inList?.(path)
  if (hasValue !== undefined) return hasValue ? 'the list shows that this record has it' : undefined
  if (known.has(`hidden ${path}`)) return 'the service hides it: a record that had it came back without it'
  // A service may hide a field of some people, and show that of others.
  if (sent?.last(path)) return 'this computer sent it, and the record came back without it'
  const isNeverSent = sent?.created === true && !sent.ever(path)
  const isShown = known.has(`shown ${path}`) || (trustsList && known.has(`listed ${path}`))
  return isShown || isNeverSent ? undefined : nothingTells
}

/** Why a field is at risk of which nothing is known. */
const nothingTells = 'it is empty, or the service hides it'

/**
 * Tells which fields of a record its service hides, as far as this computer knows now. Unknown ones count as hidden, unless
 * `emptyFields` says that they are empty: what was sent cannot be compared with them.
 */
export async function findHidden(
  knowledge: ServiceKnowledge,
  type: RecordType,
  id: string,
  record: JsonObject,
  emptyFields: EmptyFields = 'left-out',
): Promise<(path: string) => boolean> {
  const sent = await knowledge.sentFor(type, id, record)
  const known = new Set(await knowledge.knownOf(type))
  const isHidden = (path: string) => {
    const why = whyAtRisk(path, { known, sent, trustsList: false })
    return why !== undefined && (why !== nothingTells || emptyFields !== 'left-out')
  }
  return (path) => {
    const segments = path.split('.')
    return segments.some((_, at) => isHidden(segments.slice(0, at + 1).join('.')))
  }
}

/** Whether a record has nothing in a section: this computer created it without. */
const isEmptySection = (type: RecordType, section: string, sent: SentFields | undefined) =>
  sent?.created === true &&
  !sendableFields(type).some((path) => path.startsWith(`${section}.`) && sent.ever(path))

interface UpdateReading {
  readonly target: RecordTarget
  readonly client: Client
  readonly whole: WholeRecord
  readonly knowledge: ServiceKnowledge
  readonly today: string
  /** Whether the update itself sets the field. */
  readonly isGiven: (path: string) => boolean
  readonly isDryRun: boolean
  readonly emptyFields: EmptyFields
}

/**
 * Finds what was not returned, although the record may have it. If nothing is known of a field, reads a page of the list
 * and a few other records: always for a field that pay depends on, once a day for others.
 */
export async function findAtRisk(reading: UpdateReading): Promise<AtRisk> {
  const { target, whole, knowledge, today, emptyFields } = reading
  const { type, id } = target
  const sent = await knowledge.sentFor(type, id, whole.record)
  const known = await knowledge.knownOf(type)
  const sections = whole.sectionsNotReturned.filter((path) => !isEmptySection(type, path, sent))
  const { isAllowed, valuable } = valuableNotReturned(reading)
  const isBlocking = (section: string) => !section.includes('.') && !isAllowed(section)
  let atRisk = fieldsAtRisk(valuable, { known, sent })
  const isFirstToday = !known.has(`looked ${today}`)
  const mustLook = atRisk.some(
    ({ why, weight }) => why === nothingTells && (weight === 'pay' || isFirstToday),
  )
  if (mustLook && emptyFields !== 'left-out') {
    const unknown = atRisk.filter(({ why }) => why === nothingTells)
    const item = await lookAtOthers(reading, unknown)
    if (!reading.isDryRun) knowledge.learn(type, `looked ${today}`)
    const inList = item && ((path: string) => hasValueIn(type, item, path))
    for (const { path } of unknown) if (inList?.(path)) knowledge.learn(type, `hidden ${path}`)
    atRisk = fieldsAtRisk(valuable, { known, sent, inList }, 'looking')
  }
  const unknownOf = (wanted: Weight) =>
    atRisk.filter(({ why, weight }) => why === nothingTells && weight === wanted)
  return {
    blocking: [
      ...sections
        .filter(isBlocking)
        .map((path) => ({ path, why: 'the service did not return this section' })),
      ...atRisk.filter(({ why }) => why !== nothingTells),
    ].map((part) => partOf(type, part)),
    unknownPay: unknownOf('pay').map((part) => partOf(type, part)),
    unknownOther: isFirstToday ? unknownOf('other').map(({ path }) => path) : [],
    otherSections: sections.filter((path) => !isBlocking(path)),
  }
}

/** The valuable fields that were not returned, and whether somebody allowed a part to be lost. */
function valuableNotReturned({ target: { type, allowedMissing = [] }, whole, isGiven }: UpdateReading) {
  const { record, body, bodyWithNulls, sectionsNotReturned } = whole
  const allowed = allowedMissing.map((name) => findPath(type, name))
  const isAllowed = (path: string) => allowed.some((each) => path === each || path.startsWith(`${each}.`))
  const isReturned = (path: string) =>
    sectionPaths(type).includes(path)
      ? !sectionsNotReturned.includes(path)
      : valueAt(bodyWithNulls, path) !== undefined || isNullIn(type, record, path)
  const isAtRisk = (path: string) =>
    !isReturned(path) &&
    !sectionsNotReturned.some((section) => path.startsWith(`${section}.`)) &&
    !isGiven(path) &&
    !isAllowed(path)
  return {
    isAllowed,
    valuable: valuableFields(type).flatMap((each): ValuableFields[] => {
      const hasOtherPay = ({ paths }: ValuableFields) =>
        paths.length > 1 && paths.some((path) => isGiven(path) || holdsAmount(valueAt(body, path)))
      const paths = each.paths.filter((path) => isAtRisk(path) && mayApply(type, path, body))
      return paths.length === 0 || hasOtherPay(each) ? [] : [{ ...each, paths }]
    }),
  }
}

interface FieldAtRisk extends Pick<PartAtRisk, 'path' | 'why'> {
  readonly weight: Weight
}

/**
 * Judges fields that were not returned. In a group where one field is enough, one that is empty shows that the service
 * leaves the others out too: a salary beside hourly rates. `after`: for fields that pay depends on, the list counts only
 * once other records were read.
 */
function fieldsAtRisk(
  notReturned: readonly ValuableFields[],
  evidence: Omit<Evidence, 'trustsList'>,
  after?: 'looking',
): readonly FieldAtRisk[] {
  return notReturned.flatMap(({ paths, weight }) => {
    const trustsList = after === 'looking' || weight === 'other'
    const atRisk = paths.flatMap((path): FieldAtRisk[] => {
      const why =
        weight === 'needed'
          ? 'every such record has it, so the service hides it'
          : whyAtRisk(path, { ...evidence, trustsList })
      return why === undefined ? [] : [{ path, weight, why }]
    })
    return atRisk.length === paths.length ? atRisk : atRisk.filter(({ why }) => why !== nothingTells)
  })
}

const mostOthersRead = 3

/** The page size: "maximum 100". assumed: a page may have that many. */
const pageSize = 100

/** Reads a page of the list, and the records in it that show most of these fields. Returns the item of this record. */
async function lookAtOthers(
  { target: { type, id, parameters, get, list }, client, knowledge }: UpdateReading,
  unknown: readonly FieldAtRisk[],
): Promise<JsonObject | undefined> {
  if (!list) return undefined
  const { id: _, ...rest } = parameters
  const page = await fetchPage(client, list, 1, pageSize, { parameters: rest }).catch(showsNothing)
  const items = (page?.items ?? []).filter(isObject)
  const isThis = (item: JsonObject) => answeredIds(type, item).includes(id)
  const otherItems = items.filter((item) => !isThis(item) && answeredIds(type, item).length > 0)
  const shownBy = (item: JsonObject) =>
    unknown
      .filter(({ path }) => showsField(type, item, path))
      .reduce((sum, { weight }) => sum + (weight === 'pay' ? unknown.length : 1), 0)
  const nearest = otherItems.toSorted((one, other) => shownBy(other) - shownBy(one)).slice(0, mostOthersRead)
  const known = await knowledge.knownOf(type)
  for (const item of nearest) {
    const [other = ''] = answeredIds(type, item)
    const request = { parameters: { ...parameters, id: other } }
    const record = (await client.call(get, request).catch(showsNothing))?.record
    for (const { path } of unknown) {
      const isHidden =
        record && showsField(type, item, path) && answeredValue(type, record, path) === undefined
      if (isHidden && !known.has(`shown ${path}`)) knowledge.learn(type, `hidden ${path}`)
    }
    const isOpen = (path: string) => !known.has(`shown ${path}`) && !known.has(`hidden ${path}`)
    // Fields that are only warned of need no more than one other record.
    if (record && !unknown.some(({ path, weight }) => weight === 'pay' && isOpen(path))) break
  }
  knowledge.noteListed(type, otherItems)
  return items.find(isThis)
}

/** Whether an item has a value in a field: null and '' say that there is none. Undefined where it does not show the field. */
function hasValueIn(type: RecordType, item: JsonObject, path: string): boolean | undefined {
  const value = answeredValue(type, item, path)
  return value === undefined ? undefined : !isEmpty(value)
}

const showsNothing = onFailure(() => undefined)

/** 0 is not pay: somebody with a salary of 0 is paid by the hour. */
const holdsAmount = (value: Json) => !isEmpty(value) && value !== 0

/** needed: no record is made without it. pay: nearly every record has it, and pay depends on it. */
type Weight = 'needed' | 'pay' | 'other'

/** A field, or a group in which one field is enough. */
interface ValuableFields {
  readonly paths: readonly string[]
  readonly weight: Weight
}

/** Everything that an update may lose, each field once, in the order of the contract. */
function valuableFields(type: RecordType): readonly ValuableFields[] {
  const { needs = [], payNeeds = [], valuable = [], neverWithout = [] } = type
  const groups = valuable.filter((each): each is readonly string[] => typeof each !== 'string')
  const weightOf = (path: string): Weight => {
    if (needs.includes(path) || neverWithout.includes(path)) return 'needed'
    const isPaidBy = valuable.includes(path) || payNeeds.some(({ fields }) => fields.includes(path))
    return isPaidBy ? 'pay' : 'other'
  }
  return expectedPaths(type).flatMap((path): ValuableFields[] => {
    const group = groups.find((each) => each.includes(path))
    if (!group) return [{ paths: [path], weight: weightOf(path) }]
    return group[0] === path ? [{ paths: group, weight: 'pay' }] : []
  })
}

/** Tells whether a record may have this field at all: a subcontractor has no tax code. */
function mayApply(type: RecordType, path: string, body: JsonObject): boolean {
  const field = fieldAt(type.fields, path)
  if (!field?.when || 'without' in field.when) return true
  return isAskedFor({ path, field }, body)
}

/** The first of these names that an update may not lose, and the names that it may; undefined if all are right. */
export function notAllowable(type: RecordType, names: readonly string[]) {
  const name = names.find((each) => findPath(type, each) === undefined)
  if (name === undefined) return undefined
  const sections = sectionPaths(type).filter((path) => !path.includes('.'))
  const waitsFor = valuableFields(type).flatMap(({ paths, weight }) => (weight === 'other' ? [] : paths))
  return { name, allowable: [...sections, ...waitsFor].map((path) => optionOf(type, path)) }
}

/** The part that a name stands for: as a message offers it, by its label, or as --set names a field. */
function findPath(type: RecordType, name: string): string | undefined {
  const parts = [...sectionPaths(type), ...valuableFields(type).flatMap(({ paths }) => paths)]
  const nameToFind = name.trim().toLowerCase()
  const offered = parts.find((each) => optionOf(type, each).toLowerCase() === nameToFind)
  const labelled = parts.filter((each) => fieldAt(type.fields, each)?.label.toLowerCase() === nameToFind)
  const byLabel = labelled.length === 1 ? labelled[0] : undefined
  const path = offered ?? byLabel ?? findField(type.fields, name.trim()).found?.request
  return parts.find((each) => each === path)
}

/** The last part of a path, unless it can mean another field. --set takes it. */
export function shortName({ fields }: RecordType, path: string): string {
  const last = lastName(path)
  const { found, isAmbiguous } = findField(fields, last)
  return isAmbiguous || (found && found.request !== path) ? path : last
}

function partOf(type: RecordType, { path, why }: Pick<PartAtRisk, 'path' | 'why'>): PartAtRisk {
  const field = fieldAt(type.fields, path)
  // Abbreviations and names such as National Insurance keep their capitals.
  const label = (field?.label ?? path).replace(/^\p{Lu}(?=\p{Ll}+(?: \p{Ll}|$))/u, (letter) =>
    letter.toLowerCase(),
  )
  return { path, why, name: field?.fields ? `${label} details` : label, option: optionOf(type, path) }
}

function optionOf(type: RecordType, path: string): string {
  const field = fieldAt(type.fields, path)
  return field?.fields && sectionPaths(type).includes(path)
    ? field.label.toLowerCase()
    : shortName(type, path)
}
