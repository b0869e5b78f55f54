import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeFileAtomic } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, modeOfDirectory } from '../files/local/private-directory.ts'
import { privateJson } from '../files/local/private-json.ts'
import { once } from '../once.ts'

/** The fields that this computer sent for one record. */
export interface SentFields {
  /** True where this computer created the record. */
  readonly created: boolean
  /** The fields sent with any write of the record, and those of its last write. */
  readonly ever: ReadonlySet<string>
  readonly last: ReadonlySet<string>
}

/** The most words that are kept of one field. A field with more is not a choice among words. */
const mostWords = 40
/** A file of sent fields that is larger than this, in bytes, loses its older half. */
const largestSent = 16_000_000

/** Something learned about the fields of one kind of record. `shown` never overrides `hidden`. */
export type News =
  | { readonly kind: 'shown' | 'listed' | 'hidden'; readonly path: string }
  | { readonly kind: 'word'; readonly path: string; readonly word: string }
  | { readonly kind: 'looked'; readonly day: string }

/** What is known of the fields of one kind of record. */
export interface KindKnowledge {
  readonly shown: Set<string>
  readonly hidden: Set<string>
  readonly listed: Set<string>
  readonly words: Map<string, Set<string>>
  looked: string | undefined
}

/** Adds a piece of news. Returns whether it was new. */
export function applyNews(known: KindKnowledge, news: News): boolean {
  const { shown, hidden, words } = known
  if (news.kind === 'looked') {
    const isNew = known.looked !== news.day
    known.looked = news.day
    return isNew
  }
  const { kind, path } = news
  if (kind === 'word') {
    const all = words.get(path) ?? new Set()
    words.set(path, all)
    return all.size < mostWords && grows(all, news.word)
  }
  if (kind === 'hidden') shown.delete(path)
  return !(kind === 'shown' && hidden.has(path)) && grows(known[kind], path)
}

const grows = (all: Set<string>, one: string) => all.size < all.add(one).size

const kindShape = z.object({
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  listed: z.array(z.string()),
  words: z.record(z.string(), z.array(z.string())),
  looked: z.optional(z.string()),
})

const format = 2

const fileShape = z.object({
  format: z.literal(format),
  /** The salt of the marks in the file of sent fields, so that no mark can be traced to a record. */
  salt: z.string(),
  /** The field names: a line of that file has their numbers. */
  names: z.array(z.string()),
  services: z.record(z.string(), z.record(z.string(), kindShape)),
})

type StoredKind = z.infer<typeof kindShape>
type StoredKnowledge = Omit<z.infer<typeof fileShape>, 'format'>

/** The fields of one write, by a name of its record. */
export interface SentLine {
  readonly key: string
  readonly isCreation: boolean
  readonly fields: ReadonlySet<string>
}

/** Two files in the settings folder: what is known of the records of a service, and which fields were sent there. */
interface KnowledgeFile {
  /** What is known of a kind of record, by its name. */
  readonly of: (kind: string) => Promise<KindKnowledge>
  /** Which fields earlier runs sent for a record. `keys` are all names of the record. */
  readonly sentFor: (keys: readonly string[]) => Promise<readonly SentFields[]>
  /** Adds news to what other runs have stored meanwhile. Throws the system's error. */
  readonly add: (news: ReadonlyMap<string, readonly News[]>, sent: readonly SentLine[]) => Promise<void>
  readonly forget: () => Promise<void>
}

/** Opens the two files. Where they cannot be read, or others could have written them, nothing is known. */
export function openKnowledgeFile(directory: () => Promise<string>, service: string): KnowledgeFile {
  /** The folder. Rejects if others could have written in it. */
  const place = async () => {
    const folder = await directory()
    modeOfDirectory(folder)
    return folder
  }
  const readEarlier = async (): Promise<ReadonlyMap<string, SentFields>> =>
    place().then(
      async (folder) => readSentLines(folder, await stored()),
      () => new Map(),
    )
  let stored = once(() => place().then(readStored, nothingStored))
  let earlier = once(readEarlier)

  async function change(apply: (kept: StoredKnowledge, folder: string) => Promise<void>): Promise<void> {
    const folder = await directory()
    await ensurePrivateDirectory(folder)
    const what = `what the services show, in ${folder}`
    await withLock(
      what,
      async () => {
        const kept = await readStored(folder)
        await apply(kept, folder)
        stored = once(async () => kept)
        earlier = once(readEarlier)
      },
      { waitMs: 2000 },
    )
  }

  return {
    of: async (kind) => openKind((await stored()).services[service]?.[kind]),
    async sentFor(keys) {
      const [{ salt }, before] = [await stored(), await earlier()]
      return keys.flatMap((key) => before.get(markOf(salt, key)) ?? [])
    },
    add: (news, sent) =>
      change(async (kept, folder) => {
        const known = new Set(kept.names)
        const used = new Set(sent.flatMap(({ fields }) => [...fields]))
        const names = [...used].filter((path) => !known.has(path))
        kept.names.push(...names)
        const kinds = { ...kept.services[service] }
        for (const [name, each] of news) {
          const kind = openKind(kinds[name])
          for (const one of each) applyNews(kind, one)
          kinds[name] = storedFrom(kind)
        }
        kept.services[service] = kinds
        // The names are written first, because a line's numbers mean nothing without them.
        if (names.length > 0 || news.size > 0) await writeStored(folder, kept)
        if (sent.length > 0) await appendLines(folder, kept, sent)
      }),
    forget: () =>
      change(async (kept, folder) => {
        delete kept.services[service]
        await writeStored(folder, kept)
      }),
  }
}

