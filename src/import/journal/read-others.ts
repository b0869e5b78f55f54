import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../errors.ts'
import { systemCode } from '../../files/private-directory.ts'
import { keyOf } from '../rows/natural-key.ts'
import type { Place } from './journal-file.ts'
import { decode } from './journal-line.ts'
import { eachLine } from './journal-lines.ts'
import { type Remembered, rememberedAfter } from './replay.ts'
import { type Shown, shownIn } from './shown-line.ts'

/** What another journal of the same address knows: of the rows of this file, and of its service. */
export interface OtherJournal {
  readonly path: string
  /** The digest of the key it was kept with, where it says so. */
  readonly account: string | undefined
  /** By key, and of the keys that were asked for. */
  readonly rows: ReadonlyMap<string, Remembered>
  readonly shown: Shown | undefined
  /** Some records that its imports created, by the name of their key: by them its service is known again. */
  readonly ids: ReadonlyMap<string, string>
}

const mayBeThere = { state: 'ambiguous', attempt: 2, hash: '', tries: [] } as const

/** So many records are enough to know a service again. */
const mostIds = 50

/**
 * Reads every other journal of the same address and operation: a file that was imported by another name may have left
 * the same person in doubt. A journal that cannot be read is given to `onUnreadable`, and what it holds is not known.
 */
export async function readOthers(
  { folder, place, except }: { readonly folder: string; readonly place: Place; readonly except: string },
  wanted: ReadonlySet<string>,
  onUnreadable: (path: string) => void,
): Promise<OtherJournal[]> {
  const { origin, base, operation } = place
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error
    return []
  })
  const found: OtherJournal[] = []
  for (const name of names.filter((each) => each.endsWith('.journal')).sort()) {
    const path = join(folder, name)
    if (path === except) continue
    try {
      const other = await readOther(
        path,
        (header) => {
          const there = typeof header.base === 'string' ? header.base : base
          return header.origin === origin && there === base && header.operation === operation
        },
        wanted,
      )
      if (other) found.push(other)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onUnreadable(path)
    }
  }
  return found
}

async function readOther(
  path: string,
  isOurs: (header: Record<string, unknown>) => boolean,
  wanted: ReadonlySet<string>,
): Promise<OtherJournal | undefined> {
  const rows = new Map<string, Remembered>()
  const ids = new Map<string, string>()
  let account: string | undefined
  let shown: Shown | undefined
  let isFirst = true
  let isOther = false
  await eachLine(path, (line, whole) => {
    if (!isFirst) {
      note(line, whole)
      return true
    }
    isFirst = false
    const header = whole ? decode(line) : undefined
    if (!header || !isOurs(header)) return false
    isOther = true
    account = typeof header.account === 'string' ? header.account : undefined
    return true
  })
  return isOther ? { path, account, rows, shown, ids } : undefined

  function note(line: Buffer, whole: boolean): void {
    const name = keyIn(line)
    const key = name === undefined ? undefined : keyOf(name)
    const isWanted = key !== undefined && wanted.has(key)
    if (key !== undefined && !isWanted && (ids.size >= mostIds || !line.includes('"id":'))) return
    const object = whole ? decode(line) : undefined
    if (!object) {
      // A line that a crash cut off was never relied on; any other that is damaged may have been anything.
      if (whole && isWanted) rows.set(key, { ...mayBeThere, name: name ?? '' })
      return
    }
    shown = shownIn(object) ?? shown
    if (shown?.id !== undefined) ids.set(shown.name, shown.id)
    const row = isWanted ? rememberedAfter(rows.get(key), object) : undefined
    if (row && key !== undefined) rows.set(key, row)
    if (name !== undefined && typeof object.id === 'string' && object.state === 'created') {
      ids.set(name, object.id)
    }
  }
}

/** The keys of all rows that a journal knows as created. */
export async function createdIn(path: string): Promise<Set<string>> {
  const created = new Set<string>()
  await eachLine(path, (line, whole) => {
    const name = whole ? keyIn(line) : undefined
    if (name === undefined) return true
    if (line.includes('"state":"created"')) created.add(keyOf(name))
    else created.delete(keyOf(name))
    return true
  })
  return created
}

const before = Buffer.from(',"key":"')

/** The key that a line names, without reading all of the line: there may be millions. */
function keyIn(line: Buffer): string | undefined {
  const at = line.indexOf(before)
  if (at < 0) return undefined
  const from = at + before.byteLength - 1
  let to = from + 1
  while (to < line.byteLength && line[to] !== 0x22) to += line[to] === 0x5c ? 2 : 1
  try {
    const name: unknown = JSON.parse(line.toString('utf8', from, to + 1))
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}
