import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { CallRequest, Client } from '../api/client.ts'
import { recordIn } from '../api/http/written-body.ts'
import { isWrite } from '../api/outcome/call-failure.ts'
import { answeredIds, comparableReference } from '../api/outcome/same-record.ts'
import { readPage, readRecord } from '../api/response-body.ts'
import { Failure, systemCode } from '../errors.ts'
import { hasNoValue, isObject, type Json, type JsonObject, lastName, valueAt } from '../files/json/path.ts'
import { writeFileAtomic } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, modeOfDirectory } from '../files/local/private-directory.ts'
import { privateJson } from '../files/local/private-json.ts'
import type { Field } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import {
  answerPath,
  mappingOf,
  type Places,
  placesInResponse,
  sentTypeOf,
  valueAtPlaces,
} from '../model/mapping/field-mapping.ts'
import { isNothing, isServiceOwned } from '../model/mapping/map-record.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import type { Operation } from '../model/operations/operation.ts'
import { allOperations } from '../model/operations/operations.ts'
import { idOf } from '../model/records/identity.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { onceFor } from '../once.ts'

/**
 * What the service of a profile shows of each field of each kind of record, learned from every record that is read and every
 * write of this computer. It holds names of fields, and words of fields that are a choice among words; nothing of a person. Where it cannot be
 * read or kept, it is unknown what the service shows, and learned anew.
 */
export interface ServiceKnowledge {
  /** The same client, from whose answers this is learned. */
  readonly learning: (client: Client) => Client
  /** Returns the fields of a kind of record that this service shows and hides; `type` is the record as it is sent. */
  readonly of: (type: RecordType) => Promise<KnownFields>
  /** The words that its records have, of each field that is a choice among words. */
  readonly wordsOf: (type: RecordType) => Promise<ReadonlyMap<Field, readonly string[]>>
  /** Notes that somebody looked at other records for what is not known, today. */
  readonly noteLooked: (type: RecordType, today: string) => Promise<void>
  /** Learns from a create without a clear answer, of which a look has shown that it was done. */
  readonly noteCreated: (operation: Operation, body: JsonObject, id: string | undefined) => void
  /** Learns from items of a list, however many. */
  readonly noteListed: (type: RecordType, items: readonly JsonObject[]) => Promise<void>
  /** Notes that the record of somebody came back without a field that it has, as a list shows. */
  readonly noteHidden: (type: RecordType, path: string) => Promise<void>
  /** Returns the fields that this computer sent for a record; undefined where it sent nothing. */
  readonly sentFor: (type: RecordType, names: RecordNames) => Promise<SentFields | undefined>
  /** Forgets all of it: a person says anew what the service does. */
  readonly forget: () => Promise<void>
  /** Puts on the disk what is new. Where that fails it is learned again. */
  readonly save: () => Promise<void>
}

/**
 * The fields of one kind of record, as paths of a request.
 * shown: some record had it. listed: an item of a list had it. hidden: a record that had it came back without it, as this computer had
 * just sent it, or a list shows it. That one is never forgotten for another that shows it: a service may hide a field of some people.
 */
export interface KnownFields {
  readonly shown: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  readonly listed: ReadonlySet<string>
  /** The day on which other records were last looked at for what is not known. */
  readonly looked: string | undefined
}

/** The ids and the reference by which a record is recognised. */
interface RecordNames {
  readonly ids: readonly string[]
  readonly reference?: string | undefined
}

/** The fields that this computer sent for one record. */
export interface SentFields {
  /** True where this computer created the record. */
  readonly created: boolean
  /** The fields sent with any write of the record, and those sent with its last one. */
  readonly ever: ReadonlySet<string>
  readonly last: ReadonlySet<string>
}

/** Items of a list that are looked at for new fields: the first of each page, and at most this many of all pages. */
const ofEachPage = 5
const ofEachList = 100
/** After this many records in a row without a new field, records are only compared with what was sent for them. */
const withoutNews = 300
/** Words kept of one field. A field that has more of them is no choice among words. */
const mostWords = 40
/** Records written in this run that are remembered, to be compared with what the service shows of them. */
const mostSent = 1000
/** Sent records that may wait in memory: a run that is killed forgets them. */
const mostUnsaved = 512
/** Answers that wait until somebody asks: with more of them, they are gone through at once. */
const mostPending = 100
/** Sets of fields that are held to be shared. */
const mostShared = 100
/** The file of sent fields loses its older half when it is larger than this. In bytes. */
const largestSent = 16_000_000

