import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeFileAtomic } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, modeOfDirectory } from '../files/local/private-directory.ts'
import { parseLine } from '../files/local/private-json.ts'
import { once, onceFor, onceForText } from '../once.ts'

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

const newsShape = z.union([
  z.object({ kind: z.enum(['shown', 'listed', 'hidden']), path: z.string() }),
  z.object({ kind: z.literal('word'), path: z.string(), word: z.string() }),
  z.object({ kind: z.literal('looked'), day: z.string() }),
])

/** Something learned about the fields of one kind of record. `shown` never overrides `hidden`. */
export type News = Readonly<z.infer<typeof newsShape>>

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

/** The first line of the file of news. */
const headShape = z.object({
  format: z.literal(3),
  /** The salt of the digests in the file of sent fields, so that none can be traced to a record. */
  salt: z.string(),
})

/** A later line: news of a kind of record, or that all news of a service are forgotten. */
const lineShape = z.union([
  z.object({ service: z.string(), of: z.string(), news: newsShape }),
  z.object({ service: z.string(), forgotten: z.literal(true) }),
])

/** The fields of one write, by a name of its record. */
export interface SentLine {
  readonly key: string
  readonly isCreation: boolean
  readonly fields: ReadonlySet<string>
}

const newsFile = (folder: string) => join(folder, 'service-knowledge.jsonl')
const sentFile = (folder: string) => join(folder, 'service-knowledge-sent.txt')

/**
 * Opens two files in the settings folder, which grow by lines: what was learned of the records of services, and which fields
 * were sent there. Where they cannot be read, or others could have written them, nothing is known.
 */
export function openKnowledgeFile(directory: () => Promise<string>, service: string) {
  /** The lines of a file; none where others could have written it. */
  const linesOf = async (fileIn: (folder: string) => string): Promise<readonly string[]> => {
    try {
      const folder = await directory()
      modeOfDirectory(folder)
      return (await readFile(fileIn(folder), 'utf8')).split('\n')
    } catch {
      return []
    }
  }
  const readNews = async () => newsIn(await linesOf(newsFile), service)
  let stored = once(readNews)
  let earlier = once(async () => sentIn(await linesOf(sentFile)))

  async function append(lines: readonly object[], sent: readonly SentLine[] = []): Promise<void> {
    const folder = await directory()
    await ensurePrivateDirectory(folder)
    const work = async () => {
      let { salt } = await readNews()
      if (salt === undefined) {
        salt = randomBytes(12).toString('base64url')
        await writeFileAtomic(newsFile(folder), `${JSON.stringify({ format: 3, salt })}\n`, true)
      }
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      if (text !== '') await appendFile(newsFile(folder), text, { mode: 0o600 })
      if (sent.length > 0) await appendSent(sentFile(folder), salt, sent)
    }
    await withLock(`what the services show, in ${folder}`, work, { waitMs: 2000 })
    stored = once(readNews)
    earlier = once(async () => sentIn(await linesOf(sentFile)))
  }

  return {
    /** What is known of a kind of record, by its name. */
    of: async (kind: string) => (await stored()).kinds.get(kind) ?? nothingOfKind(),
    /** Which of these fields earlier runs sent for a record. `keys` are all names of the record. */
    async sentFor(keys: readonly string[], paths: readonly string[]): Promise<readonly SentFields[]> {
      const [{ salt = '' }, before] = [await stored(), await earlier()]
      const pathOf = new Map(paths.map((path) => [fieldDigest(path), path]))
      const pathsOf = (digests: ReadonlySet<string>) =>
        new Set([...digests].flatMap((one) => pathOf.get(one) ?? []))
      return keys
        .flatMap((key) => before.get(recordDigest(salt, key)) ?? [])
        .map(({ created, ever, last }) => ({ created, ever: pathsOf(ever), last: pathsOf(last) }))
    },
    /** Adds news to what other runs have stored meanwhile. Throws the system's error. */
    add: (news: ReadonlyMap<string, readonly News[]>, sent: readonly SentLine[]) =>
      append(
        [...news].flatMap(([of, each]) => each.map((one) => ({ service, of, news: one }))),
        sent,
      ),
    forget: () => append([{ service, forgotten: true }]),
  }
}

const nothingOfKind = (): KindKnowledge => ({
  shown: new Set(),
  hidden: new Set(),
  listed: new Set(),
  words: new Map(),
  looked: undefined,
})

/** The salt, and what is known of a service. Lines that are damaged, or of another format, say nothing. */
function newsIn([first = '', ...lines]: readonly string[], service: string) {
  const kinds = new Map<string, KindKnowledge>()
  const salt = parseLine(headShape, first)?.salt
  for (const line of salt === undefined ? [] : lines) {
    const read = parseLine(lineShape, line)
    if (read?.service !== service) continue
    if ('forgotten' in read) kinds.clear()
    else {
      const kind = kinds.get(read.of) ?? nothingOfKind()
      kinds.set(read.of, kind)
      applyNews(kind, read.news)
    }
  }
  return { salt, kinds }
}

const digest = (text: string, length: number) =>
  createHash('sha256').update(text).digest('base64url').slice(0, length)

/** The digest of a record in the file of sent fields. Nobody can read a reference from it. */
const recordDigest = (salt: string, key: string) => digest(`${salt}\0${key}`, 16)

/** A field in the file of sent fields: a line has a hundred of them. */
const fieldDigest = onceForText((path: string) => digest(path, 6), 10_000)

const fieldDigests = onceFor((fields: ReadonlySet<string>) => [...fields].map(fieldDigest).join())

async function appendSent(file: string, salt: string, lines: readonly SentLine[]): Promise<void> {
  const text = lines.map(
    ({ key, isCreation, fields }) =>
      `${recordDigest(salt, key)} ${isCreation ? 'c' : 'u'} ${fieldDigests(fields)}\n`,
  )
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > largestSent) {
    const half = (await readFile(file, 'utf8')).slice(size / 2)
    await writeFileAtomic(file, half.slice(half.indexOf('\n') + 1), true)
  }
  await appendFile(file, text.join(''), { mode: 0o600 })
}

/** The digests of the fields that were sent, by the digest of their record. */
function sentIn(lines: readonly string[]): ReadonlyMap<string, SentFields> {
  const all = new Map<string, SentFields>()
  const fieldsOf = onceForText(
    (digests: string): ReadonlySet<string> => new Set(digests.split(',').filter(Boolean)),
  )
  for (const line of lines) {
    const [key, operation, digests] = line.split(' ')
    if (!key || digests === undefined) continue
    const before = all.get(key)
    const now = fieldsSent({ key, isCreation: operation === 'c', fields: fieldsOf(digests) })
    const merged = mergeSent(before ? [before, now] : [now])
    if (merged) all.set(key, merged)
  }
  return all
}

export const fieldsSent = ({ isCreation, fields }: SentLine): SentFields => ({
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
