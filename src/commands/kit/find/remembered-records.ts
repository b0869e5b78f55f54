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

/** Where a reference was found. `recall`: whoever uses it looks whether the record still has the reference. */
export interface ReferenceMemory {
  readonly recall: () => Promise<RememberedRecord | undefined>
  /** Undefined forgets it. If that cannot be written, the list is read again. */
  readonly remember: (found: RememberedRecord | undefined) => Promise<void>
}

/** What is remembered of a reference. `kind`: `candidates`. */
export async function memoryOf(context: Context, kind: string, reference: string): Promise<ReferenceMemory> {
  const { name, origin } = await context.profile()
  const service = origin ?? name
  const directory = await context.directoryIfAny()
  const file = directory && join(directory, 'references.json')
  const store = file ? privateJson(file, fileShape, { what: 'the memory of references' }) : undefined
  const key = `${kind} ${keyOf(reference)}`
  return {
    async recall() {
      const services = await store?.read().catch(() => undefined)
      const [id, country] = services?.[service]?.[key] ?? []
      return id === undefined ? undefined : { id, country: countryIds.find((each) => each === country) }
    },
    async remember(found) {
      const remembering = store?.change((services) => {
        const { [key]: _, ...others } = services?.[service] ?? {}
        const now = { ...others, ...(found && { [key]: [found.id, found.country ?? ''] }) }
        return { ...services, [service]: Object.fromEntries(Object.entries(now).slice(-mostKept)) }
      })
      await remembering?.catch(() => {})
    },
  }
}
