import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeFileAtomic } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, modeOfDirectory } from '../files/local/private-directory.ts'
import { parseLine } from '../files/local/private-json.ts'
import { once, onceForText } from '../once.ts'
import { groupBy } from '../text/group-by.ts'

/** The most words that are kept of one field. A field with more is not a choice among words. */
const mostWords = 40
/** A file of sent fields that is larger than this, in bytes, loses its older half. */
const largestSent = 16_000_000

/**
 * Something learned about one kind of record: of a field, by its path in a request, or of a day. `shown`: some record had
 * it. `listed`: an item of a list had it. `hidden`: a record came back without it, although this computer had just sent it
 * or a list showed it. A hidden field stays hidden even when another record shows it, because a service may hide a field
 * of some people. `word`: a word that a field had, after its path. `looked`: the day on which other records were read to
 * learn about unknown fields.
 */
export type News = z.infer<typeof newsShape>

const newsShape = z.templateLiteral([
  z.enum(['shown', 'listed', 'hidden', 'word', 'looked']),
  ' ',
  z.string(),
])

/** Adds news to what is known of a kind of record. Returns whether it was new. */
export function learn(known: Set<string>, news: News): boolean {
  if (known.has(news)) return false
  const [topic, path] = news.split(' ')
  const isOfField = (each: string) => each.startsWith(`word ${path} `)
  if (topic === 'word' && [...known].filter(isOfField).length >= mostWords) return false
  known.add(news)
  return true
}

/** The salt of the digests in the file of sent fields, so that none can be traced to a record. */
const headShape = z.object({ format: z.literal(3), salt: z.string() })
/** Hidden fields as an earlier build wrote them: forgotten, an update could clear them without a word. */
const earlierShape = z.pipe(
  z.object({ kind: z.literal('hidden'), path: z.string() }),
  z.transform(({ path }): News => `hidden ${path}`),
)
const lineShape = z.object({
  service: z.string(),
  of: z.string(),
  news: z.union([newsShape, earlierShape]),
})

/** One write, by a name of its record: whether it created it, and the digests of its fields, as `c a1b2c3,d4e5f6`. */
export interface SentLine {
  readonly key: string
  readonly write: string
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
  const readNews = async () => {
    const [first = '', ...lines] = await linesOf(newsFile)
    const salt = parseLine(headShape, first)?.salt
    // Lines that are damaged, or of another format, say nothing.
    return {
      salt,
      lines: salt === undefined ? [] : lines.flatMap((line) => parseLine(lineShape, line) ?? []),
    }
  }
  const readSent = async () => groupBy(await linesOf(sentFile), (line) => line.split(' ', 1))
  let [loadNews, loadSent] = [once(readNews), once(readSent)]

  async function knownOf(kind: string): Promise<Set<News>> {
    const known = new Set<News>()
    for (const line of (await loadNews()).lines)
      if (line.service === service && line.of === kind) known.add(line.news)
    return known
  }

  /** Does something to the files while no other run does. Throws the system's error. */
  async function alone(work: (folder: string) => Promise<void>): Promise<void> {
    const folder = await directory()
    await ensurePrivateDirectory(folder)
    await withLock(`what the services show, in ${folder}`, () => work(folder), { waitMs: 2000 })
    loadNews = once(readNews)
    loadSent = once(readSent)
  }

  const writeNews = (folder: string, salt: string, lines: readonly object[]) =>
    writeFileAtomic(newsFile(folder), inLines([{ format: 3, salt }, ...lines]), true)

  return {
    /** What was learned of a kind of record, by its name. */
    knownOf,
    /** The writes of a record by earlier runs, as `SentLine` has them. `keys`: all names of the record. */
    async sentFor(keys: readonly string[]): Promise<readonly string[]> {
      const [{ salt = '' }, lines] = [await loadNews(), await loadSent()]
      return keys
        .flatMap((key) => lines.get(recordDigest(salt, key)) ?? [])
        .map((line) => line.slice(line.indexOf(' ') + 1))
    },
    /** Adds what is new to what is stored. Throws the system's error. */
    async add(
      kinds: readonly { readonly name: string; readonly news: readonly News[] }[],
      writes: readonly SentLine[],
    ): Promise<void> {
      const lines: object[] = []
      for (const { name, news } of kinds) {
        const known = await knownOf(name)
        for (const one of news) if (learn(known, one)) lines.push({ service, of: name, news: one })
      }
      if (lines.length + writes.length === 0) return
      await alone(async (folder) => {
        let { salt } = await readNews()
        if (salt === undefined) {
          salt = randomBytes(12).toString('base64url')
          await writeNews(folder, salt, [])
        }
        if (lines.length > 0) await appendFile(newsFile(folder), inLines(lines), { mode: 0o600 })
        if (writes.length > 0) await appendSent(sentFile(folder), salt, writes)
      })
    },
    /** Forgets what was learned of the service. */
    forget: () =>
      alone(async (folder) => {
        const { salt, lines } = await readNews()
        const others = lines.filter((line) => line.service !== service)
        if (salt !== undefined) await writeNews(folder, salt, others)
      }),
  }
}

const inLines = (values: readonly object[]) => values.map((each) => `${JSON.stringify(each)}\n`).join('')

const digest = (text: string, length: number) =>
  createHash('sha256').update(text).digest('base64url').slice(0, length)

/** The digest of a record in the file of sent fields. Nobody can read a reference from it. */
const recordDigest = (salt: string, key: string) => digest(`${salt}\0${key}`, 16)

/** A field in the file of sent fields: a line has a hundred of them. None is a part of two others, as a comma parts them. */
export const fieldDigest = onceForText((path: string) => digest(path, 6), 10_000)

async function appendSent(file: string, salt: string, lines: readonly SentLine[]): Promise<void> {
  const text = lines.map(({ key, write }) => `${recordDigest(salt, key)} ${write}\n`)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > largestSent) {
    const half = (await readFile(file, 'utf8')).slice(size / 2)
    await writeFileAtomic(file, half.slice(half.indexOf('\n') + 1), true)
  }
  await appendFile(file, text.join(''), { mode: 0o600 })
}
