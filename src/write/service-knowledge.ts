import type { CallRequest, Client } from '../api/client.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import type { Parameters } from '../api/route-path.ts'
import { Failure, systemCode } from '../errors.ts'
import { isEmpty, isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import type { Field } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { type AnsweredField, answeredFields, isNullIn } from '../model/mapping/answered-fields.ts'
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
import { once, onceFor, onceForText } from '../once.ts'
import {
  applyNews,
  type KindKnowledge,
  learnedFrom,
  type News,
  openKnowledgeFile,
  type SentLine,
} from './knowledge-file.ts'

export type ServiceKnowledge = ReturnType<typeof openKnowledge>

/** The fields that this computer sent for one record, and whether it created it. */
export interface SentFields {
  readonly created: boolean
  /** The fields sent with any write of the record, and those of its last write. */
  readonly ever: ReadonlySet<string>
  readonly last: ReadonlySet<string>
}

/** The ids and the reference that identify a record. */
interface RecordNames {
  readonly ids: readonly string[]
  readonly reference?: string | undefined
}

/** How many items of each page of a list are looked at for new fields. */
const mostOfPage = 5
/** After this many records in a row without a new field, records are no longer searched for new fields. */
const withoutNews = 300
/** How many records written in this run are remembered, to compare them with what the service shows. */
const mostSent = 1000
/** How many sent records may wait in memory to be stored. A run that is killed loses them; an import learns them again. */
const mostUnsaved = 512
const mostShared = 100

interface KnownKind {
  readonly name: string
  readonly type: RecordType
  readonly known: KindKnowledge
  /** What this run has seen; other runs may have stored the same. */
  readonly news: News[]
  /** Adds what earlier runs have stored. */
  readonly load: () => Promise<void>
  /** Records in a row that had no new field. */
  recordsWithoutNews: number
}

/** The kinds of record of a service. What earlier runs have stored of one is added when it is loaded. */
function openKinds({ newsOf }: ReturnType<typeof openKnowledgeFile>) {
  const kinds = new Map<RecordType, KnownKind>()

  function of(type: RecordType | undefined): KnownKind | undefined {
    const made = type && kinds.get(type)
    const name = allOperations.find(({ requestRecord }) => requestRecord === type)?.id
    if (made || !type || name === undefined) return made
    const known = learnedFrom([])
    const load = once(async () => {
      for (const one of await newsOf(name)) applyNews(known, one)
    })
    const kind: KnownKind = { name, type, known, news: [], load, recordsWithoutNews: 0 }
    kinds.set(type, kind)
    return kind
  }

  return {
    of,
    async loaded(type: RecordType): Promise<KnownKind | undefined> {
      const kind = of(type)
      await kind?.load()
      return kind
    },
    all: () => [...kinds.values()],
    clear: () => kinds.clear(),
  }
}

/**
 * Opens the knowledge of a service: of a profile and its address, because other addresses and keys may show
 * other fields. It says what the service shows of each field, learned from every record that is read and every write of
 * this computer. Stores names of fields, and the words of fields that are a choice among words, but nothing of a
 * person. If it cannot be read or stored, it is learned again.
 */
export function openKnowledge(directory: () => Promise<string>, service: string) {
  const file = openKnowledgeFile(directory, service)
  const kinds = openKinds(file)
  const memory = rememberSent(service, () => void save())
  let saving = Promise.resolve()

  function noteWritten(operation: Operation, request: CallRequest, id: string | undefined): void {
    const kind = kinds.of(typeIn(operation))
    if (kind) memory.add(kind, request, id)
  }

  function noteRecord(operation: Operation, record: JsonObject): void {
    const kind = kinds.of(typeIn(operation))
    if (!kind) return
    for (const path of memory.notReturned(kind, record)) addNews(kind, { kind: 'hidden', path })
    if (kind.recordsWithoutNews < withoutNews) lookAt(kind, record, 'shown')
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
          const kind = kinds.of(typeIn(operation))
          for (const item of page.items.slice(0, mostOfPage))
            if (kind && isObject(item) && kind.recordsWithoutNews < withoutNews) lookAt(kind, item, 'listed')
        } else if (record) noteRecord(operation, record)
        return reply
      },
    }
  }

  function save(): Promise<void> {
    saving = saving
      .then(() => file.add(kinds.all(), memory.lines.splice(0)))
      .catch((error: unknown) => {
        if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
      })
    return saving
  }

  return {
    /** Returns a client like this one, from whose answers the knowledge learns. */
    watch,
    /** Returns the fields of a kind of record that this service shows and hides; `type` is the record as it is sent. */
    fieldsOf: async (type: RecordType): Promise<KindKnowledge> =>
      (await kinds.loaded(type))?.known ?? learnedFrom([]),
    /** The words that its records have, of each field that is a choice among words. */
    async wordsOf(type: RecordType): Promise<ReadonlyMap<Field, readonly string[]>> {
      const kind = await kinds.loaded(type)
      const wordsOfFields = [...(kind?.known.words ?? [])].map(
        ([path, words]) => [fieldAt(type.fields, path), [...words]] as const,
      )
      return new Map(wordsOfFields.flatMap(([field, words]) => (field ? [[field, words] as const] : [])))
    },
    /** Notes something about the fields of a kind of record that no answer shows by itself. */
    learn(type: RecordType, news: News): void {
      const kind = kinds.of(type)
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
      const kind = kinds.of(type)
      for (const item of items) if (kind) lookAt(kind, item, 'listed')
    },
    /** Returns the fields that this computer sent for a record; undefined where it sent nothing. */
    async sentFor(type: RecordType, names: RecordNames): Promise<SentFields | undefined> {
      const kind = kinds.of(type)
      if (!kind) return undefined
      const keys = memory.keysOf(kind, names)
      const earlier = await file.sentFor(
        keys,
        sendableFields(type).map(({ path }) => path),
      )
      const writes = [...earlier, ...memory.lines.filter(({ key }) => keys.includes(key))]
      const last = writes.at(-1)
      return (
        last && {
          created: writes.some(({ isCreation }) => isCreation),
          ever: new Set(writes.flatMap(({ fields }) => [...fields])),
          last: last.fields,
        }
      )
    },
    /** Forgets everything, because a person has said what the service does. */
    async forget(): Promise<void> {
      kinds.clear()
      await file.forget()
    },
    /** Stores what is new. If that fails, it will be learned again. */
    save,
  }
}

