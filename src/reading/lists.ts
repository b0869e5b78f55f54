import type { Client } from '../api/client.ts'
import { fetchPages, readSteadily } from '../api/pages.ts'
import { isObject, type JsonObject } from '../files/json/path.ts'
import { keyOf } from '../model/natural-key.ts'
import type { Operation } from '../model/operations/operation.ts'
import { idOf } from '../model/records/identity.ts'
import { textIn } from './values.ts'

/** Passes each item of a list to `use`, page by page, because there may be too many to keep. */
export async function eachItem(
  client: Client,
  list: Operation,
  use: (item: JsonObject) => void,
): Promise<void> {
  for await (const items of fetchPages(client, list)) for (const item of items) if (isObject(item)) use(item)
}

/** A record that people name by a code, and the service by an id. */
export interface CodedRecord {
  readonly id: string
  readonly isShared?: boolean
}

/** The records of a list, by code and by id as `keyOf` writes them. Throws as a list does. */
export function readCoded<T extends CodedRecord>(
  client: Client,
  list: Operation,
  codeField: string,
  read: (item: JsonObject, id: string, code: string) => T,
): Promise<ReadonlyMap<string, T>> {
  return readSteadily(async () => {
    const all = new Map<string, T>()
    await eachItem(client, list, (item) => {
      const id = idOf(item)
      if (id === undefined) return
      const code = textIn(item[codeField])
      const one = read(item, id, code)
      // Two records have this code, so it is not clear which is meant.
      for (const key of [code, id].filter((each) => each !== '').map(keyOf)) {
        const other = all.get(key)
        all.set(key, other && other.id !== id ? { ...one, isShared: true } : one)
      }
    })
    return all
  })
}
