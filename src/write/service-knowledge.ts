import type { CallRequest, Client } from '../api/client.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import type { Parameters } from '../api/route-path.ts'
import { Failure, systemCode } from '../errors.ts'
import { isEmpty, isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import type { Field } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { answeredFields, isNullIn } from '../model/mapping/answered-fields.ts'
import {
  answeredValue,
  neverReturned,
  placesOf,
  sentTypeOf,
  valueAtPlaces,
} from '../model/mapping/field-mapping.ts'
import { sectionPaths } from '../model/mapping/map-record.ts'
import { keyOf } from '../model/natural-key.ts'
import { idOf, idText } from '../model/records/identity.ts'
import { answerType, isWrite, type Operation } from '../model/records/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { allOperations } from '../model/resources/operations.ts'
import { once, onceFor } from '../once.ts'
import { addTo } from '../text/group-by.ts'
import { fieldDigest, learn, type News, openKnowledgeFile, type SentLine } from './knowledge-file.ts'

export type ServiceKnowledge = ReturnType<typeof openKnowledge>

/** The fields that this computer sent for one record, and whether it created it. */
export interface SentFields {
  readonly created: boolean
  /** Whether a field was sent with any write of the record, and whether with its last one. */
  readonly ever: (path: string) => boolean
  readonly last: (path: string) => boolean
}

/** How many items of each page of a list are looked at for new fields. */
const mostOfPage = 5
/** After this many records in a row without news, records are no longer looked at: that took half a millisecond of each. */
const withoutNews = 300
/** How many sent records may wait in memory to be stored. A run that is killed loses them; an import learns them again. */
const mostUnsaved = 512

interface KnownKind {
  readonly name: string
  readonly type: RecordType
  readonly known: Set<News>
  /** What this run has seen; other runs may have stored the same. */
  readonly news: News[]
  /** Adds what earlier runs have stored. */
  readonly load: () => Promise<void>
  /** Records in a row that had no news. */
  recordsWithoutNews: number
}

/**
 * Opens the knowledge of a service: of a profile and its address, because other addresses and keys may show
 * other fields. It says what the service shows of each field, learned from every record that is read and every write of
 * this computer. Stores names of fields, and the words of fields that are a choice among words, but nothing of a
 * person. If it cannot be read or stored, it is learned again.
 */
export function openKnowledge(directory: () => Promise<string>, service: string) {
  const file = openKnowledgeFile(directory, service)
  const kinds = new Map<RecordType, KnownKind>()
  /** The writes that are not stored yet. */
  const sentLines: SentLine[] = []
  let saving = Promise.resolve()

  function kindOf(type: RecordType | undefined): KnownKind | undefined {
    const made = type && kinds.get(type)
    if (made || !type) return made
    const name = allOperations.find(({ requestRecord }) => requestRecord === type)?.id
    if (name === undefined) return undefined
    const known = new Set<News>()
    const load = once(async () => {
      for (const one of await file.knownOf(name)) learn(known, one)
    })
    const kind: KnownKind = { name, type, known, news: [], load, recordsWithoutNews: 0 }
    kinds.set(type, kind)
    return kind
  }

  async function knownOf(type: RecordType): Promise<ReadonlySet<News>> {
    const kind = kindOf(type)
    await kind?.load()
    return kind?.known ?? new Set()
  }

  /** Every name of a record, as text. The file of sent fields stores only a digest of it. */
  function keysOf(
    { name, type }: KnownKind,
    record: JsonObject,
    ...ids: readonly string[]
  ): readonly string[] {
    const { reference } = type
    const text = reference && idText(answeredValue(type, record, reference))
    const names = [
      ...[...ids, ...answeredIds(type, record)].map((id) => `i:${id}`),
      ...(text === undefined ? [] : [`r:${keyOf(text)}`]),
    ]
    return [...new Set(names)].map((each) => JSON.stringify([service, name, each]))
  }

  function noteWritten(
    operation: Operation,
    { parameters = {}, body }: CallRequest,
    answeredId: string | undefined,
  ): void {
    const kind = kindOf(typeIn(operation))
    if (!kind || !body) return
    const id = parameters.id ?? answeredId
    const write = (parameters.id === undefined ? creation : change) + filledFields(kind.type, body)
    const keys = keysOf(kind, body, ...(id === undefined ? [] : [String(id)]))
    sentLines.push(...keys.map((key) => ({ key, write })))
    if (sentLines.length >= mostUnsaved) void save()
  }

  function noteRecord(operation: Operation, record: JsonObject): void {
    const kind = kindOf(typeIn(operation))
    if (!kind) return
    for (const path of notReturned(kind, record)) addNews(kind, `hidden ${path}`)
    lookAt(kind, record, 'shown')
  }

  /** The fields that this run sent of a record a moment ago, and that were not returned with it: the service hides them. */
  function notReturned(kind: KnownKind, record: JsonObject): readonly string[] {
    // Its id is surer than its reference, which another record may have too.
    const keys = sentLines.length === 0 ? [] : keysOf(kind, record)
    const [line] = keys.flatMap((name) => sentLines.findLast(({ key }) => key === name) ?? [])
    if (!line) return []
    return answeredFields(kind.type).flatMap(({ path, places }) => {
      const isReturned = valueAtPlaces(record, places) !== undefined || isNullIn(kind.type, record, path)
      return hasField(line.write, path) && !isReturned ? [path] : []
    })
  }

  function watch(client: Client): Client {
    return {
      prepare: client.prepare,
      async call(operation, request = {}) {
        const reply = await client.call(operation, request)
        const { page, record, status } = reply
        if (isWrite(operation)) {
          // Whether a change was applied, its record tells: until then, a field that is not shown may be as it was.
          const isChange = request.parameters?.id !== undefined
          if (!isChange && status !== processedLater)
            noteWritten(operation, request, idOf(record ?? reply.body))
        } else if (typeof page === 'object') {
          const kind = kindOf(typeIn(operation))
          for (const item of page.items.slice(0, mostOfPage))
            if (kind && isObject(item)) lookAt(kind, item, 'listed')
        } else if (record) noteRecord(operation, record)
        return reply
      },
    }
  }

  function save(): Promise<void> {
    saving = saving
      .then(() => file.add([...kinds.values()], sentLines.splice(0)))
      .catch((error: unknown) => {
        if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
      })
    return saving
  }

  return {
    /** Returns a client like this one, from whose answers the knowledge learns. */
    watch,
    /** Returns what is known of a kind of record; `type`: as it is sent. It grows with all that is read later. */
    knownOf,
    /** The words that its records have, of each field that is a choice among words. */
    async wordsOf(type: RecordType): Promise<ReadonlyMap<Field, readonly string[]>> {
      const words = new Map<Field, string[]>()
      for (const news of await knownOf(type)) {
        const [, path = '', word = ''] = /^word (\S+) (.+)$/.exec(news) ?? []
        const field = fieldAt(type.fields, path)
        if (field) addTo(words, field, word)
      }
      return words
    },
    /** Notes something about the fields of a kind of record that no answer shows by itself. */
    learn(type: RecordType, news: News): void {
      const kind = kindOf(type)
      if (kind) addNews(kind, news)
    },
    /** Learns from a create that had no clear answer, once it is known that the record was created. */
    noteCreated: (operation: Operation, body: JsonObject, id: string | undefined) =>
      noteWritten(operation, { body }, id),
    /** Learns from a change that was applied, and from the record as it was read afterwards. */
    noteChanged(
      { operation, parameters }: { readonly operation: Operation; readonly parameters: Parameters },
      body: JsonObject,
      now: JsonObject | undefined,
    ): void {
      noteWritten(operation, { parameters, body }, undefined)
      if (now) noteRecord(operation, now)
    },
    noteListed(type: RecordType, items: readonly JsonObject[]): void {
      const kind = kindOf(type)
      if (kind) kind.recordsWithoutNews = 0
      for (const item of items) if (kind) lookAt(kind, item, 'listed')
    },
    /** Returns the fields that this computer sent for a record, which may say more names of it; undefined for none. */
    async sentFor(type: RecordType, id: string, record: JsonObject = {}): Promise<SentFields | undefined> {
      const kind = kindOf(type)
      if (!kind) return undefined
      const keys = keysOf(kind, record, id)
      const unsaved = sentLines.flatMap(({ key, write }) => (keys.includes(key) ? [write] : []))
      const writes = [...(await file.sentFor(keys)), ...unsaved]
      const last = writes.at(-1)
      if (last === undefined) return undefined
      return {
        created: writes.some((write) => write.startsWith(creation)),
        ever: (path) => writes.some((write) => hasField(write, path)),
        last: (path) => hasField(last, path),
      }
    },
    /** Forgets everything, because a person has said what the service does. */
    forget: file.forget,
    /** Stores what is new. If that fails, it will be learned again. */
    save,
  }
}

/** The kind of record that an operation is about, in the form of the request. */
function typeIn(operation: Operation): RecordType | undefined {
  const type = answerType(operation)
  return operation.requestRecord ?? (type && sentTypeOf(type))
}

/** Adds news to what this run knows and will store. */
function addNews({ known, news }: KnownKind, one: News): void {
  if (learn(known, one)) news.push(one)
}

/** Learns from a record which fields are shown, or from an item of a list which are listed. */
function lookAt(kind: KnownKind, record: JsonObject, where: 'shown' | 'listed'): void {
  const { known, news } = kind
  if (kind.recordsWithoutNews >= withoutNews) return
  const before = news.length
  for (const { path, places, isShown, hasWords } of answeredFields(kind.type)) {
    const isKnown = known.has(`hidden ${path}`) || known.has(`shown ${path}`) || known.has(`${where} ${path}`)
    if (isKnown && !hasWords) continue
    const value = valueAtPlaces(record, places)
    if (!isShown(value)) continue
    if (!isKnown) addNews(kind, `${where} ${path}`)
    if (hasWords && isWord(value)) addNews(kind, `word ${path} ${value}`)
  }
  kind.recordsWithoutNews = news.length > before ? 0 : kind.recordsWithoutNews + 1
}

/** What a line of the file of sent fields says before the fields: whether the write created the record. */
const [creation, change] = ['c ', 'u ']

/** Whether a write had a field. Each digest has as many letters, and a comma parts them. */
const hasField = (write: string, path: string) => write.includes(fieldDigest(path))

/** 202 (RFC 9110, 15.3.3): the service will process the write later, so the record does not have it yet. */
export const processedLater = 202

/** Whether a value is a word, and no text that somebody wrote about a person. */
const isWord = (value: Json): value is string =>
  typeof value === 'string' &&
  /^\p{L}[\p{L}\p{N}_+&%/-]*( [\p{L}\p{N}_+&%/-]+){0,2}$/u.test(value) &&
  value.length <= 40

/** The fields that a request may have, also where no answer returns them; an opening balance is one field, a section none. */
export const sendableFields = onceFor((type: RecordType): readonly string[] => [
  ...answeredFields(type).flatMap(({ path }) => (sectionPaths(type).includes(path) ? [] : [path])),
  ...neverReturned(type),
])

/** The digests of the fields of a request that have a value. */
const filledFields = (type: RecordType, body: JsonObject): string =>
  sendableFields(type)
    .filter((path) => isFilled(valueAt(body, placesOf(type, path).sent)))
    .map(fieldDigest)
    .join()

/** false, 0, and an empty text or list do not count, because a service may leave them out as empty. */
const isFilled = (value: Json): boolean =>
  isObject(value) ? Object.values(value).some(isFilled) : !(value === false || value === 0 || isEmpty(value))
