import { fieldAt, isAskedFor, isEmpty, type Leaf } from '../../api/contract/fields/field-tree.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Issue } from '../../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { cell } from '../../render/text/format-field.ts'
import { masked } from '../../render/text/mask.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { beside, widthOf, wrapText } from '../../render/text/wrap-text.ts'
import { knownCodes, takesCodes } from '../../values/read-code.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import type { FormContext } from './form-context.ts'
import { type FormSection, hasAnswer } from './form-section.ts'

/**
 * The whole record for a person to compare with the paper: by section, each warning beneath its value, and what a
 * payslip needs and the record lacks. Other gaps are not listed: most records have many.
 */
export function review(
  form: FormContext,
  sections: readonly FormSection[],
  body: JsonObject,
  before: JsonObject = {},
): string {
  const { style, type, today } = form
  const doubts = [...warnings(type, body, today), ...unknownWords(sections, body, before)]
  const filled = sections.filter((section) => section.questions.some((leaf) => hasAnswer(leaf, body)))
  const isShown = (path: string) => filled.some(({ questions }) => questions.some((leaf) => isOf(leaf, path)))
  const others = doubts.filter(({ path }) => !isShown(path))
  const needed = neededForPay(sections, body)
  return [
    `\n${style.heading('The whole record')}`,
    ...filled.map((section) => `\n${sectionLines(form, section, body, doubts)}`),
    ...undeclared(form, body),
    ...(filled.length === 0 ? ['\nNothing is filled in yet.'] : []),
    ...(others.length > 0 ? [''] : []),
    ...others.map(({ path, message }) => caution(form, `${labelOf(sections, path)}: ${message}`, '')),
    ...(needed.length > 0 ? ['', caution(form, `Needed for pay: ${needed.join(', ')}`, '')] : []),
    '',
  ].join('\n')
}

function sectionLines(
  form: FormContext,
  section: FormSection,
  body: JsonObject,
  found: readonly Issue[],
): string {
  const { style } = form
  const filled = section.questions.filter((leaf) => hasAnswer(leaf, body))
  const missing = section.questions.filter((leaf) => !filled.includes(leaf))
  const labels = Math.max(...filled.map(({ field }) => widthOf(field.label)))
  const columns = { labels, screen: form.columns() }
  const lines = filled.flatMap((leaf) => {
    const values = valuesOf(form, leaf, valueAt(body, leaf.path.split('.')))
    return [
      ...beside(leaf.field.label, values, columns, style),
      ...found.filter(({ path }) => isOf(leaf, path)).map(({ message }) => caution(form, message, '    ')),
    ]
  })
  const onMissing = missing.flatMap((leaf) =>
    found
      .filter(({ path }) => isOf(leaf, path))
      .map(({ message }) => caution(form, `${leaf.field.label}: ${message}`, '  ')),
  )
  return [style.bold(section.title), ...lines, ...onMissing].join('\n')
}

/** A value in as many lines as it has items. */
function valuesOf({ shown }: FormContext, { field }: Leaf, value: Json): string[] {
  if (!isListed(field) || !Array.isArray(value)) return [formatValue(field, value, shown())]
  const { fields } = itemOfList(field)
  return value.map((item, at) => safeText(`${at + 1}: ${itemLine(fields, item, shown())}`))
}

function caution({ style, columns }: FormContext, text: string, indent: string): string {
  const [first = '', ...rest] = wrapText(safeText(text), columns() - indent.length - 2).split('\n')
  return [`${indent}${style.caution('!')} ${first}`, ...rest.map((line) => `${indent}  ${line}`)].join('\n')
}

/** Values without a declared field: kept, sent back, and shown under their own names. */
function undeclared({ type, shown }: FormContext, body: JsonObject): string[] {
  const others = otherValues(shown().masked ? (masked(body) as JsonObject) : body)
  return others.length > 0
    ? ['', ...others.map(([path, value]) => `  ${safeText(path)}  ${cell(value)}`)]
    : []

  function otherValues(object: JsonObject, above = ''): [string, Json][] {
    return Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const path = above + name
      const field = fieldAt(type.fields, path)
      if (field?.fields && isObject(value)) return otherValues(value, `${path}.`)
      return field || cell(value) === '' ? [] : [[path, value]]
    })
  }
}

/** The section and label of a field: `Bank, IBAN`. */
export function labelOf(sections: readonly FormSection[], path: string): string {
  for (const { title, questions } of sections) {
    const leaf = questions.find((each) => isOf(each, path))
    if (leaf) return leaf.field.section ? `${title}, ${leaf.field.label}` : leaf.field.label
  }
  return path
}

const isOf = (leaf: Leaf, path: string) => path === leaf.path || path.startsWith(`${leaf.path}[`)

/** The words that no list of their field has. What came from the service is known to it. */
function unknownWords(sections: readonly FormSection[], body: JsonObject, before: JsonObject): Issue[] {
  return sections
    .flatMap(({ questions }) => questions)
    .filter(({ path, field }) => {
      const [word, old] = [body, before].map((record) => valueAt(record, path.split('.')))
      const isTyped = typeof word === 'string' && word !== '' && word !== old
      return isTyped && takesCodes(field) && !knownCodes(field).includes(word)
    })
    .map(({ path }) => ({ path, message: 'not one of the known words: it is sent as it stands' }))
}

/** What a payslip needs and the record lacks, by its labels, in the order of the form. */
function neededForPay(sections: readonly FormSection[], body: JsonObject): string[] {
  return sections
    .flatMap(({ questions }) => questions)
    .flatMap((leaf, _, questions) => {
      if (lacksKind(leaf, body)) return [`${leaf.field.label} (which one)`]
      const isLacking = leaf.field.neededForPay && isAskedFor(leaf, body) && !hasAnswer(leaf, body)
      return isLacking ? [labelOfNeed(leaf, questions)] : []
    })
}

/** The label, with that of the field that does as well: a rate or a salary. */
function labelOfNeed({ path, field }: Leaf, questions: readonly Leaf[]): string {
  const { when, label } = field
  const name = when && 'without' in when ? when.without : undefined
  const other = name && questions.find((each) => each.path === path.replace(/[^.]+$/, name))
  return other ? `${label} or ${other.field.label.toLowerCase()}` : label
}

/** Whether there is a student loan without a plan: the deduction depends on it. */
function lacksKind({ path, field }: Leaf, body: JsonObject): boolean {
  if (!field.kinds || valueAt(body, path.split('.')) !== true) return false
  const above = path.split('.').slice(0, -1)
  return field.kinds.every((kind) => isEmpty(valueAt(body, [...above, kind.field])))
}
