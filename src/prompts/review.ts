import type { JsonObject } from '../api/contract/path.ts'
import type { RecordType } from '../api/contract/record.ts'
import { sections } from '../api/contract/sections.ts'
import { warnings } from '../api/contract/standards/warnings.ts'
import { leaves } from '../api/contract/walk.ts'
import { card } from '../render/card.ts'
import { masked } from '../render/mask.ts'
import { safeText } from '../render/safe-text.ts'
import type { Asking } from './asking.ts'
import { fold } from './fold.ts'

/** The whole record as a person checks it, and what the public standards say of it, by the labels of the form. */
export function review(asking: Asking, type: RecordType, body: JsonObject): string {
  const { style, reveal, today, columns } = asking
  const shown = card((reveal ? body : masked(body)) as JsonObject, type.fields, style)
  const remarks = warnings(type, body, today).map(({ path, message }) =>
    fold(safeText(`${labelOf(type, path)}: ${message}`), columns() - 2).replaceAll('\n', '\n  '),
  )
  return [
    `\n${style.heading('The whole record')}\n`,
    shown.trimEnd() || 'Nothing is filled in yet.',
    ...(remarks.length > 0 ? ['', ...remarks.map((line) => `${style.caution('!')} ${line}`)] : []),
    '',
  ].join('\n')
}

/** Where a person finds the field: "Bank, IBAN". */
function labelOf(type: RecordType, path: string): string {
  const leaf = leaves(type.fields).find(({ path: here }) => path === here || path.startsWith(`${here}[`))
  if (!leaf) return path
  const { section, label } = leaf.field
  return section ? `${sections[section]}, ${label}` : label
}
