import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { type Section, sections } from '../../api/contract/fields/sections.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import { formatAmount } from '../text/format-amount.ts'
import { fieldText } from '../text/format-field.ts'
import { labelFor } from '../text/label.ts'
import { readableItems } from '../text/readable-items.ts'
import type { Style } from '../text/style.ts'
import { padToWidth, widthOf } from '../text/width.ts'

interface Line {
  readonly section: Section | undefined
  readonly label: string
  readonly text: string
}

/** What a card knows of its record. */
export type CardType = Pick<RecordType, 'fields' | 'currency'>

/** One record as a card: its values under the headings of the form, what is empty left out. */
export function card(record: JsonObject, { fields, currency = '' }: CardType, style: Style): string {
  const textOf = (value: Json, field: Field | undefined) => cardText(value, field, currency)
  const lines = linesOf(record, fields, textOf)
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
function linesOf(
  record: JsonObject,
  fields: Fields,
  textOf: (value: Json, field: Field | undefined) => string,
  above = '',
  parent?: Section,
): Line[] {
  return Object.entries(record).flatMap(([name, value]: [string, Json]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    const section = field?.section ?? parent
    if (isObject(value)) return linesOf(value, field?.fields ?? {}, textOf, `${above}${name}.`, section)
    const text = textOf(value, field)
    return text === '' ? [] : [{ section, label: labelFor(above + name, field), text }]
  })
}

/** A value with room around it: amounts with their currency, dates in full, lists by the labels of their fields. */
function cardText(value: Json, field: Field | undefined, currency: string): string {
  const items = readableItems(value, field, (inner, own) => cardText(inner, own, currency))
  if (items !== undefined) return items
  const text = fieldText(value, field, 'long')
  return field?.money && currency ? formatAmount(text, currency) : text
}
