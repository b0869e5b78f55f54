import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { mapAtOnce } from '../../api/at-once.ts'
import type { Client } from '../../api/client.ts'
import type { Context } from '../../context/context.ts'
import { Failure, type Issue, isTemporary, usage } from '../../errors.ts'
import { readOwnTable } from '../../files/formats/csv-cell.ts'
import { openCsv } from '../../files/formats/read-csv.ts'
import { writeCsv } from '../../files/formats/write-csv.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { withLock } from '../../files/local/lock.ts'
import { createDirectory } from '../../files/local/private-directory.ts'
import { integer, text, type ValuesOf } from '../../model/fields/field.ts'
import { idOf, idText } from '../../model/records/identity.ts'
import { operations } from '../../model/resources/operations.ts'
import { nameWithReference } from '../../model/whose.ts'
import type { Person } from '../../reading/people.ts'
import { agree, groupDigits, plural } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import { showReading } from '../kit/show-progress.ts'
import { assertPeopleShown, assertSomebody } from '../kit/show-report.ts'
import { contentOf, fileName } from './get.ts'
import { type PersonDocuments, readAlone, readDocuments, type Unread } from './read-documents.ts'

const manifestName = 'manifest.csv'

/**
 * What is known of a file of the folder. `file`: its path in there, with `/`. `size` in bytes. `changed`: when the service
 * says it was changed. `person`: the id of the person, as documents of two people may have one id.
 */
const manifestColumns = ['reference', 'name', 'file', 'size', 'sha256', 'id', 'changed', 'person'] as const

type ManifestEntry = Readonly<Record<(typeof manifestColumns)[number], string>>

const atOnce = 4

/**
 * Writes documents into a folder for each person, with a manifest. Files that are there already are not read
 * again. Throws exit 9 where some could not be written, exit 2 for a folder that cannot be used.
 */
export async function exportDocuments(
  context: Context,
  person: string | undefined,
  options: Options,
): Promise<void> {
  const { out } = options
  if (out === undefined || out === '-')
    throw usage('Documents are exported into a folder.', 'Name one, such as --out documents.')
  if (context.options.columns)
    throw usage('--columns has no effect with documents export, which writes files.')
  await makeFolder(out)
  await withLock(`the documents in ${resolve(out)}`, () => exportInto(context, out, person, options), {
    waitMs: 0,
  })
}

async function exportInto(context: Context, folder: string, person: string | undefined, options: Options) {
  const manifest = join(folder, manifestName)
  const entries = await readManifest(manifest)
  const { people, closed, unread } = await readDocuments(context, options, { name: person, isPartial: true })
  assertSomebody(context, people.length, 'exported')
  const client = await context.client()
  const files = await openFolder(folder, entries)
  const toExport = people.flatMap(({ person, documents }) =>
    documents.map((document) => ({ person, document })),
  )
  if (toExport.length > 0) context.writes.changedHere()
  const outcomes: ('written' | 'there' | Unread)[] = []
  const exporting = { client, folder: files, readOne: readAlone() }
  const exportOne = async ({ person, document }: (typeof toExport)[number]) => {
    outcomes.push(await exportDocument(exporting, person, document))
  }
  try {
    await showReading(
      context,
      (onEach) => mapAtOnce(toExport, atOnce, exportOne, onEach),
      'Reading documents',
    )
  } finally {
    // Written even when the run ends early, so that the next one does not read again what is there.
    const rows = [...files.entries.values()]
    if (rows.length > 0) await writeFileAtomic(manifest, writeCsv(rows, manifestColumns, true), true)
  }
  const failures = outcomes.filter((each) => typeof each !== 'string')
  const count: ValuesOf<typeof exportedFields> = {
    folder,
    manifest: files.entries.size > 0 ? manifest : null,
    people: people.filter(({ documents }: PersonDocuments) => documents.length > 0).length,
    documents: toExport.length,
    written: outcomes.filter((each) => each === 'written').length,
    there: outcomes.filter((each) => each === 'there').length,
    failed: failures.length,
  }
  await context.output.value(count, exportSummary(count))
  if (unread.length + failures.length === 0) return assertPeopleShown(context, options, closed, 'looked at')
  const [first] = failures
  const isOfService = ({ failure: { code } }: Unread) => code === 'auth' || isTemporary(code)
  if (first && failures.length === toExport.length && [...failures, ...unread].every(isOfService))
    throw first.failure
  const parts = [
    ...(failures.length > 0
      ? [`${plural(failures.length, 'document')} of ${groupDigits(toExport.length)} not written.`]
      : []),
    ...(unread.length > 0 ? [`The documents of ${plural(unread.length, 'person')} not listed.`] : []),
  ]
  throw new Failure('partial', parts.join(' '), {
    issues: [...failures, ...unread].map(({ path, failure }): Issue => ({ path, message: failure.message })),
    hint: 'The others are there. The same command tries again those that are not.',
  })
}

