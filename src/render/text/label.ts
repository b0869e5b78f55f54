import type { Field } from '../../api/contract/fields/field.ts'
import { safeText } from './safe-text.ts'

/** What nearly every record has, where its contract does not name it. */
const usual: Readonly<Record<string, string>> = { id: 'ID', createdAt: 'Created', updatedAt: 'Updated' }

/** What stands above or beside the values of a field: its label, or its path where it is not declared. */
export function labelFor(path: string, field: Field | undefined): string {
  if (field) return field.label
  return Object.hasOwn(usual, path) ? (usual[path] ?? '') : safeText(path)
}