/** Something that the service answered. */
type ServiceAnswer =
  | { readonly kind: 'record' | 'items'; readonly operation: Operation; readonly records: readonly Json[] }
  | {
      readonly kind: 'written'
      readonly operation: Operation
      readonly request: CallRequest
      readonly id: string | undefined
    }

interface LearnedField {
  readonly path: string
  readonly places: Places
  readonly isShown: (value: Json) => boolean
  /** True for a choice among words that is not sensitive. */
  readonly hasWords: boolean
}

interface KnownKind {
  readonly name: string
  readonly type: RecordType
  readonly fields: readonly LearnedField[]
  readonly shown: Set<string>
  readonly hidden: Set<string>
  readonly listed: Set<string>
  readonly words: Map<string, Set<string>>
  looked: string | undefined
  /** The changes that this run makes to the stored knowledge; other runs may have stored theirs meanwhile. */
  readonly news: ((kept: StoredKind) => void)[]
  isQuiet: number
}

const kindShape = z.object({
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  listed: z.array(z.string()),
  words: z.record(z.string(), z.array(z.string())),
  looked: z.optional(z.string()),
})

const format = 1

const fileShape = z.object({
  format: z.literal(format),
  /** Salt of the marks in the file of sent fields. Without it no mark can be traced to a record. */
  salt: z.string(),
  /** The names of fields by the bits of a line there. */
  names: z.array(z.string()),
  services: z.record(z.string(), z.record(z.string(), kindShape)),
})

type StoredKind = z.infer<typeof kindShape>
type StoredKnowledge = Omit<z.infer<typeof fileShape>, 'format'>

interface SentLine {
  readonly key: string
  readonly isCreation: boolean
  readonly fields: ReadonlySet<string>
}

/**
 * @param service the profile and its address: another address, or another profile with its own key, may show other fields
 */
