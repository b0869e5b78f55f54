import { fieldAt, type Leaf } from '../../api/contract/fields/field-tree.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Issue } from '../../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { cell } from '../../render/text/format-cell.ts'
import { masked } from '../../render/text/mask.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import { fold } from '../terminal/wrap-text.ts'
import type { FormContext } from './form-context.ts'
import { type FormSection, hasAnswer } from './form-section.ts'

/**
 * The whole record as a person checks it: by section, masked, what the public standards say of a value beneath it,
 * and what is not given.
 */
export function review(asking: FormContext, rooms: readonly FormSection[], body: JsonObject): string {
  const { style, type, today, columns } = asking
  const remarks = warnings(type, body, today)
  const filled = rooms.filter((room) => room.questions.some((leaf) => hasAnswer(leaf, body)))
  const empty = rooms.filter((room) => !filled.includes(room))
  const isShown = (path: string) => filled.some(({ questions }) => questions.some((leaf) => isOf(leaf, path)))
  const others = remarks.filter(({ path }) => !isShown(path))
  return [
    `\n${style.heading('The whole record')}`,
    ...filled.map((room) => `\n${roomLines(asking, room, body, remarks)}`),
    ...undeclared(asking, body),
    ...(filled.length === 0 ? ['\nNothing is filled in yet.'] : []),
    ...(others.length > 0 ? [''] : []),
    ...others.map(({ path, message }) => caution(asking, `${labelOf(rooms, path)}: ${message}`, '')),
    ...(filled.length > 0 && empty.length > 0
      ? ['', style.dim(fold(`Nothing under: ${empty.map(({ title }) => title).join('; ')}.`, columns()))]
      : []),
    '',
  ].join('\n')
}

function roomLines(
  asking: FormContext,
  room: FormSection,
  body: JsonObject,
  remarks: readonly Issue[],
): string {
  const { style, columns } = asking
  const given = room.questions.filter((leaf) => hasAnswer(leaf, body))
  const missing = room.questions.filter((leaf) => !given.includes(leaf))
  const width = Math.max(...given.map(({ field }) => field.label.length))
  const lines = given.flatMap((leaf) => {
    const label = `  ${style.dim(leaf.field.label.padEnd(width))}`
    const values = valuesOf(asking, leaf, valueAt(body, leaf.path.split('.')))
    return [
      ...values.map((value, at) => `${at === 0 ? label : ' '.repeat(width + 2)}  ${value}`),
      ...remarks
        .filter(({ path }) => isOf(leaf, path))
        .map(({ message }) => caution(asking, message, '    ')),
    ]
  })
  const onMissing = missing.flatMap((leaf) =>
    remarks
      .filter(({ path }) => isOf(leaf, path))
      .map(({ message }) => caution(asking, `${leaf.field.label}: ${message}`, '  ')),
  )
  const labels = missing.map(({ field }) => field.label).join('; ')
  return [
    style.bold(room.title),
    ...lines,
    ...onMissing,
    ...(labels ? [style.dim(fold(`Not given: ${labels}.`, columns(), '  '))] : []),
  ].join('\n')
}

/** A value in as many lines as it has items. */
function valuesOf({ reveal }: FormContext, { field }: Leaf, value: Json): string[] {
  if (!isListed(field) || !Array.isArray(value)) return [formatValue(field, value, reveal)]
  const { fields } = itemOfList(field)
  return value.map((item, at) => safeText(`${at + 1}: ${itemLine(fields, reveal ? item : masked(item))}`))
}

function caution({ style, columns }: FormContext, text: string, indent: string): string {
  const [first = '', ...rest] = fold(safeText(text), columns() - indent.length - 2).split('\n')
  return [`${indent}${style.caution('!')} ${first}`, ...rest.map((line) => `${indent}  ${line}`)].join('\n')
}

/** What the record holds that nobody declared: kept, sent back, and shown under its own name. */
function undeclared({ type, reveal }: FormContext, body: JsonObject): string[] {
  const found = otherValues(reveal ? body : (masked(body) as JsonObject))
  return found.length > 0 ? ['', ...found.map(([path, value]) => `  ${safeText(path)}  ${cell(value)}`)] : []

  function otherValues(object: JsonObject, above = ''): [string, Json][] {
    return Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const path = above + name
      const field = fieldAt(type.fields, path)
      if (field?.fields && isObject(value)) return otherValues(value, `${path}.`)
      return field || cell(value) === '' ? [] : [[path, value]]
    })
  }
}

/** Where a person finds the field: "Bank, IBAN". */
export function labelOf(rooms: readonly FormSection[], path: string): string {
  for (const { title, questions } of rooms) {
    const leaf = questions.find((each) => isOf(each, path))
    if (leaf) return leaf.field.section ? `${title}, ${leaf.field.label}` : leaf.field.label
  }
  return path
}

const isOf = (leaf: Leaf, path: string) => path === leaf.path || path.startsWith(`${leaf.path}[`)
