import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { ensurePrivateDirectory } from '../files/private-directory.ts'
import { isObject, type Json } from '../json/path.ts'
import { readJson } from '../json/read-json.ts'
import { isDateOrder } from '../values/date-formats.ts'
import { isMap } from './column-map.ts'
import { ownHeader } from './file-columns.ts'
import type { Matching } from './match-file.ts'

/** How a file with this header was read the last time, if ever. */
export async function savedMatching(
  directory: string,
  type: RecordType,
  header: readonly string[],
): Promise<Matching | undefined> {
  const saved = (await readAll(directory))[digest(type, header)]
  if (!isObject(saved)) return undefined
  const { map, dateFormat, encoding } = saved
  return {
    ...(isMap(map) && { map }),
    ...(isDateOrder(dateFormat) && { dateFormat }),
    ...(typeof encoding === 'string' && { encoding }),
  }
}

/**
 * Keeps how a file was read for the next one with its header, readable by its owner only: names of columns, and
 * nothing of what is in them. Throws a Failure if it cannot.
 */
export async function saveMatching(
  directory: string,
  type: RecordType,
  header: readonly string[],
  matching: Matching,
): Promise<void> {
  await ensurePrivateDirectory(directory)
  const all = { ...(await readAll(directory)), [digest(type, header)]: matching }
  await writeFileAtomic(fileIn(directory), `${JSON.stringify(all, null, 2)}\n`, true)
}

const fileIn = (directory: string) => join(directory, 'columns.json')

/** Nothing if the file is missing or damaged: the next import writes a new one. */
async function readAll(directory: string): Promise<Readonly<Record<string, Json>>> {
  try {
    const value = readJson(await readFile(fileIn(directory)))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * By the kind of record and the header, without the columns that a rejects file adds: rejects are read as their file
 * was. Letters that depend on the encoding do not count, because the encoding is looked up by it.
 */
function digest({ displayName }: RecordType, header: readonly string[]): string {
  const names = ownHeader(header).map((name) => name.replace(/[^\x20-\x7e]+/g, '?'))
  return createHash('sha256')
    .update(JSON.stringify([displayName, names]))
    .digest('hex')
}
