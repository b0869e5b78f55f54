import { isDeepStrictEqual } from 'node:util'
import { onFailure } from '../../errors.ts'
import type { Operation } from '../../model/records/operation.ts'
import { once } from '../../once.ts'
import { addTo } from '../../text/group-by.ts'
import type { IsMade } from '../record-write.ts'
import { type HistoryEntry, historyLines, idInLine, isEnd, parseEntry } from './history.ts'

/**
 * Reads what the service of a profile made of the values that earlier writes by this operation sent: a name in capitals, a
 * rate to the penny. Such a value would be sent again each night. Where the history cannot be read, nothing is known.
 */
export async function readMade(
  directory: string | undefined,
  { name, origin = '' }: { readonly name: string; readonly origin?: string | undefined },
  operation: Operation,
): Promise<IsMade> {
  if (directory === undefined) return () => false
  /** By record, and parsed when somebody asks about that: a history may have a hundred thousand of them. */
  const writes = new Map<string, (() => HistoryEntry | undefined)[]>()
  // The last end of a write comes first, and its beginning behind them.
  const ends = new Map<string, string>()
  const read = async () => {
    for await (const { text } of historyLines(directory)) {
      const id = idInLine(text)
      const end = ends.get(id)
      if (isEnd(text)) {
        if (end === undefined && text.includes('"made":')) ends.set(id, text)
        continue
      }
      const [, record] = (end !== undefined && /"record":"([^"\\]+)"/.exec(text)) || []
      if (end === undefined || record === undefined) continue
      addTo(
        writes,
        record,
        once(() => parseEntry(text, end)),
      )
      ends.delete(id)
    }
  }
  await read().catch(onFailure(() => undefined))
  return (record, { path, before, after }) =>
    (writes.get(record) ?? []).some((parse) => {
      const entry = parse()
      if (entry?.record !== record || entry.operation !== operation.id) return false
      if (entry.profile !== name || entry.origin !== origin) return false
      const sent = entry.changes?.find((each) => each.path === path)
      const made = entry.made?.find((each) => each.path === path)
      const isSame = sent && made && isDeepStrictEqual([sent.to, made.value], [after, before])
      return isSame === true
    })
}
