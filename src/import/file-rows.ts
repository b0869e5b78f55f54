import { saltedDigest } from '../files/table/fingerprint.ts'
import { type FileRow, rowNumbers } from '../files/table/row.ts'
import { keyInWords, keyOf, type RecordKind, readKey, splitDays } from '../model/natural-key.ts'
import { inListedCodes } from '../model/values/read-code.ts'
import { nameSome, singular } from '../text/words.ts'
import type { FileCheck, PlanInput } from './checks.ts'
import { editedTooLate, freshEntry, type ImportEntry, isEditedLater, isUnclear } from './entry.ts'
import { aboutEntry, type Collector, inRow, keyPlace, mayBeStored } from './findings.ts'
import type { ImportJob } from './job.ts'
import type { JournalledCreation, JournalledRow } from './read-journal.ts'

/** More errors would help nobody, and a million of them would fill the memory. */
const mostInvalid = 10_000

/** Records that a sentence names; the others are counted. */
const mostNamed = 5

/** The rows of the file, compared with the journal of its import. */
export interface FileRows {
  readonly rows: number
  /** By key: the rows of the file that can be sent, and rows still in doubt that only the journal has. */
  readonly entries: Map<string, ImportEntry>
  readonly isCutShort: boolean
}

/**
 * Reads the whole file and compares it with the journal. Two rows with one key are both wrong. Of an edited
 * unclear row, the import first finds out what became of the version that it sent.
 */
export async function readFileRows(
  job: ImportJob,
  { salt, before }: Pick<PlanInput, 'salt' | 'before'>,
  checks: readonly FileCheck[],
  collected: Collector,
): Promise<FileRows> {
  const { source, service } = job
  const { key, noun } = service.kind
  const entries = new Map<string, ImportEntry>()
  const { wrongRows } = collected
  for (const message of source.remarks ?? []) collected.add({ row: 0, path: '', message, severity: 'note' })
  for (const doubt of source.doubts ?? [])
    collected.add({ path: '', ...doubt, severity: 'doubt', isAllowed: true })
  let [rows, isCutShort, leftToCompare] = [0, false, 0]
  const { start } = keyPlace(job)
  const holdKey = (row: number, message: string, reference = '') => {
    const cause = reference === '' ? undefined : `${start}the same is in another row`
    collected.add(aboutEntry(job, { row, reference }, 'wrong', start + message, cause))
  }
  for await (const each of source.rows()) {
    if (wrongRows.size >= mostInvalid) {
      isCutShort = true
      const message = 'there are too many errors above, so the rest was not read'
      collected.add({ row: each.row, path: '', message, severity: 'wrong' })
      break
    }
    const numbers = rowNumbers(each)
    rows += numbers.length
    const reference = takenReference(each)
    if (reference === undefined) leaveTogether(service.kind, numbers, collected)
    else addEntry(each, reference, numbers)
  }
  noteTakenOut()
  dropWrong(service.kind, entries, collected)
  addMissing()
  return { rows, entries, isCutShort }

  /** The reference by which a row is known. Reports all that is wrong with the row, and gives none then. */
  function takenReference(each: FileRow): string | undefined {
    const { row, record, issues } = each
    const reference = readKey(record, key.request)
    for (const note of each.notes ?? []) collected.add({ row, ...note, severity: 'reading' })
    if (issues.length > 0 && !isLeftToCompare(each, reference)) {
      for (const issue of issues) collected.add(inRow(each, 'wrong', issue))
      for (const issue of each.warnings) collected.add(inRow(each, 'doubt', issue))
      return undefined
    }
    if (reference === undefined) {
      holdKey(row, `it is empty, and ${noun} are recognised by it`)
      return undefined
    }
    const earlier = entries.get(keyOf(reference))
    if (!earlier) return reference
    holdKey(row, `${keyInWords(reference)} is in row ${earlier.row} already`, reference)
    if (!wrongRows.has(earlier.row) && earlier.state === 'ready')
      holdKey(earlier.row, `${keyInWords(reference)} is in row ${row} again`, earlier.reference)
    return undefined
  }

  /** Whether `checkChanges` decides about what is wrong with a row: its record may have just that. */
  function isLeftToCompare(each: FileRow, reference: string | undefined): boolean {
    if (!service.change || service.type.lines || reference === undefined || !mayBeStored(each)) return false
    const { creation } = before?.rows.get(keyOf(reference)) ?? {}
    if (creation && isUnclear(creation)) return false
    leftToCompare += 1
    return leftToCompare <= mostInvalid
  }

  function addEntry(each: FileRow, reference: string, numbers: readonly number[]): void {
    const rowKey = keyOf(reference)
    const journalled = before?.rows.get(rowKey)
    const rows = numbers.length > 1 ? numbers : undefined
    const named = { reference, row: each.row, rows, digest: each.digest }
    const entry = entryOf(named, hashOfRow(each), journalled)
    entries.set(rowKey, entry)
    for (const check of checks) check.onRow?.(each, rowKey)
    if (isUnclear(entry) && !entry.left) entry.sent = each
    if (isEditedLater(entry) && !service.change) {
      collected.add(aboutEntry(job, entry, 'note', editedTooLate, editedTooLate))
    }
  }

  function hashOfRow({ record, cleared, days }: FileRow): string {
    const marks = { ...(cleared && { '[clear]': cleared }), ...(days && { '[days]': days }) }
    // JSON is sent as it stands, whatever words the service has.
    const body = source.columns ? inListedCodes(service.type.fields, record) : record
    return saltedDigest({ ...body, ...marks }, salt)
  }

  /**
   * Says which records of the same days an earlier run created from rows that are in the file no longer:
   * nothing takes them back.
   */
  function noteTakenOut(): void {
    // Where a row is wrong, its record may be one of them.
    if (!service.kind.days || wrongRows.size > 0) return
    const daysOf = (name: string) => {
      const { first, last } = splitDays(name, service.kind) ?? {}
      return `${first} ${last}`
    }
    const inFile = new Set([...entries.keys()].map(daysOf))
    const gone = [...(before?.rows ?? [])].flatMap(([rowKey, { reference, creation }]) =>
      creation?.state === 'done' && !entries.has(rowKey) && inFile.has(daysOf(rowKey))
        ? [keyInWords(reference)]
        : [],
    )
    if (gone.length === 0) return
    const message = `no row has ${nameSome(gone, mostNamed)} any more, and what was created from this file stays on the service; ${noun} update sets its hours to 0`
    collected.add({ row: 0, path: '', message, severity: 'note', leads: true })
  }

  /** Adds rows that are no longer in the file, but whose outcome an earlier run did not learn. */
  function addMissing(): void {
    for (const [rowKey, { reference, creation, left }] of before?.rows ?? []) {
      if (entries.has(rowKey) || !creation || !isUnclear(creation) || left) continue
      entries.set(rowKey, {
        ...freshEntry({ reference, row: 0 }, creation.hash),
        ...standingOf(creation),
      })
    }
  }
}