/** The kind of record that an operation is about, in the form of the request. */
function typeIn(operation: Operation): RecordType | undefined {
  const type = answerType(operation)
  return operation.requestRecord ?? (type && sentTypeOf(type))
}

/** Adds news to what this run knows and will store. Returns whether it was new. */
function addNews({ known, news }: KnownKind, one: News): boolean {
  const isNew = applyNews(known, one)
  if (isNew) news.push(one)
  return isNew
}

/** Learns from a record which fields are shown, or from an item of a list which are listed. */
function lookAt(kind: KnownKind, record: JsonObject, where: 'shown' | 'listed'): void {
  const { hidden, shown, listed } = kind.known
  let hasNews = false
  for (const { path, places, isShown, hasWords } of answeredFields(kind.type)) {
    const isKnown = hidden.has(path) || shown.has(path) || (where === 'listed' && listed.has(path))
    if (isKnown && !hasWords) continue
    const value = valueAtPlaces(record, places)
    if (!isShown(value)) continue
    if (!isKnown) hasNews = addNews(kind, { kind: where, path }) || hasNews
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
  const sentFields = new Map<string, ReadonlySet<string>>()
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
      const reference = textOfReference(kind.type, body)
      const fields = filledFields(sendableFields(kind.type), body)
      for (const key of keysOf(kind, { ids: id === undefined ? [] : [String(id)], reference })) {
        lines.push({ key, isCreation: parameters.id === undefined, fields })
        sentFields.delete(key)
        sentFields.set(key, fields)
      }
      for (const key of sentFields.keys()) {
        if (sentFields.size <= mostSent) break
        sentFields.delete(key)
      }
      if (lines.length >= mostUnsaved) onMany()
    },
    /** The fields that this run sent of a record, and that were not returned with it: the service hides them. */
    notReturned(kind: KnownKind, record: JsonObject): readonly string[] {
      if (sentFields.size === 0) return []
      const paths = keysOf(kind, recordNamesIn(kind.type, record))
        .map((key) => sentFields.get(key))
        .find((each) => each !== undefined)
      const isLacking = ({ path, places }: AnsweredField) =>
        paths?.has(path) && valueAtPlaces(record, places) === undefined && !isNullIn(kind.type, record, path)
      return paths
        ? answeredFields(kind.type)
            .filter(isLacking)
            .map(({ path }) => path)
        : []
    },
  }
}

/** 202 (RFC 9110, 15.3.3): the service will process the write later, so the record does not have it yet. */
export const processedLater = 202

/** Whether a value is a word, and no text that somebody wrote about a person. */
const isWord = (value: Json): value is string =>
  typeof value === 'string' &&
  /^\p{L}[\p{L}\p{N}_+&%/-]*( [\p{L}\p{N}_+&%/-]+){0,2}$/u.test(value) &&
  value.length <= 40

/** The ids and the reference that a record shows. */
export function recordNamesIn(type: RecordType, record: JsonObject): RecordNames {
  return { ids: answeredIds(type, record), reference: textOfReference(type, record) }
}

const textOfReference = (type: RecordType, record: JsonObject): string | undefined =>
  type.reference && idText(answeredValue(type, record, type.reference))

type SendableField = Pick<AnsweredField, 'path' | 'places'> & { readonly isSection?: boolean }

/** The fields that a request may have, also where no answer returns them. */
const sendableFields = onceFor((type: RecordType): readonly SendableField[] => [
  ...answeredFields(type).map((each) => ({ ...each, isSection: sectionPaths(type).includes(each.path) })),
  ...neverReturned(type).map((path) => ({ path, places: placesOf(type, path) })),
])

/** Sets of fields by a text with a 0 or 1 for each. Shared, because separate ones took half the memory of an import. */
const setsOf = onceFor((fields: readonly SendableField[]) =>
  onceForText(
    (flags): ReadonlySet<string> =>
      new Set(fields.flatMap(({ path }, at) => (flags[at] === '1' ? [path] : []))),
    mostShared,
  ),
)

/** The fields of a request that have a value, as paths; an opening balance is one field, a section is none. */
function filledFields(fields: readonly SendableField[], record: Json): ReadonlySet<string> {
  const flags = fields.map(({ places, isSection }) =>
    !isSection && isFilled(valueAt(record, places.sent)) ? '1' : '0',
  )
  return setsOf(fields)(flags.join(''))
}

/** false, 0, and an empty text or list do not count, because a service may leave them out as empty. */
const isFilled = (value: Json): boolean =>
  isObject(value) ? Object.values(value).some(isFilled) : !(value === false || value === 0 || isEmpty(value))
