import type { CallRequest, Client } from '../api/client.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import type { Parameters } from '../api/route-path.ts'
import { Failure, systemCode } from '../errors.ts'
import { isEmpty, isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import type { Field } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { type AnsweredField, answeredFields, isNullIn } from '../model/mapping/answered-fields.ts'
import {
  placesInResponse,
  placesOf,
  sentTypeOf,
  unreturnedFields,
  valueAtPlaces,
} from '../model/mapping/field-mapping.ts'
import { keyOf } from '../model/natural-key.ts'
import { answerType, isWrite, type Operation } from '../model/operations/operation.ts'
import { allOperations } from '../model/operations/operations.ts'
import { idOf, idText } from '../model/records/identity.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { onceFor } from '../once.ts'
import {
  applyNews,
  fieldsSent,
  type KindKnowledge,
  mergeSent,
  type News,
  openKnowledgeFile,
  type SentFields,
  type SentLine,
} from './knowledge-file.ts'

/**
 * What the service of a profile shows of each field, learned from every record that is read and every write
 * of this computer. Stores names of fields, and the words of fields that are a choice among words, but
 * nothing of a person. If it cannot be read or stored, it is learned again.
 */
export interface ServiceKnowledge {
  /** Returns a client like this one, from whose answers the knowledge learns. */
  readonly watch: (client: Client) => Client
  /** Returns the fields of a kind of record that this service shows and hides; `type` is the record as it is sent. */
  readonly fieldsOf: (type: RecordType) => Promise<KnownFields>
  /** The words that its records have, of each field that is a choice among words. */
  readonly wordsOf: (type: RecordType) => Promise<ReadonlyMap<Field, readonly string[]>>
  /** Notes something about the fields of a kind of record that no answer shows by itself. */
  readonly learn: (type: RecordType, news: News) => Promise<void>
  /** Learns from a create that had no clear answer, once it is known that the record was created. */
  readonly noteCreated: (operation: Operation, body: JsonObject, id: string | undefined) => void
  /** Learns from a change that was applied, and from the record as it was read afterwards. */
  readonly noteChanged: (
    target: { readonly operation: Operation; readonly parameters: Parameters },
    body: JsonObject,
    now: JsonObject | undefined,
  ) => void
  readonly noteListed: (type: RecordType, items: readonly JsonObject[]) => Promise<void>
  /** Returns the fields that this computer sent for a record; undefined where it sent nothing. */
  readonly sentFor: (type: RecordType, names: RecordNames) => Promise<SentFields | undefined>
  /** Forgets everything, because a person has said what the service does. */
  readonly forget: () => Promise<void>
  /** Stores what is new. If that fails, it will be learned again. */
  readonly save: () => Promise<void>
}

/**
 * The fields of one kind of record, as paths of a request. `shown`: some record had it. `listed`: an item of a list
 * had it. `hidden`: a record came back without it, although this computer had just sent it or a list showed it. A
 * hidden field stays hidden even when another record shows it, because a service may hide a field of some people.
 */
export interface KnownFields {
  readonly shown: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  readonly listed: ReadonlySet<string>
  /** The day on which other records were last read to learn about unknown fields. */
  readonly looked: string | undefined
}

/** The ids and the reference that identify a record. */
interface RecordNames {
  readonly ids: readonly string[]
  readonly reference?: string | undefined
}

/** Items of a list that are looked at for new fields: the first of each page, and at most this many of all pages. */
const mostOfPage = 5
const mostOfList = 100
/** After this many records in a row without a new field, records are no longer searched for new fields. */
const withoutNews = 300
/** How many records written in this run are remembered, to compare them with what the service shows. */
const mostSent = 1000
/** How many sent records may wait in memory to be stored. A run that is killed loses them; an import learns them again. */
const mostUnsaved = 512
/** How many answers may wait until somebody asks. More are gone through at once. */
const mostPending = 100
/** How many sets of fields are kept to be shared. */
const mostShared = 100
/** Something that the service answered. */
type ServiceAnswer =
  | { readonly kind: 'record' | 'items'; readonly operation: Operation; readonly records: readonly Json[] }
  | {
      readonly kind: 'written'
      readonly operation: Operation
      readonly request: CallRequest
      readonly id: string | undefined
    }

interface KnownKind {
  readonly name: string
  readonly type: RecordType
  readonly fields: readonly AnsweredField[]
  /** Those that a request may have, also where no answer returns them. */
  readonly sendable: readonly SendableField[]
  readonly known: KindKnowledge
  /** What this run adds to the stored knowledge; other runs may have stored theirs meanwhile. */
  news: News[]
  /** Records in a row that had no new field. */
  recordsWithoutNews: number
}

/**
 * Opens the knowledge of a service.
 *
 * @param service the profile and its address, because other addresses and keys may show other fields
 */
export function openKnowledge(directory: () => Promise<string>, service: string): ServiceKnowledge {
  const pending: ServiceAnswer[] = []
  const kinds = new Map<RecordType, KnownKind>()
  const file = openKnowledgeFile(directory, service)
  const memory = rememberSent(service, () => void save())
  let learning = Promise.resolve()
  let saving = Promise.resolve()

  /** Goes through the waiting answers in order. */
  function learn(): Promise<void> {
    learning = learning.then(async () => {
      for (const answer of pending.splice(0)) {
        const kind = await kindOf(typeIn(answer.operation))
        if (kind) learnFrom(kind, answer)
      }
    })
    return learning
  }

  function notice(answer: ServiceAnswer): void {
    pending.push(answer)
    if (pending.length >= mostPending) void learn()
  }

  async function kindOf(type: RecordType | undefined): Promise<KnownKind | undefined> {
    const made = type && kinds.get(type)
    const name = allOperations.find(({ requestRecord }) => requestRecord === type)?.id
    if (made || !type || name === undefined) return made
    const known = await file.of(name)
    const kind = kinds.get(type) ?? {
      name,
      type,
      known,
      fields: answeredFields(type),
      sendable: sendableFields(type),
      news: [],
      recordsWithoutNews: 0,
    }
    kinds.set(type, kind)
    return kind
  }

  function learnFrom(kind: KnownKind, answer: ServiceAnswer): void {
    if (answer.kind === 'written') memory.add(kind, answer.request, answer.id)
    for (const record of answer.kind === 'written' ? [] : answer.records) {
      if (!isObject(record)) continue
      // A field that this run sent and that did not come back is hidden.
      if (answer.kind === 'record')
        for (const path of memory.missing(kind, record)) addNews(kind, { kind: 'hidden', path })
      if (kind.recordsWithoutNews < withoutNews) lookAt(kind, record, answer.kind === 'record')
    }
  }

  async function kindNow(type: RecordType): Promise<KnownKind | undefined> {
    await learn()
    return kindOf(type)
  }

  function save(): Promise<void> {
    saving = saving
      .then(async () => {
        await learn()
        const changed = [...kinds.values()].filter(({ news }) => news.length > 0)
        const news = new Map(changed.map((kind) => [kind.name, kind.news]))
        for (const kind of changed) kind.news = []
        const sent = memory.lines.splice(0)
        if (news.size + sent.length > 0) await file.add(news, sent)
      })
      .catch((error: unknown) => {
        // What cannot be stored is learned again.
        if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
      })
    return saving
  }

  return {
    watch: (client) => learningClient(client, notice),
    fieldsOf: async (type) => (await kindNow(type))?.known ?? nothingKnown,
    async wordsOf(type) {
      const kind = await kindNow(type)
      const found = [...(kind?.known.words ?? [])].map(
        ([path, words]) => [fieldAt(type.fields, path), [...words]] as const,
      )
      return new Map(found.flatMap(([field, words]) => (field ? [[field, words] as const] : [])))
    },
    async learn(type, news) {
      const kind = await kindNow(type)
      if (kind) addNews(kind, news)
    },
    noteCreated: (operation, body, id) => notice({ kind: 'written', operation, request: { body }, id }),
    noteChanged({ operation, parameters }, body, now) {
      notice({ kind: 'written', operation, request: { parameters, body }, id: undefined })
      if (now) notice({ kind: 'record', operation, records: [now] })
    },
    async noteListed(type, items) {
      const kind = await kindNow(type)
      if (kind) for (const item of items) lookAt(kind, item, false)
    },
    async sentFor(type, names) {
      const kind = await kindNow(type)
      if (!kind) return undefined
      const keys = memory.keysOf(kind, names)
      const now = memory.lines.filter(({ key }) => keys.includes(key)).map(fieldsSent)
      const paths = kind.sendable.map(({ path }) => path)
      return mergeSent([...(await file.sentFor(keys, paths)), ...now])
    },
    async forget() {
      kinds.clear()
      await file.forget()
    },
    save,
  }
}

/** The kind of record that an operation is about, in the form of the request. */
function typeIn(operation: Operation): RecordType | undefined {
  const answered = answerType(operation)
  return operation.requestRecord ?? (answered && sentTypeOf(answered))
}

/** Adds news to what this run knows and will store. Returns whether it was new. */
function addNews({ known, news }: KnownKind, one: News): boolean {
  const isNew = applyNews(known, one)
  if (isNew) news.push(one)
  return isNew
}

function lookAt(kind: KnownKind, record: JsonObject, isWhole: boolean): void {
  const { hidden, shown, listed } = kind.known
  let hasNews = false
  for (const { path, places, isShown, hasWords } of kind.fields) {
    const isKnown = hidden.has(path) || shown.has(path) || (!isWhole && listed.has(path))
    if (isKnown && !hasWords) continue
    const value = valueAtPlaces(record, places)
    if (!isShown(value)) continue
    if (!isKnown) hasNews = addNews(kind, { kind: isWhole ? 'shown' : 'listed', path }) || hasNews
    if (hasWords && isWord(value)) hasNews = addNews(kind, { kind: 'word', path, word: value }) || hasNews
  }
  kind.recordsWithoutNews = hasNews ? 0 : kind.recordsWithoutNews + 1
}

/**
 * Remembers this run's writes, to compare them with what the service shows. `onMany` is called when many wait
 * to be stored.
 */
function rememberSent(service: string, onMany: () => void) {
  /** The fields sent in this run, by each name of their record. */
  const sent = new Map<string, ReadonlySet<string>>()
  const lines: SentLine[] = []

  /** Every name of a record, as text. The file of sent fields stores only a digest of it. */
  const keysOf = ({ name }: KnownKind, { ids, reference }: RecordNames) =>
    [...ids.map((id) => `i:${id}`), ...(reference === undefined ? [] : [`r:${keyOf(reference)}`])].map(
      (each) => JSON.stringify([service, name, each]),
    )

  return {
    lines,
    keysOf,
    add(kind: KnownKind, { parameters = {}, body }: CallRequest, answeredId: string | undefined): void {
      if (!body) return
      const id = parameters.id ?? answeredId
      const reference = textOfReference(kind.type, body, 'request')
      const fields = filledFields(kind.sendable, body)
      for (const key of keysOf(kind, { ids: id === undefined ? [] : [String(id)], reference })) {
        lines.push({ key, isCreation: parameters.id === undefined, fields })
        sent.delete(key)
        sent.set(key, fields)
      }
      for (const key of sent.keys()) {
        if (sent.size <= mostSent) break
        sent.delete(key)
      }
      if (lines.length >= mostUnsaved) onMany()
    },
    /** The fields that were sent of a record, and did not come back with it. */
    missing(kind: KnownKind, record: JsonObject): readonly string[] {
      if (sent.size === 0) return []
      const key = keysOf(kind, recordNamesIn(kind.type, record)).find((each) => sent.has(each))
      const paths = key === undefined ? undefined : sent.get(key)
      const isMissing = ({ path, places }: AnsweredField) =>
        paths?.has(path) && valueAtPlaces(record, places) === undefined && !isNullIn(kind.type, record, path)
      return paths ? kind.fields.filter(isMissing).map(({ path }) => path) : []
    },
  }
}

/** A client that passes each record, list page and write to `notice`. */
function learningClient(client: Client, notice: (answer: ServiceAnswer) => void): Client {
  const taken = new Map<string, number>()
  return {
    prepare: client.prepare,
    async call(operation, request) {
      const reply = await client.call(operation, request)
      if (isWrite(operation)) {
        const id = idOf(reply.record ?? reply.body)
        // Whether a change was applied, its record tells: until then, a field that is not shown may be as it was.
        const isChange = request?.parameters?.id !== undefined
        if (!isChange && reply.status !== processedLater)
          notice({ kind: 'written', operation, request: request ?? {}, id })
      } else if (typeof reply.page === 'object') {
        const before = taken.get(operation.id) ?? 0
        const items = before < mostOfList ? reply.page.items.slice(0, mostOfPage) : []
        if (items.length > 0) {
          taken.set(operation.id, before + items.length)
          notice({ kind: 'items', operation, records: items })
        }
      } else if (reply.record) notice({ kind: 'record', operation, records: [reply.record] })
      return reply
    },
  }
}

/** 202 (RFC 9110, 15.3.3): the service will process the write later, so the record does not have it yet. */
export const processedLater = 202

const nothingKnown: KnownFields = {
  shown: new Set(),
  hidden: new Set(),
  listed: new Set(),
  looked: undefined,
}

/** Whether a value is a word, and no text that somebody wrote about a person. */
const isWord = (value: Json): value is string =>
  typeof value === 'string' &&
  /^\p{L}[\p{L}\p{N}_+&%/-]*( [\p{L}\p{N}_+&%/-]+){0,2}$/u.test(value) &&
  value.length <= 40

/** The ids and the reference that a record shows. */
export function recordNamesIn(type: RecordType, record: JsonObject): RecordNames {
  return { ids: answeredIds(type, record), reference: textOfReference(type, record, 'item') }
}

function textOfReference(
  { reference }: RecordType,
  record: Json,
  side: 'request' | 'item',
): string | undefined {
  if (!reference) return undefined
  const value = side === 'item' ? valueAtPlaces(record, placesInResponse(reference)) : undefined
  return idText(value ?? valueAt(record, reference.request.split('.')))
}

type SendableField = Pick<AnsweredField, 'path' | 'places'>

const sendableFields = onceFor((type: RecordType): readonly SendableField[] => [
  ...answeredFields(type),
  ...unreturnedFields(type).map((path) => ({ path, places: placesOf(type, path) })),
])

/** Sets of fields that records had, keyed by a text with a 0 or 1 for each field. */
const setsOf = onceFor((_: readonly SendableField[]) => new Map<string, ReadonlySet<string>>())

/**
 * The fields of a request that have a value, as paths. false, 0, and an empty text or list do not count,
 * because a service may leave them out as empty. Records with the same fields share one set; separate ones
 * took half the memory of an import.
 */
function filledFields(fields: readonly SendableField[], record: Json): ReadonlySet<string> {
  let name = ''
  for (const { places } of fields) {
    const value = valueAt(record, places.sent)
    name += isObject(value) || value === false || value === 0 || isEmpty(value) ? '0' : '1'
  }
  const sets = setsOf(fields)
  const known = sets.get(name)
  if (known) return known
  const made = new Set(fields.flatMap(({ path }, at) => (name[at] === '1' ? [path] : [])))
  if (sets.size < mostShared) sets.set(name, made)
  return made
}
