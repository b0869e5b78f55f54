import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode } from '../errors.ts'
import { newerFormat } from '../files/newer-format.ts'
import { canonicalOrigin, type ServicePlace } from '../origin.ts'
import { decode, eachLine, type ListedRow, readListedRow } from './journal-file.ts'
import { keyOf } from './natural-key.ts'
import { isNewerJournal, type JournalRow, mostIds, rowAfterLine, version } from './replay.ts'

/** What the journal of another file says about the rows of this file, and about the service. */
export interface OtherJournal {
  readonly path: string
  /** The digest of the API key, if the journal has it. */
  readonly account: string | undefined
  /** By key; only rows of this file. */
  readonly rows: ReadonlyMap<string, JournalRow>
  readonly shown: ListedRow | undefined
  /** The ids of some records that it created, by their key as a person reads it: they identify the service. */
  readonly ids: ReadonlyMap<string, string>
}

const maybeCreated = { state: 'ambiguous', attempt: 2, hash: '', tries: [] } as const

/**
 * Reads every other journal of the same address and operation: the same person may be in doubt from a file with
 * another name. Calls `onUnreadable` for a journal that cannot be read, and skips it.
 */
export async function readOthers(
  {
    folder,
    place,
    except,
  }: { readonly folder: string; readonly place: ServicePlace; readonly except: string },
  keys: ReadonlySet<string>,
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
          return (
            typeof header.origin === 'string' &&
            URL.canParse(header.origin) &&
            canonicalOrigin(header.origin) === origin &&
            there === base &&
            header.operation === operation
          )
        },
        keys,
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
  keys: ReadonlySet<string>,
): Promise<OtherJournal | undefined> {
  const rows = new Map<string, JournalRow>()
  const ids = new Map<string, string>()
  let account: string | undefined
  let shown: ListedRow | undefined
  let isFirst = true
  let isOther = false
  await eachLine(path, (line, whole) => {
    if (!isFirst) {
      note(line, whole)
      return true
    }
    isFirst = false
    const header = whole ? decode(line) : undefined
    if (header && isNewerJournal(header)) throw newerFormat(`The journal ${path}`, header.v, version)
    if (!header || !isOurs(header)) return false
    isOther = true
    account = typeof header.account === 'string' ? header.account : undefined
    return true
  })
  return isOther ? { path, account, rows, shown, ids } : undefined

  function note(line: Buffer, whole: boolean): void {
    const name = keyIn(line)
    const key = name === undefined ? undefined : keyOf(name)
    const isWanted = key !== undefined && keys.has(key)
    if (key !== undefined && !isWanted && (ids.size >= mostIds || !line.includes('"id":'))) return
    const object = whole ? decode(line) : undefined
    if (!object) {
      // The import never relied on a line that a crash cut off; any other damaged line may have said anything.
      if (whole && isWanted) rows.set(key, { ...maybeCreated, name: name ?? '' })
      return
    }
    shown = readListedRow(object) ?? shown
    if (shown?.id !== undefined) ids.set(shown.name, shown.id)
    const row = isWanted ? rowAfterLine(rows.get(key), object) : undefined
    if (row && key !== undefined) rows.set(key, row)
    if (name !== undefined && typeof object.id === 'string' && object.state === 'created') {
      ids.set(name, object.id)
    }
  }
}

/** The keys of all rows that the journal has as created. */
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

const keyStart = Buffer.from(',"key":"')

/** The key in a line, found without parsing the line: there may be millions. */
function keyIn(line: Buffer): string | undefined {
  const at = line.indexOf(keyStart)
  if (at < 0) return undefined
  const from = at + keyStart.byteLength - 1
  let to = from + 1
  while (to < line.byteLength && line[to] !== 0x22) to += line[to] === 0x5c ? 2 : 1
  try {
    const name: unknown = JSON.parse(line.toString('utf8', from, to + 1))
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}
