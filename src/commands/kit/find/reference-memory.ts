import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Context } from '../../../context/context.ts'
import { privateJson } from '../../../files/local/private-json.ts'
import { type CountryId, countryIds } from '../../../model/countries/countries.ts'
import { keyOf } from '../../../model/natural-key.ts'

/** How many references are kept for each service: those that were found last. */
const mostKept = 2000

/** By service, then by kind and reference: `candidates A-1`. It has no value of a record but that. */
const memoryShape = z.record(z.string(), z.record(z.string(), z.array(z.string())))

/** What is remembered of a reference: the id of its record, and the country whose list had it. `kind`: `candidates`. */
export async function memoryOf(context: Context, kind: string, reference: string) {
  const { name, origin } = await context.profile()
  const service = origin ?? name
  const directory = await context.directoryIfAny()
  const file = directory && join(directory, 'references.json')
  const store = file ? privateJson(file, memoryShape, { what: 'the memory of references' }) : undefined
  const key = `${kind} ${keyOf(reference)}`
  return {
    /** The caller has to check that the record still has the reference. */
    async recall() {
      const services = await store?.read().catch(() => undefined)
      const [id, country] = services?.[service]?.[key] ?? []
      return id === undefined ? undefined : { id, country: countryIds.find((each) => each === country) }
    },
    /** Undefined forgets it. If that cannot be written, the list is read again. */
    async remember(found: { readonly id: string; readonly country: CountryId | undefined } | undefined) {
      const remembering = store?.change((services) => {
        const { [key]: _, ...others } = services?.[service] ?? {}
        const now = { ...others, ...(found && { [key]: [found.id, found.country ?? ''] }) }
        return { ...services, [service]: Object.fromEntries(Object.entries(now).slice(-mostKept)) }
      })
      await remembering?.catch(() => {})
    },
  }
}

/** Forgets where the record of a reference was: one that was created since may have it, too. */
export async function forgetReference(context: Context, kind: string, reference: string): Promise<void> {
  const memory = await memoryOf(context, kind, reference)
  if (await memory.recall()) await memory.remember(undefined)
}