export function openKnowledge(directory: () => Promise<string>, service: string): ServiceKnowledge {
  const pending: ServiceAnswer[] = []
  const taken = new Map<string, number>()
  const kinds = new Map<RecordType, KnownKind>()
  /** The fields sent in this run, by each name of their record. */
  const sent = new Map<string, ReadonlySet<string>>()
  const lines: SentLine[] = []
  let stored: Promise<StoredKnowledge> | undefined
  let earlier: Promise<ReadonlyMap<string, SentFields>> | undefined
  let learning = Promise.resolve()
  let saving = Promise.resolve()

  /** The folder to read from. Fails where others could have written what is read there. */
  const place = async () => {
    const folder = await directory()
    modeOfDirectory(folder)
    return folder
  }

  const read = () => {
    stored ??= place().then(readStored, () => nothingStored())
    return stored
  }

  /** Goes through what was seen, in its order. */
  function learn(): Promise<void> {
    learning = learning.then(async () => {
      if (pending.length === 0) return
      const known = await read()
      for (const seen of pending.splice(0)) learnFrom(known, seen)
    })
    return learning
  }

  function notice(seen: ServiceAnswer): void {
    pending.push(seen)
    if (pending.length >= mostPending) void learn()
  }

  function kindOf(known: StoredKnowledge, type: RecordType): KnownKind | undefined {
    const made = kinds.get(type)
    if (made) return made
    const name = allOperations.find(({ requestRecord }) => requestRecord === type)?.id
    if (name === undefined) return undefined
    const { shown = [], hidden = [], listed = [], words = {}, looked } = known.services[service]?.[name] ?? {}
    const kind: KnownKind = {
      ...{ name, type, looked, fields: learnedFields(type), news: [], isQuiet: 0 },
      ...{ shown: new Set(shown), hidden: new Set(hidden), listed: new Set(listed) },
      words: new Map(Object.entries(words).map(([path, each]) => [path, new Set(each)])),
    }
    kinds.set(type, kind)
    return kind
  }

  function learnFrom(known: StoredKnowledge, seen: ServiceAnswer): void {
    const { response, requestRecord } = seen.operation
    const answered = response.kind === 'nothing' ? undefined : response.type
    const type = requestRecord ?? (answered && sentTypeOf(answered))
    const kind = type && kindOf(known, type)
    if (!kind) return
    if (seen.kind === 'written') noteSent(kind, seen.request, seen.id)
    for (const record of seen.kind === 'written' ? [] : seen.records) {
      if (!isObject(record)) continue
      if (seen.kind === 'record') missSent(kind, record)
      if (kind.isQuiet < withoutNews) lookAt(kind, record, seen.kind === 'record')
    }
  }

  function lookAt(kind: KnownKind, record: JsonObject, isWhole: boolean): void {
    let hasNews = false
    for (const { path, places, isShown, hasWords } of kind.fields) {
      const isKnown = kind.hidden.has(path) || kind.shown.has(path) || (!isWhole && kind.listed.has(path))
      if (isKnown && !hasWords) continue
      const value = valueAtPlaces(record, places)
      if (!isShown(value)) continue
      if (!isKnown) hasNews = noteShown(kind, path, isWhole) || hasNews
      if (hasWords && isWord(value)) hasNews = noteWord(kind, path, value) || hasNews
    }
    kind.isQuiet = hasNews ? 0 : kind.isQuiet + 1
  }

  /** A record that this run has written came back: what was sent and is not there is hidden. */
  function missSent(kind: KnownKind, record: JsonObject): void {
    if (sent.size === 0) return
    const key = keysOf(kind, recordNamesIn(kind.type, record)).find((each) => sent.has(each))
    const paths = key === undefined ? undefined : sent.get(key)
    if (!paths) return
    for (const { path, places } of kind.fields) {
      if (
        !paths.has(path) ||
        valueAtPlaces(record, places) !== undefined ||
        isNullIn(kind.type, record, path)
      )
        continue
      if (!kind.hidden.has(path)) noteHidden(kind, path)
    }
  }

  function noteSent(
    kind: KnownKind,
    { parameters = {}, body }: CallRequest,
    answeredId: string | undefined,
  ): void {
    if (!body) return
    const record = recordIn(body)
    const id = parameters.id ?? answeredId
    const names = {
      ids: id === undefined ? [] : [String(id)],
      reference: referenceIn(kind.type, record, 'request'),
    }
    const fields = filledFields(kind.fields, record)
    for (const key of keysOf(kind, names)) {
      lines.push({ key, isCreation: parameters.id === undefined, fields })
      sent.delete(key)
      sent.set(key, fields)
    }
    for (const key of sent.keys()) {
      if (sent.size <= mostSent) break
      sent.delete(key)
    }
    if (lines.length >= mostUnsaved) void save()
  }

  /** The record by each of its names, as it stands in the file of what was sent before that is made unreadable. */
  const keysOf = ({ name }: KnownKind, { ids, reference }: RecordNames) =>
    [
      ...ids.map((id) => `i:${id}`),
      ...(reference === undefined ? [] : [`r:${comparableReference(reference)}`]),
    ].map((each) => JSON.stringify([service, name, each]))

  async function kindNow(type: RecordType): Promise<KnownKind | undefined> {
    await learn()
    return kindOf(await read(), type)
  }

  function save(): Promise<void> {
    saving = saving
      .then(async () => {
        await learn()
        await keep()
      })
      .catch((error: unknown) => {
        // Knowledge that cannot be stored is learned again.
        if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
      })
    return saving
  }

  async function keep(): Promise<void> {
    const changed = [...kinds.values()].filter(({ news }) => news.length > 0)
    if (changed.length === 0 && lines.length === 0) return
    await changeStored(async (kept, folder) => {
      const added = lines.splice(0)
      const known = new Set(kept.names)
      const used = new Set<string>()
      for (const { fields } of added) for (const path of fields) used.add(path)
      const names = [...used].filter((path) => !known.has(path))
      kept.names.push(...names)
      for (const { name, news } of changed) {
        const entry = kept.services[service]?.[name] ?? { shown: [], hidden: [], listed: [], words: {} }
        kept.services[service] = { ...kept.services[service], [name]: entry }
        for (const apply of news.splice(0)) apply(entry)
      }
      // The names come first: a line whose bits nobody can read says nothing.
      if (names.length > 0 || changed.length > 0) await writeStored(folder, kept)
      if (added.length > 0) await appendLines(folder, kept, added)
    })
  }

  async function changeStored(
    change: (kept: StoredKnowledge, folder: string) => Promise<void>,
  ): Promise<void> {
    const folder = await directory()
    await ensurePrivateDirectory(folder)
    const what = `what the services show, in ${folder}`
    await withLock(
      what,
      async () => {
        const kept = await readStored(folder)
        await change(kept, folder)
        stored = Promise.resolve(kept)
        earlier = undefined
      },
      { waitMs: 2000 },
    )
  }

  return {
    learning: (client) => ({
      prepare: client.prepare,
      async call(operation, request) {
        const reply = await client.call(operation, request)
        const { response } = operation
        if (isWrite({ operation })) {
          if (reply.status !== accepted)
            notice({ kind: 'written', operation, request: request ?? {}, id: idOf(reply.body) })
        } else if (response.kind === 'page') {
          const before = taken.get(operation.id) ?? 0
          const items = before < ofEachList ? readPage(reply.body)?.items.slice(0, ofEachPage) : undefined
          if (items && items.length > 0) {
            taken.set(operation.id, before + items.length)
            notice({ kind: 'items', operation, records: items })
          }
        } else if (response.kind === 'one') {
          const record = readRecord(response, reply.body)
          if (record) notice({ kind: 'record', operation, records: [record] })
        }
        return reply
      },
      async record(operation, request) {
        let status: number | undefined
        const record = await client.record(operation, {
          ...request,
          onHead(head) {
            status = head.status
            request?.onHead?.(head)
          },
        })
        if (!isWrite({ operation })) notice({ kind: 'record', operation, records: [record] })
        else if (status !== accepted)
          notice({ kind: 'written', operation, request: request ?? {}, id: idOf(record) })
        return record
      },
    }),
    async of(type) {
      return (await kindNow(type)) ?? nothingKnown
    },
    async wordsOf(type) {
      const kind = await kindNow(type)
      const found = [...(kind?.words ?? [])].map(
        ([path, words]) => [fieldAt(type.fields, path), [...words]] as const,
      )
      return new Map(found.flatMap(([field, words]) => (field ? [[field, words] as const] : [])))
    },
    async noteLooked(type, today) {
      const kind = await kindNow(type)
      if (!kind || kind.looked === today) return
      kind.looked = today
      kind.news.push((kept) => {
        kept.looked = today
      })
    },
    noteCreated: (operation, body, id) => notice({ kind: 'written', operation, request: { body }, id }),
    async noteListed(type, items) {
      const kind = await kindNow(type)
      if (kind) for (const item of items) lookAt(kind, item, false)
    },
    async noteHidden(type, path) {
      const kind = await kindNow(type)
      if (kind && !kind.hidden.has(path)) noteHidden(kind, path)
    },
    async sentFor(type, names) {
      const kind = await kindNow(type)
      if (!kind) return undefined
      earlier ??= place().then(
        async (folder) => readLines(folder, await read()),
        () => new Map(),
      )
      const { salt } = await read()
      const before = await earlier
      const keys = keysOf(kind, names)
      return mergeSent([
        ...keys.flatMap((key) => before.get(markOf(salt, key)) ?? []),
        ...lines.filter(({ key }) => keys.includes(key)).map(sentFields),
      ])
    },
    async forget() {
      kinds.clear()
      await changeStored(async (kept, folder) => {
        delete kept.services[service]
        await writeStored(folder, kept)
      })
    },
    save,
  }
}

