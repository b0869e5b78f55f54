import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeFileAtomic } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, modeOfDirectory } from '../files/local/private-directory.ts'
import { parseLine } from '../files/local/private-json.ts'
import { once, onceFor, onceForText } from '../once.ts'
import { addTo, groupBy } from '../text/group-by.ts'

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

/**
 * What is known of the fields of one kind of record, as paths of a request. `shown`: some record had it.
 * `listed`: an item of a list had it. `hidden`: a record came back without it, although this computer had
 * just sent it or a list showed it. A hidden field stays hidden even when another record shows it, because a
 * service may hide a field of some people.
 */
export interface KindKnowledge {
  readonly shown: Set<string>
  readonly hidden: Set<string>
  readonly listed: Set<string>
  readonly words: Map<string, Set<string>>
  /** The day on which other records were last read to learn about unknown fields. */
  looked: string | undefined
}

/** What is known of a kind of record, from all news of it. */
export function learnedFrom(news: readonly News[]): KindKnowledge {
  const knowledge: KindKnowledge = {
    shown: new Set(),
    hidden: new Set(),
    listed: new Set(),
    words: new Map(),
    looked: undefined,
  }
  for (const one of news) applyNews(knowledge, one)
  return knowledge
}

/** Adds a piece of news. Returns whether it was new. */
export function applyNews(knowledge: KindKnowledge, news: News): boolean {
  const { shown, hidden, words } = knowledge
  if (news.kind === 'looked') {
    const isNew = knowledge.looked !== news.day
    knowledge.looked = news.day
    return isNew
  }
  const { kind, path } = news
  if (kind === 'word') {
    const wordsOfField = words.get(path) ?? new Set()
    words.set(path, wordsOfField)
    return wordsOfField.size < mostWords && grows(wordsOfField, news.word)
  }
  if (kind === 'hidden') shown.delete(path)
  return !(kind === 'shown' && hidden.has(path)) && grows(knowledge[kind], path)
}

const grows = (set: Set<string>, one: string) => set.size < set.add(one).size

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

interface SentWrite {
  readonly isCreation: boolean
  readonly fields: ReadonlySet<string>
}

/** The fields of one write, by a name of its record. */
export interface SentLine extends SentWrite {
  readonly key: string
}

const newsFile = (folder: string) => join(folder, 'service-knowledge.jsonl')
const sentFile = (folder: string) => join(folder, 'service-knowledge-sent.txt')

/**
 * Opens two files in the settings folder, which grow by lines: what was learned of the records of services, and which
 * fields were sent there. Where they cannot be read, or others could have written them, nothing is known.
 */
export function openKnowledgeFile(directory: () => Promise<string>, service: string) {
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
  const readSent = async () => groupBy(await linesOf(sentFile), (line) => line.split(' ', 1))
  let loadNews = once(readNews)
  let loadSent = once(readSent)

  async function append(news: readonly object[], writes: readonly SentLine[]): Promise<void> {
    const folder = await directory()
    await ensurePrivateDirectory(folder)
    const work = async () => {
      let { salt } = await readNews()
      if (salt === undefined) {
        salt = randomBytes(12).toString('base64url')
        await writeFileAtomic(newsFile(folder), `${JSON.stringify({ format: 3, salt })}\n`, true)
      }
      const text = news.map((line) => `${JSON.stringify(line)}\n`).join('')
      if (text !== '') await appendFile(newsFile(folder), text, { mode: 0o600 })
      if (writes.length > 0) await appendSent(sentFile(folder), salt, writes)
    }
    await withLock(`what the services show, in ${folder}`, work, { waitMs: 2000 })
    loadNews = once(readNews)
    loadSent = once(readSent)
  }

  const newsOf = async (kind: string) => (await loadNews()).kinds.get(kind) ?? []

  return {
    /** What was learned of a kind of record, by its name. */
    newsOf,
    /** The writes of a record by earlier runs, with those of these fields that they had. `keys`: all names of the record. */
    async sentFor(keys: readonly string[], paths: readonly string[]): Promise<readonly SentWrite[]> {
      const [{ salt = '' }, lines] = [await loadNews(), await loadSent()]
      const pathOf = new Map(paths.map((path) => [fieldDigest(path), path]))
      return keys
        .flatMap((key) => lines.get(recordDigest(salt, key)) ?? [])
        .map((line) => {
          const [, operation, digests = ''] = line.split(' ')
          return {
            isCreation: operation === 'c',
            fields: new Set(digests.split(',').flatMap((one) => pathOf.get(one) ?? [])),
          }
        })
    },
    /** Adds what is new to what is stored. Throws the system's error. */
    async add(
      kinds: readonly { readonly name: string; readonly news: readonly News[] }[],
      writes: readonly SentLine[],
    ): Promise<void> {
      const lines: object[] = []
      for (const { name, news } of kinds) {
        const knowledge = learnedFrom(await newsOf(name))
        for (const one of news) if (applyNews(knowledge, one)) lines.push({ service, of: name, news: one })
      }
      if (lines.length + writes.length > 0) await append(lines, writes)
    },
    forget: () => append([{ service, forgotten: true }], []),
  }
}

/** The salt, and the news of a service by kind of record. Lines that are damaged, or of another format, say nothing. */
function newsIn([first = '', ...lines]: readonly string[], service: string) {
  const kinds = new Map<string, News[]>()
  const salt = parseLine(headShape, first)?.salt
  for (const line of salt === undefined ? [] : lines) {
    const parts = parseLine(lineShape, line)
    if (parts?.service !== service) continue
    if ('forgotten' in parts) kinds.clear()
    else addTo(kinds, parts.of, parts.news)
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
