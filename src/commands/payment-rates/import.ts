import type { Context } from '../../context/context.ts'
import { type FileRow, rowWith } from '../../files/table/row.ts'
import { inColumn, type RowSource } from '../../files/table/row-source.ts'
import { textAt } from '../../model/standards/warning.ts'
import { findCoded, readOrWarn, readVatCodes, type VatCode } from '../kit/coded-records.ts'
import { showProgress } from '../kit/show-progress.ts'

const vatCodePath = 'defaultVATCode'

/**
 * Replaces VAT codes with the ids that the service uses. JSON stays as it is. Throws as a list does, but
 * where the key may not read the list, the codes stay as they are.
 */
export async function findVatCodes(
  context: Context,
  source: RowSource,
  { isDone }: { readonly isDone: boolean },
): Promise<RowSource> {
  if (isDone || source.columns === undefined || !source.columnFor?.(vatCodePath)) return source
  const reading = showProgress(context, 'Reading VAT codes', readVatCodes(await context.client()))
  const codes = await readOrWarn(context, 'VAT codes', reading)
  if (!codes) return source
  return {
    ...source,
    async *rows(isWanted) {
      for await (const row of source.rows(isWanted)) yield withVatCode(row, source, codes)
    },
  }
}

function withVatCode(row: FileRow, source: RowSource, codes: ReadonlyMap<string, VatCode>): FileRow {
  const code = textAt(row.record, vatCodePath)
  if (code === '' || row.cleared?.includes(vatCodePath)) return row
  const { found, flaw } = findCoded(codes, code, 'VAT code')
  const issues = flaw === undefined ? [] : [inColumn(source, { path: vatCodePath, message: flaw })]
  const record = found && !flaw ? { ...row.record, [vatCodePath]: found.id } : row.record
  return rowWith(
    { ...row, record },
    {
      issues: () => [...row.issues, ...issues],
      warnings: () => row.warnings,
      digest: () => row.digest,
    },
  )
}