/** 202 (RFC 9110, 15.3.3): the record does not have it yet. */
const accepted = 202

function noteShown(kind: KnownKind, path: string, isWhole: boolean): boolean {
  if (!isWhole) {
    kind.listed.add(path)
    kind.news.push((kept) => add(kept.listed, path))
    return true
  }
  kind.shown.add(path)
  kind.news.push((kept) => {
    if (!kept.hidden.includes(path)) add(kept.shown, path)
  })
  return true
}

function noteHidden(kind: KnownKind, path: string): void {
  kind.hidden.add(path)
  kind.shown.delete(path)
  kind.news.push((kept) => {
    add(kept.hidden, path)
    kept.shown = kept.shown.filter((each) => each !== path)
  })
}

function noteWord(kind: KnownKind, path: string, word: string): boolean {
  const words = kind.words.get(path) ?? new Set()
  kind.words.set(path, words)
  if (words.has(word) || words.size >= mostWords) return false
  words.add(word)
  kind.news.push((kept) => {
    kept.words[path] ??= []
    add(kept.words[path], word)
  })
  return true
}

const add = (list: string[], value: string) => {
  if (!list.includes(value)) list.push(value)
}

const nothingKnown: KnownFields = {
  ...{ shown: new Set<string>(), hidden: new Set<string>(), listed: new Set<string>() },
  looked: undefined,
}

