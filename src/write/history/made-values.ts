import { isDeepStrictEqual } from 'node:util'
import { onFailure } from '../../errors.ts'
import type { Json } from '../../files/json/path.ts'
import { addTo } from '../../text/group-by.ts'
import type { IsMade } from '../record-write.ts'
import { type HistoryEntry, idInLine, readHistory } from './history.ts'

/**
 * Reads what the service made of the values that these writes sent: a name in capitals, a rate to the penny. Such a value
 * would be sent again each night. Where the history cannot be read, nothing is known.
 */
export async function readMade(
  directory: string,
  isMeant: (entry: HistoryEntry) => boolean,
): Promise<IsMade> {
  const madeOf = new Map<string, { readonly sent: Json; readonly value: Json }[]>()
  // An end comes before its beginning. The history may have a hundred thousand lines, and few of them say more.
  const ids = new Set<string>()
  const matters = (line: string) => {
    if (line.includes('"made":')) ids.add(idInLine(line))
    return ids.has(idInLine(line))
  }
  const read = async () => {
    for await (const entry of readHistory(directory, undefined, matters)) {
      if (!entry.made || !isMeant(entry)) continue
      for (const { path, value } of entry.made) {
        const change = entry.changes?.find((each) => each.path === path)
        if (change) addTo(madeOf, `${entry.record} ${path}`, { sent: change.to, value })
      }
    }
  }
  await read().catch(onFailure(() => undefined))
  return (record, { path, before, after }) =>
    madeOf
      .get(`${record} ${path}`)
      ?.some(({ sent, value }) => isDeepStrictEqual(sent, after) && isDeepStrictEqual(value, before)) === true
}
