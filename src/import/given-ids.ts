import { idOf } from '../api/contract/records/identity.ts'
import type { Json } from '../json/path.ts'
import type { RowSource } from '../table/open-source.ts'
import type { Row } from '../table/row.ts'
import type { Entry } from './ledger.ts'
import { asNumbers, keyOf, keyValues, nameIn, nameOf, partsFrom } from './natural-key.ts'
import { isReady } from './plan.ts'
import type { Remark } from './remarks.ts'
import type { ImportKind } from './service.ts'
import { shownIdentity } from './similar-records.ts'

/** Compares the ids that rows bring with them, as those of an export have one, with the list. */
interface GivenIds {
  /** Call it for every row that may be sent. */
  readonly onRow: (row: Row) => void
  /** Call it for every record of the list. It may be called for a record twice: a list that changes is read again. */
  readonly onItem: (key: string | undefined, item: Json) => void
  /** A remark for each row whose id is that of a record with another key. */
  readonly find: (entries: ReadonlyMap<string, Entry>) => Mistaken
}

/** Rows whose id is that of another record: those that would change one, and those that would create one. */
interface Mistaken {
  readonly changing: readonly Remark[]
  readonly creating: readonly Remark[]
}

/** An id that the list does not show says nothing: the file may come from another service. */
export function watchGivenIds({ columnFor }: Pick<RowSource, 'columnFor'>, kind: ImportKind): GivenIds {
  const { key } = kind
  const rows = new Map<string, { readonly row: number; readonly id: string }>()
  const wanted = new Set<string>()
  const owners = new Map<string, { readonly key: string | undefined; readonly who: string }>()
  const path = key.request.join(', ')
  const place = columnFor?.(path)

  return {
    onRow({ row, record, givenId }) {
      const name = givenId === undefined ? undefined : nameIn(record, key.request)
      if (givenId === undefined || name === undefined) return
      rows.set(keyOf(name), { row, id: givenId })
      wanted.add(givenId)
    },
    onItem(known, item) {
      const id = wanted.size > 0 ? idOf(item) : undefined
      if (id === undefined || !wanted.has(id)) return
      const reference = nameOf(partsFrom(keyValues(item, key))) ?? 'a record without one'
      const [forename, surname] = shownIdentity(kind, item)
      const name = [forename, surname].filter((text) => typeof text === 'string' && text !== '').join(' ')
      owners.set(id, { key: known, who: reference + (name && ` (${name})`) })
    },
    find(entries) {
      const [changing, creating]: [Remark[], Remark[]] = [[], []]
      for (const [known, { row, id }] of rows) {
        const [entry, owner] = [entries.get(known), owners.get(id)]
        if (!owner || entry?.row !== row) continue
        // `0003` is the number 3 for some services.
        if (owner.key !== undefined && asNumbers(owner.key) === asNumbers(known)) continue
        const where = place ? `${place.place}: ` : ''
        const cause = `${where}the id in the row is that of another record on the service`
        const message = `${where}the id in the row is that of ${owner.who} on the service, not of ${entry.name}`
        const remark = {
          row,
          path,
          message,
          cause,
          value: entry.name,
          ...(place && { column: place.column }),
        }
        if (isReady(entry)) creating.push(remark)
        else changing.push(remark)
      }
      return { changing, creating }
    },
  }
}