/** A word, and no sentence that somebody wrote about a person. */
const isWord = (value: Json): value is string =>
  typeof value === 'string' &&
  /^\p{L}[\p{L}\p{N}_+&%/-]*( [\p{L}\p{N}_+&%/-]+){0,2}$/u.test(value) &&
  value.length <= 40

/** The names by which a record says that it is known. */
export function recordNamesIn(type: RecordType, record: JsonObject): RecordNames {
  return { ids: answeredIds(type, record), reference: referenceIn(type, record, 'item') }
}

function referenceIn({ reference }: RecordType, record: Json, side: 'request' | 'item'): string | undefined {
  if (!reference) return undefined
  const value = side === 'item' ? valueAtPlaces(record, placesInResponse(reference)) : undefined
  return idOf({ id: value ?? valueAt(record, reference.request.split('.')) })
}

/** The sets of fields that records of a type had, by a sign for each field. */
const setsOf = onceFor((_: readonly LearnedField[]) => new Map<string, ReadonlySet<string>>())

/**
 * The fields of a request that have a value, as paths. What a service may leave out as empty counts as none: false, 0, an empty
 * text or list. Records with the same ones share a set: one of its own for each took half the memory of an import.
 */
function filledFields(fields: readonly LearnedField[], record: Json): ReadonlySet<string> {
  let name = ''
  for (const { places } of fields) {
    const value = valueAt(record, places.sent)
    name += isObject(value) || value === false || value === 0 || !hasValue(value) ? '0' : '1'
  }
  const sets = setsOf(fields)
  const known = sets.get(name)
  if (known) return known
  const made = new Set(fields.flatMap(({ path }, at) => (name[at] === '1' ? [path] : [])))
  if (sets.size < mostShared) sets.set(name, made)
  return made
}

/** Tells a value from null, an empty text, an empty list and an empty object. */
export const hasValue = (value: Json) => !hasNoValue(value) && !isNothing(value)

/** The fields and inner sections whose presence in an answer says something. */
const learnedFields = onceFor((type: RecordType): readonly LearnedField[] =>
  [...new Set([...sectionPaths(type), ...expectedPaths(type)])].map((path): LearnedField => {
    const field = fieldAt(type.fields, path)
    const isMask = maskFinder({ name: lastName(path), standard: field?.standard })
    return {
      path,
      places: placesOf(type, path),
      isShown: (value) => hasValue(value) && !isMask(value),
      hasWords:
        field?.type === 'string' && !field.sensitive && (field.codes ?? field.exampleValues) !== undefined,
    }
  }),
)

/** The value of a field of the request in an answer; null where it, or the section that it is in, is null. */
export function answeredValue(type: RecordType, record: Json, path: string): Json {
  return valueAtPlaces(record, placesOf(type, path))
}

/** Tells whether an answer shows a value of a field, and not a mask of it. */
export function showsField(type: RecordType, record: Json, path: string): boolean {
  const field = learnedFields(type).find((each) => each.path === path)
  return field?.isShown(valueAtPlaces(record, field.places)) === true
}

/** Tells whether an answer has null for a field or for a section around it. */
export function isNullIn(type: RecordType, record: Json, path: string): boolean {
  const names = path.split('.')
  return names.some((_, at) => answeredValue(type, record, names.slice(0, at + 1).join('.')) === null)
}

/** The places of a type's fields in an answer: each is looked up in every item of a list, and is the same for all. */
const knownPlaces = onceFor((_: RecordType) => new Map<string, Places>())

