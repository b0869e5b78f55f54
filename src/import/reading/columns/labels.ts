import type { Fields } from '../../../api/contract/fields/field.ts'
import { leafFields } from '../../../api/contract/fields/field-tree.ts'
import { type Section, sections } from '../../../api/contract/fields/sections.ts'

/** Sections whose labels say nothing by themselves: `Name` is not the name of the person. */
const headed: readonly Section[] = ['emergency', 'opening']

/** The paths that a label can mean, by the label in small letters: `surname`, `emergency contact: name`. */
export function pathsByLabel(fields: Fields): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { path, field } of leafFields(fields)) {
    const { label, section } = field
    const names = [
      ...(section ? [`${sections[section]}: ${label}`] : []),
      ...(section && headed.includes(section) ? [] : [label]),
    ]
    for (const name of names)
      found.set(normalizeName(name), [...(found.get(normalizeName(name)) ?? []), path])
  }
  return found
}

/** A name of a column without what a spreadsheet or a person adds to it: capitals, and spaces of any kind. */
export function normalizeName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}
