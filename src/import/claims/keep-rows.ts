import type { ImportKind } from '../import-service.ts'
import type { RowSource } from '../reading/open-source.ts'
import { keyOf, nameIn } from '../rows/natural-key.ts'
import type { Row } from '../rows/row.ts'

/** Reads the rows with these keys from the file once more, to compare them with the service's records. */
export async function keepRows(
  source: RowSource,
  { key }: ImportKind,
  keys: ReadonlySet<string>,
  kept: Map<string, Row>,
): Promise<void> {
  if (keys.size === 0) return
  for await (const row of source.rows()) {
    const known = keyOf(nameIn(row.record, key.request) ?? '')
    if (keys.has(known)) kept.set(known, row)
  }
}