function placesOf(type: RecordType, path: string): Places {
  const places = knownPlaces(type)
  const earlier = places.get(path)
  if (earlier) return earlier
  const mapping = mappingOf(type)
  const added = placesInResponse({ request: path, item: mapping ? answerPath(mapping, path) : path })
  places.set(path, added)
  return added
}

/** The sections that an answer may have under another name. */
export const sectionPaths = (type: RecordType): string[] =>
  (mappingOf(type)?.names ?? [])
    .map(([request]) => request)
    .filter((path) => fieldAt(type.fields, path)?.fields)

/**
 * The fields and inner sections that an answer has, by their path in a request, in the order of the contract. A field that no answer
 * shows cannot be expected back. An object that is no section, such as an opening balance, counts as one value.
 */
export function expectedPaths(type: RecordType, fields = type.fields, above = ''): string[] {
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

const knowledgeIn = (folder: string) =>
  privateJson(join(folder, 'service-knowledge.json'), fileShape, {
    what: 'What is known of services',
    format,
  })
const sentFile = (folder: string) => join(folder, 'service-knowledge-sent.txt')

const nothingStored = (): StoredKnowledge => ({
  salt: randomBytes(12).toString('base64url'),
  names: [],
  services: {},
})

/** Reads the stored knowledge; empty where the file is missing, damaged, or of another format. */
async function readStored(folder: string): Promise<StoredKnowledge> {
  const read = await knowledgeIn(folder)
    .read()
    .catch(() => undefined)
  return read?.is === 'there' ? read.value : nothingStored()
}

async function writeStored(folder: string, stored: StoredKnowledge): Promise<void> {
  await knowledgeIn(folder).write({ ...stored, format })
}

/** A record in the file of what was sent: nobody reads a reference from it. */
const markOf = (salt: string, key: string) =>
  createHash('sha256').update(`${salt}\0${key}`).digest('base64url').slice(0, 16)

async function appendLines(
  folder: string,
  { salt, names }: StoredKnowledge,
  lines: readonly SentLine[],
): Promise<void> {
  const at = new Map(names.map((name, index) => [name, index]))
  const text = lines.map(({ key, isCreation, fields }) => {
    const bits = Buffer.alloc(Math.ceil(names.length / 8))
    for (const path of fields) {
      const bit = at.get(path) ?? 0
      bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
    return `${markOf(salt, key)} ${isCreation ? 'c' : 'u'} ${bits.toString('base64url')}\n`
  })
  const file = sentFile(folder)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > largestSent) {
    const half = (await readFile(file, 'utf8')).slice(size / 2)
    await writeFileAtomic(file, half.slice(half.indexOf('\n') + 1), true)
  }
  await appendFile(file, text.join(''), { mode: 0o600 })
}

async function readLines(
  folder: string,
  { names }: StoredKnowledge,
): Promise<ReadonlyMap<string, SentFields>> {
  const all = new Map<string, SentFields>()
  const sets = new Map<string, ReadonlySet<string>>()
  const text = await readFile(sentFile(folder), 'utf8').catch(() => '')
  for (const line of text.split('\n')) {
    const [mark, operation, coded] = line.split(' ')
    if (!mark || !coded) continue
    const fields = sets.get(coded) ?? fieldsIn(coded, names)
    sets.set(coded, fields)
    const before = all.get(mark)
    const now = sentFields({ key: mark, isCreation: operation === 'c', fields })
    const merged = mergeSent(before ? [before, now] : [now])
    if (merged) all.set(mark, merged)
  }
  return all
}

/** The fields of which a bit is set. */
function fieldsIn(coded: string, names: readonly string[]): ReadonlySet<string> {
  const bits = Buffer.from(coded, 'base64url')
  return new Set(names.filter((_, bit) => ((bits[bit >> 3] ?? 0) >> (bit & 7)) & 1))
}

const sentFields = ({ isCreation, fields }: SentLine): SentFields => ({
  created: isCreation,
  ever: fields,
  last: fields,
})

/** Merges the writes of one record, the oldest first. */
function mergeSent(all: readonly SentFields[]): SentFields | undefined {
  const last = all.at(-1)?.last
  if (!last) return undefined
  return {
    created: all.some(({ created }) => created),
    ever: new Set(all.flatMap(({ ever }) => [...ever])),
    last,
  }
}
