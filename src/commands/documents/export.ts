import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapAtOnce } from '../../api/at-once.ts'
import type { Context } from '../../context/context.ts'
import { Failure, type Issue, usage } from '../../errors.ts'
import { unmarkFormula } from '../../files/formats/csv-cell.ts'
import { openCsv } from '../../files/formats/read-csv.ts'
import { writeCsv } from '../../files/formats/write-csv.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { withLock } from '../../files/local/lock.ts'
import { createDirectory } from '../../files/local/private-directory.ts'
import { integer, text, type ValuesOf } from '../../model/fields/field.ts'
import { operations } from '../../model/operations/operations.ts'
import { idOf } from '../../model/records/identity.ts'
import { nameWithReference, type Person } from '../../reading/people.ts'
import { grouped, plural } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import { showReading } from '../kit/show-one-by-one.ts'
import { assertOwnCountry, assertSomebody } from '../kit/show-report.ts'
import { contentOf, fileName } from './download.ts'
import { type PersonDocuments, readDocuments } from './read-documents.ts'

const manifestName = 'manifest.csv'

/** A file of the folder. `file`: its path in there, with `/`. `size` in bytes. `changed`: when the service says it was changed. */
interface ManifestEntry {
  readonly reference: string
  readonly name: string
  readonly file: string
  readonly size: number
  readonly sha256: string
  readonly id: string
  readonly changed: string
  /** The id of the person: documents of two people may have one id. */
  readonly person: string
}

const manifestColumns = ['reference', 'name', 'file', 'size', 'sha256', 'id', 'changed', 'person'] as const

/** A manifest of an older payroll has no ids of people. */
const neededColumns = manifestColumns.slice(0, -1)

/** So many documents are read at the same time. */
const atOnce = 4

/**
 * Into a folder for each person, with a manifest; what is there is not read again. Throws exit 9 where
 * some could not be written, exit 2 for a folder that cannot be used.
 */
export async function exportDocuments(
  context: Context,
  words: readonly string[],
  options: Options,
): Promise<void> {
  const { out } = options
  if (out === undefined || out === '-')
    throw usage('Documents are exported into a folder.', 'Name one, such as --out documents.')
  if (context.options.columns)
    throw usage('--columns has no effect with documents export, which writes files.')
  await makeFolder(out)
  await withLock(`the documents in ${out}`, () => exportInto(context, out, words, options), { waitMs: 0 })
}

async function exportInto(context: Context, folder: string, words: readonly string[], options: Options) {
  const manifest = join(folder, manifestName)
  const known = await readManifest(manifest)
  const { people, closed } = await readDocuments(context, options, { words })
  assertSomebody(context, people.length, 'exported')
  const client = await context.client()
  const files = await openFolder(folder, known)
  const wanted = people.flatMap(({ person, documents }) =>
    documents.map((document) => ({ person, document })),
  )
  const failed: Issue[] = []
  let [written, there] = [0, 0]
  try {
    await showReading(context, (onEach) => mapAtOnce(wanted, atOnce, writeOne, onEach), 'Reading documents:')
  } finally {
    // Of a run that ends early too: the next one does not read again what is there.
    const rows = files.entries().map((entry) => ({ ...entry }))
    if (rows.length > 0) await writeFileAtomic(manifest, writeCsv(rows, manifestColumns, true), true)
  }
  const count: ValuesOf<typeof exportedFields> = {
    folder,
    manifest: files.entries().length > 0 ? manifest : null,
    people: people.filter(({ documents }: PersonDocuments) => documents.length > 0).length,
    documents: wanted.length,
    written,
    there,
    failed: failed.length,
  }
  await context.output.value(count, exportSummary(count))
  if (failed.length === 0) return assertOwnCountry(context, closed, 'looked at')
  throw new Failure(
    'partial',
    `${plural(failed.length, 'document')} of ${grouped(wanted.length)} not written.`,
    {
      issues: failed,
      hint: 'The others are there. The same command tries again those that are not.',
    },
  )

  async function writeOne({ person, document }: (typeof wanted)[number]) {
    try {
      if (await files.has(person, document)) there += 1
      else if (await files.write(person, document, await bytesOf(person, document))) written += 1
      else there += 1
    } catch (error) {
      if (!isOfOneDocument(error)) throw error
      failed.push({ path: `${nameWithReference(person)}: ${nameIn(document)}`, message: error.message })
    }
  }

  async function bytesOf({ id: employeeId = '' }: Person, document: JsonObject): Promise<Buffer> {
    const parameters = { employeeId, id: idOf(document) ?? '' }
    const record = await client.record(operations.documents.get, { parameters })
    return contentOf(record ?? {}, operations.documents.get, document)
  }
}

/** A document that came back unusable, or was deleted meanwhile, keeps none of the others from being written. */
const isOfOneDocument = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === 'invalid-response' || error.details.status === 404)

export const exportedFields = {
  folder: text('Folder'),
  manifest: text('Path of the manifest', { nullable: true }),
  people: integer('People with documents'),
  documents: integer('Documents'),
  written: integer('Written now'),
  there: integer('There already'),
  failed: integer('Not written'),
}

function exportSummary({
  folder,
  manifest,
  people,
  documents,
  written,
  there,
}: ValuesOf<typeof exportedFields>): string {
  if (documents === 0) return 'There are no documents, so nothing was written.\n'
  const where = manifest === null ? '' : `\nWhat is where: ${manifest}`
  if (there === documents)
    return `Nothing is new: ${folder} has all ${plural(documents, 'document')} of ${plural(people, 'person')}.${where}\n`
  const earlier = there > 0 ? ` ${grouped(there)} ${there === 1 ? 'was' : 'were'} there already.` : ''
  return `Wrote ${plural(written, 'document')} to ${folder}.${earlier}${where}\n`
}

