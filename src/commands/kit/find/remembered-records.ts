import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Context } from '../../../context/context.ts'
import { privateJson } from '../../../files/local/private-json.ts'
import { type CountryId, countryIds } from '../../../model/countries/countries.ts'
import { keyOf } from '../../../model/natural-key.ts'

/** Where a reference was last seen: the id of its record, and the country whose list had it. */
interface RememberedRecord {
  readonly id: string
  readonly country: CountryId | undefined
}

/** How many references are kept for each service: those that were found last. */
const mostKept = 2000

/** By service, then by kind and reference: `candidates A-1`. It has no name and no value of a record. */
const fileShape = z.record(z.string(), z.record(z.string(), z.array(z.string())))

const storeIn = (directory: string) =>
  privateJson(join(directory, 'references.json'), fileShape, { what: 'What is remembered of references' })

/** The record that had a reference last: whoever uses it looks whether it still has it. `kind`: `candidates`. */
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

/** Remembers where a reference was found; undefined forgets it. If that cannot be written, the list is read again. */
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
  await storeIn(directory)
    .write({ ...services, [service]: kept })
    .catch(() => {})
}

async function readRemembered(context: Context) {
  const { name, origin } = await context.profile()
  const service = origin ?? name
  const directory = await context.directory().catch(() => undefined)
  const read =
    directory === undefined
      ? undefined
      : await storeIn(directory)
          .read()
          .catch(() => undefined)
  return { services: read?.state === 'there' ? read.value : {}, service, directory }
}
