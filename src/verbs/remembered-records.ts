import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CountryId, countryIds } from '../api/contract/countries/countries.ts'
import type { Context } from '../context/context.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { keyOf } from '../import/natural-key.ts'
import { isObject, type Json } from '../json/path.ts'

/** Where a reference was last seen: the id of its record, and the country whose list had it. */
export interface RememberedRecord {
  readonly id: string
  readonly country: CountryId | undefined
}

/** So many references of a service are kept, those that were found last. */
const mostKept = 2000

const fileIn = (directory: string) => join(directory, 'references.json')

/** By service, then by kind and reference: `candidates A-1`. No name and no value of a record is in it. */
type Stored = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/**
 * The record that a reference was of when a list was last read for it. Whoever uses it reads that record first, and looks
 * whether it still has the reference. What is damaged or cannot be read is not known.
 *
 * @param kind what the list is of: `candidates`
 */
export async function recallRecord(
  context: Context,
  kind: string,
  reference: string,
): Promise<RememberedRecord | undefined> {
  const { services, service } = await readRemembered(context)
  const [id, country] = services[service]?.[`${kind} ${keyOf(reference)}`] ?? []
  if (id === undefined) return undefined
  return { id, country: countryIds.find((each) => each === country) }
}

/** Keeps where a reference was found; `undefined`: it is not there any more. Where it cannot be kept, the list is read again. */
export async function rememberRecord(
  context: Context,
  kind: string,
  reference: string,
  found: RememberedRecord | undefined,
): Promise<void> {
  const { services, service, directory } = await readRemembered(context)
  const { [`${kind} ${keyOf(reference)}`]: _, ...others } = services[service] ?? {}
  const entry = found ? { [`${kind} ${keyOf(reference)}`]: [found.id, found.country ?? ''] } : {}
  const kept = Object.fromEntries(Object.entries({ ...others, ...entry }).slice(-mostKept))
  if (directory === undefined) return
  const text = JSON.stringify({ ...services, [service]: kept })
  await writeFileAtomic(fileIn(directory), text, true).catch(() => {})
}

async function readRemembered(context: Context) {
  const { name, origin } = await context.profile()
  const service = origin ?? name
  const directory = await context.directory().catch(() => undefined)
  const services = directory === undefined ? {} : await readStored(directory)
  return { services, service, directory }
}

async function readStored(directory: string): Promise<Stored> {
  try {
    const value: Json = JSON.parse(await readFile(fileIn(directory), 'utf8'))
    return isStored(value) ? value : {}
  } catch {
    return {}
  }
}

function isStored(value: Json): value is Stored & { [name: string]: Json } {
  if (!isObject(value)) return false
  return Object.values(value).every(
    (kinds) =>
      isObject(kinds) &&
      Object.values(kinds).every(
        (found) => Array.isArray(found) && found.every((each) => typeof each === 'string'),
      ),
  )
}