interface Exporting {
  readonly client: Client
  readonly folder: Folder
  readonly readOne: ReturnType<typeof readAlone>
}

/** Reads a document and writes it into the folder, unless it is there. Returns the failure for one that cannot be had. */
async function exportDocument(
  { client, folder, readOne }: Exporting,
  person: Person,
  document: JsonObject,
): Promise<'written' | 'there' | Unread> {
  const path = `${nameWithReference(person)}: ${nameIn(document)}`
  if (await hasDocument(folder, person, document)) return 'there'
  const id = idOf(document)
  if (id === undefined)
    return { path, failure: new Failure('invalid-response', 'the list shows no id of it') }
  const parameters = { employeeId: person.id ?? '', id }
  const bytes = await readOne(async () => {
    const { record = {} } = await client.call(operations.documents.get, { parameters })
    return contentOf(record, operations.documents.get, document)
  })
  if (bytes instanceof Failure) return { path, failure: bytes }
  return (await writeDocument(folder, person, document, bytes)) ? 'written' : 'there'
}

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
  documents,
  written,
  there,
}: ValuesOf<typeof exportedFields>): string {
  if (documents === 0) return 'There are no documents, so nothing was written.\n'
  const where = manifest === null ? '' : `\nWhat is where: ${manifest}`
  const earlier = there > 0 ? ` ${groupDigits(there)} ${agree(there, 'was')} there already.` : ''
  return `Wrote ${plural(written, 'document')} to ${folder}.${earlier}${where}\n`
}

async function makeFolder(folder: string): Promise<void> {
  const there = await lstat(folder).catch(() => undefined)
  if (!there) await createDirectory(folder, 'Name another folder with --out.')
  else if (!there.isDirectory())
    throw usage(`${folder} is not a folder. It was not changed.`, 'Name another with --out.')
}

/** A folder of documents, and what its manifest says of the files in it. */
interface Folder {
  readonly path: string
  /** What the manifest says of the files that are there, by their paths in the folder. */
  readonly entries: Map<string, ManifestEntry>
  /** The files that are another document's, as `foldCase` writes them. */
  readonly taken: Set<string>
}

/** Windows and macOS do not tell capitals apart. */
const foldCase = (file: string) => file.normalize('NFC').toLowerCase()

async function openFolder(path: string, known: readonly ManifestEntry[]): Promise<Folder> {
  const entries = new Map(known.map((entry) => [entry.file, entry]))
  const names = new Set<string>()
  for (const { file, size } of known) {
    const there = await lstat(join(path, file)).catch(() => undefined)
    if (there?.isFile() && String(there.size) === size) names.add(foldCase(file))
    else entries.delete(file)
  }
  return { path, entries, taken: names }
}

/** Whether this document of this person lies there as the service shows it, and as it was written. */
async function hasDocument({ path, entries }: Folder, person: Person, document: JsonObject) {
  const last = entriesOf(entries, person, document).at(-1)
  const isSize = typeof document.size !== 'number' || String(document.size) === last?.size
  if (!last || !isSize || last.changed !== changedAt(document)) return false
  if (await isAsWritten(path, last)) return true
  // Somebody changed the file: it stays, and the document is written beside it.
  entries.delete(last.file)
  return false
}

