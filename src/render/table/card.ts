import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { type Section, sections } from '../../api/contract/fields/sections.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import { fieldText } from '../text/format-field.ts'
import { labelFor } from '../text/label.ts'
import type { Style } from '../text/style.ts'
import { padToWidth, widthOf } from '../text/width.ts'

interface Line {
  readonly section: Section | undefined
  readonly label: string
  readonly text: string
}

/** One record as a card: its values under the headings of the form, what is empty left out. */
export function card(record: JsonObject, fields: Fields, style: Style): string {
  const lines = linesOf(record, fields)
  const width = Math.max(0, ...lines.map(({ label }) => widthOf(label)))
  const order: (Section | undefined)[] = [...(Object.keys(sections) as Section[]), undefined]
  const groups = order.map((section) => lines.filter((line) => line.section === section))
  return groups
    .filter((group) => group.length > 0)
    .map((group) => {
      const heading = group[0]?.section ? `${style.bold(sections[group[0].section])}\n` : ''
      return (
        heading +
        group.map(({ label, text }) => `  ${style.dim(padToWidth(label, width))}  ${text}\n`).join('')
      )
    })
    .join('\n')
}

/** The filled-in values of a record; a field that is not in the contract is shown under its own name. */
function linesOf(record: JsonObject, fields: Fields, above = '', parent?: Section): Line[] {
  return Object.entries(record).flatMap(([name, value]: [string, Json]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    const section = field?.section ?? parent
    if (isObject(value)) return linesOf(value, field?.fields ?? {}, `${above}${name}.`, section)
    const text = fieldText(value, field)
    return text === '' ? [] : [{ section, label: labelFor(above + name, field), text }]
  })
}