/** Removes the wrong rows. */
export function dropWrong(kind: RecordKind, entries: Map<string, ImportEntry>, collected: Collector): void {
  for (const [key, { row, rows }] of entries) {
    if (rows) leaveTogether(kind, rows, collected)
    if (collected.wrongRows.has(row)) entries.delete(key)
  }
}

/** A record that several rows make up is not sent where one of them is wrong. */
function leaveTogether({ noun }: RecordKind, rows: readonly number[], { wrongRows, add }: Collector): void {
  const wrong = rows.find((row) => wrongRows.has(row))
  if (wrong === undefined) return
  const isLeftOut = wrongRows.get(wrong)?.some((issue) => issue.isLeftOut) ?? false
  const message = `it is not sent, because row ${wrong} of the same ${singular(noun)} is ${isLeftOut ? 'left out' : 'wrong'}`
  for (const row of rows)
    if (!wrongRows.has(row)) add({ row, path: '', message, severity: 'wrong', isLeftOut })
}

const standingOf = ({ state, requests, hash, id, tries }: JournalledCreation) => ({
  state,
  requests,
  hash,
  id,
  tries,
  isEarlier: state === 'done',
})

function entryOf(
  row: Pick<ImportEntry, 'reference' | 'row' | 'rows' | 'digest'>,
  hash: string,
  journalled: JournalledRow | undefined,
): ImportEntry {
  const fresh = freshEntry(row, hash)
  const { creation: before, change, left, listed } = journalled ?? {}
  if (left) fresh.left = left
  if (listed) fresh.listed = listed
  if (!before) return fresh
  // A change that was applied is not an edit that waits.
  const isKnown = before.hash === hash || (change?.state === 'done' && change.hash === hash)
  const editedHash = isKnown ? undefined : hash
  // A refused row made no record, so it may be sent again.
  const isRenewed = before.state === 'refused' || (before.state === 'ready' && editedHash)
  if (isRenewed) return { ...fresh, tries: before.tries }
  return { ...fresh, ...standingOf(before), ...(isKnown && { hash }), editedHash }
}