/** What the manifest says of a document: a file for each time that it had other bytes, the last one last. */
function entriesOf(entries: Folder['entries'], person: Person, document: JsonObject): ManifestEntry[] {
  // Once: a folder may have ten thousand files, each of which is compared with each document.
  const own = idOf(document)
  return [...entries.values()].filter(({ id, person: whose }) => id === own && whose === person.id)
}

const isAsWritten = (path: string, { file, sha256 }: ManifestEntry): Promise<boolean> =>
  readFile(join(path, file)).then(
    (bytes) => sha256Of(bytes) === sha256,
    () => false,
  )

/** Writes a document under a name that is free. Returns false where the same bytes of it lie there already. */
async function writeDocument(
  { path, entries, taken }: Folder,
  person: Person,
  document: JsonObject,
  bytes: Buffer,
): Promise<boolean> {
  const sha256 = sha256Of(bytes)
  const note = (file: string) => {
    entries.delete(file)
    entries.set(file, {
      reference: person.reference ?? '',
      name: person.name ?? '',
      file,
      size: String(bytes.length),
      sha256,
      id: idOf(document) ?? '',
      changed: changedAt(document),
      person: person.id ?? '',
    })
  }
  // A service may have another time or size at each reading: the same bytes are no new document.
  const same = entriesOf(entries, person, document).findLast((entry) => entry.sha256 === sha256)
  if (same && (await isAsWritten(path, same))) {
    note(same.file)
    return false
  }
  const ofPerson = fileName(folderNameOf(person)) ?? 'person'
  const name = fileName(nameIn(document)) ?? `document ${idOf(document) ?? ''}`.trim()
  for (let number = 1; ; number += 1) {
    const file = `${ofPerson}/${numberName(name, number)}`
    if (taken.has(foldCase(file))) continue
    taken.add(foldCase(file))
    const target = join(path, ofPerson, numberName(name, number))
    const there = await lstat(target).catch(() => undefined)
    // Nothing is lost of an empty file, which a full disk leaves.
    const isNew = !there || (there.isFile() && there.size === 0)
    const isSame = !isNew && there.isFile() && sha256Of(await readFile(target)) === sha256
    if (!isNew && !isSame) continue
    if (isNew) {
      await makeFolder(join(path, ofPerson))
      await writeFileAtomic(target, bytes, there !== undefined)
    }
    note(file)
    return isNew
  }
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const nameIn = ({ name, id }: JsonObject) => idText(name) ?? idText(id) ?? 'a document'

/** assumed: `updatedAt`, or else `createdAt`; empty where the service shows neither. */
const changedAt = ({ updatedAt, createdAt }: JsonObject) => idText(updatedAt ?? createdAt) ?? ''

/** `IE-1042 Aoife Ní Shampla`. Without a reference two people of one name have a folder each, by their ids. */
function folderNameOf({ reference, name, id }: Person): string {
  return [reference ?? id, name].filter(Boolean).join(' ').replaceAll(/[\\/]/g, '-')
}

function numberName(name: string, number: number): string {
  if (number === 1) return name
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  return `${stem} (${number})${ending}`
}

/** Throws a usage failure for a file of that name that is not a manifest: it is not written over. */
async function readManifest(path: string): Promise<readonly ManifestEntry[]> {
  const there = await readFile(path, 'utf8').catch(() => undefined)
  if (there === undefined || there === '') return []
  async function* whole() {
    yield there?.replace(/^\uFEFF/, '') ?? ''
  }
  const lines = await readOwnTable((await openCsv(whole())).rows, manifestColumns)
  if (!lines)
    throw usage(
      `${path} is not the manifest of an export, and was not changed.`,
      'Name another folder with --out.',
    )
  return lines.filter(({ file }) => file !== '')
}
