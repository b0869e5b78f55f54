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

/** The record that had a reference last: whoever uses it looks whether it still has it. `kind`: `candidates`. */
export async function recallRecord(
  context: Context,
  kind: string,
  reference: string,
): Promise<RememberedRecord | undefined> {
  const { store, service } = await memoryOf(context)
  const services = await store?.read().catch(() => undefined)
  const [id, country] = services?.[service]?.[keyFor(kind, reference)] ?? []
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
  const { store, service } = await memoryOf(context)
  const key = keyFor(kind, reference)
  const remembering = store?.change((services) => {
    const { [key]: _, ...others } = services?.[service] ?? {}
    const now = { ...others, ...(found && { [key]: [found.id, found.country ?? ''] }) }
    return { ...services, [service]: Object.fromEntries(Object.entries(now).slice(-mostKept)) }
  })
  await remembering?.catch(() => {})
}

const keyFor = (kind: string, reference: string) => `${kind} ${keyOf(reference)}`

async function memoryOf(context: Context) {
  const { name, origin } = await context.profile()
  const directory = await context.directoryIfAny()
  const file = directory && join(directory, 'references.json')
  const store =
    file === undefined ? undefined : privateJson(file, fileShape, { what: 'the memory of references' })
  return { store, service: origin ?? name }
}