async function makeFolder(folder: string): Promise<void> {
  const there = await lstat(folder).catch(() => undefined)
  if (!there) await createDirectory(folder, 'Name another folder with --out.')
  else if (!there.isDirectory())
    throw usage(`${folder} is not a folder. It was not changed.`, 'Name another with --out.')
}

async function openFolder(folder: string, known: readonly ManifestEntry[]) {
  const entries = new Map(known.map((entry) => [entry.file, entry]))
  /** Names that are another document's. Windows and macOS do not tell capitals apart. */
  const taken = new Set<string>()
  const fold = (file: string) => file.normalize('NFC').toLowerCase()
  for (const entry of known) {
    const lying = await lstat(join(folder, entry.file)).catch(() => undefined)
    if (lying?.isFile() && lying.size === entry.size) taken.add(fold(entry.file))
    else entries.delete(entry.file)
  }
  const isOf = (entry: ManifestEntry, { id, reference, name }: Person) =>
    entry.person === ''
      ? entry.reference === (reference ?? '') && entry.name === (name ?? '')
      : entry.person === id
  return {
    entries: () => [...entries.values()],
    /** Whether this document of this person lies here as the service shows it, and as it was written. */
    async has(person: Person, document: JsonObject): Promise<boolean> {
      const id = idOf(document)
      const last = [...entries.values()].findLast((entry) => entry.id === id && isOf(entry, person))
      if (!last) return false
      const isSize = typeof document.size !== 'number' || document.size === last.size
      if (!isSize || last.changed !== changedAt(document)) return false
      const bytes = await readFile(join(folder, last.file)).catch(() => undefined)
      if (bytes && digestOf(bytes) === last.sha256) return true
      // Somebody changed it: it stays, and the document is written beside it.
      entries.delete(last.file)
      return false
    },
    /** False where the same bytes lie under such a name already. */
    async write(person: Person, document: JsonObject, bytes: Buffer): Promise<boolean> {
      const sha256 = digestOf(bytes)
      const ofPerson = fileName(folderNameOf(person)) ?? 'person'
      const name = fileName(nameIn(document)) ?? `document ${idOf(document) ?? ''}`.trim()
      for (let number = 1; ; number += 1) {
        const file = `${ofPerson}/${numbered(name, number)}`
        if (taken.has(fold(file))) continue
        taken.add(fold(file))
        const path = join(folder, ofPerson, numbered(name, number))
        const lying = await lstat(path).catch(() => undefined)
        // Nothing is lost of an empty one, which a full disk leaves.
        const isNew = !lying || (lying.isFile() && lying.size === 0)
        const isSame =
          !isNew && lying.isFile() && lying.size === bytes.length && digestOf(await readFile(path)) === sha256
        if (!isNew && !isSame) continue
        if (isNew) {
          await makeFolder(join(folder, ofPerson))
          await writeFileAtomic(path, bytes, lying !== undefined)
        }
        entries.set(file, {
          reference: person.reference ?? '',
          name: person.name ?? '',
          file,
          size: bytes.length,
          sha256,
          id: idOf(document) ?? '',
          changed: changedAt(document),
          person: person.id ?? '',
        })
        return isNew
      }
    },
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const nameIn = ({ name, id }: JsonObject) => idOf({ id: name }) ?? idOf({ id }) ?? 'a document'

/** assumed: `updatedAt`, or else `createdAt`; empty where the service shows neither. */
const changedAt = ({ updatedAt, createdAt }: JsonObject) => idOf({ id: updatedAt ?? createdAt }) ?? ''

/** `IE-1042 Aoife Ní Shampla`. A reference may have slashes in it. */
function folderNameOf({ reference, name, id }: Person): string {
  const known = [reference ?? (name === undefined ? id : undefined), name].filter(Boolean).join(' ')
  return known.replaceAll(/[\\/]/g, '-')
}

/** `scan (2).pdf`. */
function numbered(name: string, number: number): string {
  if (number === 1) return name
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  return `${stem} (${number})${ending}`
}

/** Throws a usage failure for a file of that name that is no manifest: it is not written over. */
async function readManifest(path: string): Promise<readonly ManifestEntry[]> {
  const there = await readFile(path, 'utf8').catch(() => undefined)
  if (there === undefined) return []
  async function* whole() {
    yield there?.replace(/^\uFEFF/, '') ?? ''
  }
  const entries: ManifestEntry[] = []
  let head: readonly string[] | undefined
  for await (const { cells } of (await openCsv(whole())).rows) {
    if (!head) {
      head = cells.map((cell) => cell.trim())
      if (!neededColumns.every((column) => head?.includes(column)))
        throw usage(
          `${path} is no manifest of an export, and was not changed.`,
          'Name another folder with --out.',
        )
      continue
    }
    const cell = (column: (typeof manifestColumns)[number]) =>
      unmarkFormula(cells[head?.indexOf(column) ?? 0] ?? '')
    const texts = Object.fromEntries(manifestColumns.map((column) => [column, cell(column)]))
    const entry = { ...(texts as Record<(typeof manifestColumns)[number], string>), size: Number(texts.size) }
    if (entry.file !== '') entries.push(entry)
  }
  return entries
}