const openKind = ({
  shown = [],
  hidden = [],
  listed = [],
  words = {},
  looked,
}: Partial<StoredKind> = {}): KindKnowledge => ({
  shown: new Set(shown),
  hidden: new Set(hidden),
  listed: new Set(listed),
  looked,
  words: new Map(Object.entries(words).map(([path, each]) => [path, new Set(each)])),
})

const storedFrom = ({ shown, hidden, listed, words, looked }: KindKnowledge): StoredKind => ({
  shown: [...shown],
  hidden: [...hidden],
  listed: [...listed],
  words: Object.fromEntries([...words].map(([path, each]) => [path, [...each]])),
  ...(looked !== undefined && { looked }),
})

const knowledgeIn = (folder: string) =>
  privateJson(join(folder, 'service-knowledge.json'), fileShape, {
    what: 'the knowledge of services',
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
  const stored = await knowledgeIn(folder)
    .read()
    .catch(() => undefined)
  return stored ?? nothingStored()
}

async function writeStored(folder: string, stored: StoredKnowledge): Promise<void> {
  await knowledgeIn(folder).write({ ...stored, format })
}

/** The mark of a record in the file of sent fields. Nobody can read a reference from it. */
const markOf = (salt: string, key: string) =>
  createHash('sha256').update(`${salt}\0${key}`).digest('base64url').slice(0, 16)

async function appendLines(
  folder: string,
  { salt, names }: StoredKnowledge,
  lines: readonly SentLine[],
): Promise<void> {
  const at = new Map(names.map((name, index) => [name, index]))
  const text = lines.map(
    ({ key, isCreation, fields }) =>
      `${markOf(salt, key)} ${isCreation ? 'c' : 'u'} ${[...fields].map((path) => at.get(path)).join()}\n`,
  )
  const file = sentFile(folder)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > largestSent) {
    const half = (await readFile(file, 'utf8')).slice(size / 2)
    await writeFileAtomic(file, half.slice(half.indexOf('\n') + 1), true)
  }
  await appendFile(file, text.join(''), { mode: 0o600 })
}

async function readSentLines(
  folder: string,
  { names }: StoredKnowledge,
): Promise<ReadonlyMap<string, SentFields>> {
  const all = new Map<string, SentFields>()
  const sets = new Map<string, ReadonlySet<string>>()
  const text = await readFile(sentFile(folder), 'utf8').catch(() => '')
  for (const line of text.split('\n')) {
    const [mark, operation, numbers] = line.split(' ')
    if (!mark || numbers === undefined) continue
    const fields =
      sets.get(numbers) ?? new Set((numbers.match(/\d+/g) ?? []).flatMap((each) => names[Number(each)] ?? []))
    sets.set(numbers, fields)
    const before = all.get(mark)
    const now = sentFields({ key: mark, isCreation: operation === 'c', fields })
    const merged = mergeSent(before ? [before, now] : [now])
    if (merged) all.set(mark, merged)
  }
  return all
}

export const sentFields = ({ isCreation, fields }: SentLine): SentFields => ({
  created: isCreation,
  ever: fields,
  last: fields,
})

/** Merges the writes of one record, the oldest first. */
export function mergeSent(all: readonly SentFields[]): SentFields | undefined {
  const last = all.at(-1)
  if (!last || all.length === 1) return last
  return {
    created: all.some(({ created }) => created),
    ever: new Set(all.flatMap(({ ever }) => [...ever])),
    last: last.last,
  }
}
