import { type Json, parsePath, valueAt } from '../files/json/path.ts'
import type { SheetRow } from '../files/table/row.ts'
import { valueInResponse } from '../model/mapping/field-mapping.ts'
import { dayOfTimestamp, keyOf, type RecordKind, readListedKey } from '../model/natural-key.ts'
import { groupBy } from '../text/group-by.ts'

/**
 * Finds records that may be those of a row, although the service shortened their key. `isKnown` tells the
 * keys of the file, which are not considered.
 */
export function createSimilarSearch(
  kind: RecordKind,
  rows: Iterable<readonly [string, SheetRow]>,
  isKnown: (key: string) => boolean,
) {
  const byName = groupBy(rows, ([, { record }]) =>
    nameFrom(kind.identityFields.map(([request]) => sentText(record, request))),
  )
  const found = new Map<string, string>()
  return {
    found: found as ReadonlyMap<string, string>,
    onItem(key: string | undefined, item: Json): void {
      if (byName.size === 0 || (key !== undefined && isKnown(key))) return
      const name = nameFrom(shownIdentity(kind, item).map(comparableText))
      if (name === undefined) return
      for (const [own, { record }] of byName.get(name) ?? []) {
        if (isSameRecord(kind, record, item)) {
          found.set(own, readListedKey(item, kind.key) ?? 'no key is shown')
        }
      }
    },
  }
}

/** The first two identity fields together; undefined if one is missing. */
function nameFrom([one, two]: readonly (string | undefined)[]): string | undefined {
  return one === undefined || two === undefined ? undefined : `${one}\n${two}`
}

/** The values of the identity fields in an item of the list. */
export type ShownIdentity = readonly Json[]

/** The identity fields of an item: those that tell one person from another. */
export const shownIdentity = ({ identityFields }: RecordKind, item: Json): ShownIdentity =>
  identityFields.map(([request, shown]) => valueInResponse(item, { request, item: shown }))

/** Whether all identity fields that both records have are equal. */
export function isSameRecord(kind: RecordKind, sent: Json, item: Json): boolean {
  const shown = shownIdentity(kind, item)
  return kind.identityFields.every(([request], at) => {
    const [mine, theirs] = [sentText(sent, request), comparableText(shown[at])]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

const sentText = (sent: Json, path: string) => comparableText(valueAt(sent, parsePath(path) ?? []))

function comparableText(text: Json): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? keyOf(dayOfTimestamp(text.trim())) : undefined
}
