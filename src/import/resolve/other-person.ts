import { type Json, parsePath, valueAt } from '../../json/path.ts'
import type { ImportService } from '../import-service.ts'
import type { RowSource } from '../reading/open-source.ts'
import { dayOf } from '../rows/iso-day.ts'
import type { Entry } from '../rows/ledger.ts'
import { keyOf, nameIn } from '../rows/natural-key.ts'
import type { Remark } from '../rows/remarks.ts'
import { type Shown, shownIdentity } from './similar-records.ts'

interface Sources {
  readonly source: RowSource
  readonly service: ImportService
}

/** Keeps of the records of a list who they are, where a row of the file has their key and was not sent yet. */
export function watchIdentities({ service: { kind } }: Sources, entries: ReadonlyMap<string, Entry>) {
  const shown = new Map<string, Shown>()
  return {
    shown,
    onItem(key: string | undefined, item: Json): void {
      if (key === undefined || kind.identityFields.length === 0 || shown.has(key)) return
      if (entries.get(key)?.state === 'pending') shown.set(key, shownIdentity(kind, item))
    },
  }
}

/**
 * A remark for each row whose key another person has on the service: it is not created, and a reader who counts it as there
 * believes that it is. Reads the file again if there is any row to compare.
 */
export async function otherPersons(
  { source, service: { kind } }: Sources,
  entries: ReadonlyMap<string, Entry>,
  shown: ReadonlyMap<string, Shown>,
): Promise<Remark[]> {
  if (shown.size === 0) return []
  const remarks: Remark[] = []
  const path = kind.key.request.join(', ')
  const place = source.columnFor?.(path)
  for await (const { row, record } of source.rows()) {
    const key = keyOf(nameIn(record, kind.key.request) ?? '')
    const [entry, theirs] = [entries.get(key), shown.get(key)]
    if (!entry || entry.row !== row || entry.existingCount === 0 || !theirs) continue
    const own = kind.identityFields.map(([request]) => valueAt(record, parsePath(request) ?? []))
    if (!own.some((mine, at) => isOther(mine, theirs[at]))) continue
    const [here, there] = [nameOf(own), nameOf(theirs)]
    const differs = here === there ? `${there}, born on another day` : `${there}, not ${here}`
    const message = `${entry.name} is on the service as ${differs}: this row is not created`
    remarks.push({
      row,
      path,
      message,
      cause: message,
      value: entry.name,
      ...(place && { column: place.column }),
    })
  }
  return remarks
}

/** The forename and the surname. */
const nameOf = ([forename, surname]: Shown) =>
  [forename, surname].filter((part) => typeof part === 'string' && part !== '').join(' ') || 'somebody else'

/** Spaces, punctuation and capitals do not make another person. */
function isOther(mine: Json, theirs: Json): boolean {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return false
  const [one, other] = [plain(mine), plain(theirs)]
  return one !== '' && other !== '' && one !== other
}

const plain = (text: string) => keyOf(dayOf(text.trim())).replaceAll(/[\s\p{P}]+/gu, '')
