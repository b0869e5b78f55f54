import { type Field, type Section, sections } from './field.ts'

/** Sections whose labels are unclear without the section: `Name` there is not the name of the person. */
const needSection: readonly Section[] = ['emergency', 'opening']

/** The names of a field, in lower case: its label, where that is clear, and its label with the section. */
export function labelsOf(field: Field): string[] {
  const { label, section } = field
  return [
    ...(section ? [`${sections[section]}: ${label}`] : []),
    ...(needsSection(field) ? [] : [label]),
  ].map(normalizeName)
}

/** Whether the label of a field is unclear without its section. */
export function needsSection({ section }: Field): boolean {
  return section !== undefined && needSection.includes(section)
}

/** A column name in lower case, without extra spaces. */
export function normalizeName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}
