import { valueInResponse } from '../../api/contract/mapping/either-name.ts'
import { type Json, parsePath, valueAt } from '../../json/path.ts'
import type { ImportKind } from '../import-service.ts'
import { dayOf } from '../rows/iso-day.ts'
import { keyOf, keyValues, nameOf, partsFrom } from '../rows/natural-key.ts'
import type { Row } from '../rows/row.ts'

/** Finds records that may be one of the rows, although they have another key: a service may cut it, or hide it. */
export interface Likeness {
  /** To be told of every record of a list. */
  readonly onItem: (key: string | undefined, item: Json) => void
  /** What such a record is called, by the key of the row. */
  readonly found: ReadonlyMap<string, string>
}

/**
 * `isKnown`: whether a key is one of the file's own, which explains a record of the same name. Where a kind of record
 * has no names, nothing is ever alike.
 */
export function createLikeness(
  kind: ImportKind,
  rows: Iterable<readonly [string, Row]>,
  isKnown: (key: string) => boolean,
): Likeness {
  const byName = new Map<string, [string, Row][]>()
  for (const [key, row] of rows) {
    const name = namedBy(kind.identityFields.map(([request]) => sentText(row.record, request)))
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), [key, row]])
  }
  const found = new Map<string, string>()
  return {
    found,
    onItem(key, item) {
      if (byName.size === 0 || (key !== undefined && isKnown(key))) return
      const name = namedBy(kind.identityFields.map((paths) => shownText(item, paths)))
      if (name === undefined) return
      for (const [own, { record }] of byName.get(name) ?? []) {
        if (isSame(kind, record, item)) {
          found.set(own, nameOf(partsFrom(keyValues(item, kind.key))) ?? 'no key is shown')
        }
      }
    },
  }
}

/** The first two fields that tell one person from another; undefined where one is missing. */
function namedBy([one, two]: readonly (string | undefined)[]): string | undefined {
  return one === undefined || two === undefined ? undefined : `${one}\n${two}`
}

/** Whether nothing that tells one person from another speaks against it. What either leaves out says nothing. */
export function isSame({ identityFields }: ImportKind, sent: Json, item: Json): boolean {
  return identityFields.every((paths) => {
    const [mine, theirs] = [sentText(sent, paths[0]), shownText(item, paths)]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

const sentText = (sent: Json, path: string) => comparable(valueAt(sent, parsePath(path) ?? []))

const shownText = (item: Json, [request, shown]: ImportKind['identityFields'][number]) =>
  comparable(valueInResponse(item, { request, item: shown }))

function comparable(text: Json): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? keyOf(dayOf(text.trim())) : undefined
}
