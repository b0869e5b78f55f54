import { splitTaxCode } from '../../../api/contract/standards/tax-code.ts'
import { isObject, type JsonObject, valueAt } from '../../../json/path.ts'
import type { RowIssue } from '../../rows/row.ts'
import type { Column } from '../columns/file-columns.ts'
import type { FindColumn } from '../columns/find-column.ts'

/** What became of a code that stands for two fields: a remark, or an issue if the other field says something else. */
export interface SplitCode {
  readonly note?: RowIssue
  readonly issue?: RowIssue
}

/** Puts week 1/month 1, where it stands behind the tax code of a record, into the tax basis beside it, as the form does. */
export type SplitCodes = (record: JsonObject) => SplitCode

/** Looks once where a table has tax codes. */
export function codeSplitter(columns: readonly Column[], find: FindColumn): SplitCodes {
  const column = columns.findIndex(({ fills }) => fills?.field.standard === 'tax-code')
  const { fills, place } = columns[column] ?? {}
  if (!fills) return () => ({})
  const { path, segments } = fills
  const [above, name] = [segments.slice(0, -1), segments.at(-1) ?? '']
  const basisPath = [...above, 'taxBasis'].join('.')
  return (record) => {
    const section = valueAt(record, above)
    const written = isObject(section) ? section[name] : undefined
    const split = typeof written === 'string' ? splitTaxCode(written) : undefined
    if (!split || !isObject(section)) return {}
    const { taxBasis } = section
    section[name] = split.taxCode
    if (taxBasis === undefined) {
      section.taxBasis = split.taxBasis
      const message = `${place}: W1, M1 or X behind the code is sent as the tax basis ${split.taxBasis}`
      return { note: { path, message, column } }
    }
    if (taxBasis === split.taxBasis) return {}
    const basis = find(basisPath)
    const message = `${basis?.place}: it contradicts the W1, M1 or X behind the code in ${place}`
    return { issue: { path: basisPath, message, ...(basis && { column: basis.column }) } }
  }
}
