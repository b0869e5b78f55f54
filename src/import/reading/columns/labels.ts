import type { Fields } from '../../../api/contract/fields/field.ts'
import { leafFields } from '../../../api/contract/fields/field-tree.ts'
import { type Section, sections } from '../../../api/contract/fields/sections.ts'

/** Sections whose labels are unclear without the section: `Name` there is not the name of the person. */
const needSection: readonly Section[] = ['emergency', 'opening']

/** The paths that each label can mean, by label in lower case: `surname`, `emergency contact: name`. */
export function pathsByLabel(fields: Fields): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { path, field } of leafFields(fields)) {
    const { label, section } = field
    const names = [
      ...(section ? [`${sections[section]}: ${label}`] : []),
      ...(section && needSection.includes(section) ? [] : [label]),
    ]
    for (const name of names)
      found.set(normalizeName(name), [...(found.get(normalizeName(name)) ?? []), path])
  }
  return found
}

/** A column name in lower case, without extra spaces. */
export function normalizeName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}
