import type { Issue } from '../../errors.ts'
import { isEmpty, isObject, type Json, type JsonObject, valueAt } from '../../files/json/path.ts'
import type { Standard } from '../../model/fields/field.ts'
import { fieldAt, type Leaf } from '../../model/fields/field-tree.ts'
import { allNames } from '../../model/mapping/record-name.ts'
import { alternativeTo, lackingForPay } from '../../model/records/pay-needs.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { warnings } from '../../model/standards/warnings.ts'
import { toText } from '../../render/text/format-field.ts'
import { maskFields } from '../../render/text/mask.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { putBeside, widthOf, wrapText } from '../../render/text/wrap-text.ts'
import type { FormContext } from '../questions/form-context.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import { bodyIn, type Form, type FormSection, hasAnswer } from './form.ts'

/** The whole record, to be compared with the paper: warnings beneath their values, and what a payslip lacks. */
export function review(form: FormContext, state: Form): string {
  const { style, type, today, facts } = form
  const { sections } = state
  const body = bodyIn(state)
  const doubts = warnings(type, body, today, facts)
  const sectionsWithAnswers = sections.filter((section) =>
    section.questions.some((leaf) => hasAnswer(leaf, body)),
  )
  const isShown = (path: string) =>
    sectionsWithAnswers.some(({ questions }) => questions.some((leaf) => isOf(leaf, path)))
  const otherDoubts = doubts.filter(({ path }) => !isShown(path))
  const needed = neededLine(form, state)
  return [
    `\n${style.heading('The whole record')}`,
    ...sectionsWithAnswers.map((section) => `\n${reviewLines(form, section, body, doubts)}`),
    ...undeclaredLines(form, body),
    ...(sectionsWithAnswers.length === 0 ? ['\nNothing is filled in yet.'] : []),
    ...(otherDoubts.length > 0 ? [''] : []),
    ...otherDoubts.map(({ path, message }) =>
      caution(form, `${sectionLabel(sections, path)}: ${message}`, ''),
    ),
    ...(needed === '' ? [] : ['', needed]),
    '',
  ].join('\n')
}

function reviewLines(
  form: FormContext,
  section: FormSection,
  body: JsonObject,
  doubts: readonly Issue[],
): string {
  const { style } = form
  const leaves = section.questions.filter((leaf) => hasAnswer(leaf, body))
  const missing = section.questions.filter((leaf) => !leaves.includes(leaf))
  const labels = Math.max(...leaves.map(({ field }) => widthOf(field.label)))
  const columns = { labels, screen: form.columns() }
  const lines = leaves.flatMap((leaf) => {
    const values = shownValues(form, leaf, valueAt(body, leaf.path))
    return [
      ...putBeside(leaf.field.label, values, columns, style),
      ...doubts
        .filter(({ path }) => isOf(leaf, path))
        .map(({ path, message }) => caution(form, `${lineIn(path)}${message}`, '    ')),
    ]
  })
  const onMissing = missing.flatMap((leaf) =>
    doubts
      .filter(({ path }) => isOf(leaf, path))
      .map(({ message }) => caution(form, `${leaf.field.label}: ${message}`, '  ')),
  )
  return [style.bold(section.title), ...lines, ...onMissing].join('\n')
}

/** `line 2: ` for a doubt about one of several lines. */
function lineIn(path: string): string {
  const [, at] = /\[(\d+)\]/.exec(path) ?? []
  return at === undefined ? '' : `line ${Number(at) + 1}: `
}

function shownValues({ shown }: FormContext, { field }: Leaf, value: Json): string[] {
  if (!isListed(field) || !Array.isArray(value)) return [formatValue(field, value, shown)]
  const { fields } = itemOfList(field)
  return value.map((item, at) => safeText(`${at + 1}: ${itemLine(fields, item, shown)}`))
}

function caution({ style, columns }: FormContext, text: string, indent: string): string {
  const [first = '', ...rest] = wrapText(safeText(text), columns() - indent.length - 2).split('\n')
  return [`${indent}${style.caution('!')} ${first}`, ...rest.map((line) => `${indent}  ${line}`)].join('\n')
}

/** Values without a declared field: kept, sent back, and shown under their own names. */
function undeclaredLines({ type, shown }: FormContext, body: JsonObject): string[] {
  const entries = otherValues(shown.masked ? (maskFields(body) as JsonObject) : body)
  return entries.length > 0
    ? ['', ...entries.map(([path, value]) => `  ${safeText(path)}  ${toText(value)}`)]
    : []

  function otherValues(object: JsonObject, above = ''): [string, Json][] {
    return Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const path = above + name
      const field = fieldAt(type.fields, path)
      if (field?.fields && isObject(value)) return otherValues(value, `${path}.`)
      return field || toText(value) === '' ? [] : [[path, value]]
    })
  }
}

/** Splits a text into pages of this many lines, between paragraphs where possible. */
export function screensOf(text: string, lines: number): string[] {
  const pages: string[][] = [[]]
  for (const paragraph of text.trim().split(/\n(?=\n)/)) {
    const more = paragraph.split('\n')
    const page = pages.at(-1) ?? []
    if (page.length > 0 && page.length + more.length > lines) pages.push(more.slice(1))
    else page.push(...more)
    for (let last = pages.at(-1) ?? []; last.length > lines; last = pages.at(-1) ?? [])
      pages.push(last.splice(lines))
  }
  return pages.map((page) => page.join('\n'))
}

const inOneLine: readonly Standard[] = ['nino', 'ppsn', 'hourly-rate', 'salary']

/** A record in one line: reference, name, number, rate. Empty where none of them is known. */
export function inShort({ type, shown }: FormContext, state: Form): string {
  const body = bodyIn(state)
  const values = state.sections
    .flatMap(({ questions }) => questions)
    .filter((leaf) => leaf.field.standard && inOneLine.includes(leaf.field.standard) && hasAnswer(leaf, body))
    .map(({ path, field }) => `${field.label} ${formatValue(field, valueAt(body, path), shown)}`)
  return safeText([allNames(type, body).join(' '), ...values].filter(Boolean).join(' · '))
}

/** The section and label of a field: `Bank, IBAN`. */
export function sectionLabel(sections: readonly FormSection[], path: string): string {
  for (const { title, questions } of sections) {
    const leaf = questions.find((each) => isOf(each, path))
    if (leaf) return leaf.field.section ? `${title}, ${leaf.field.label}` : leaf.field.label
  }
  return path
}

const isOf = (leaf: Leaf, path: string) => path === leaf.path || path.startsWith(`${leaf.path}[`)

/** What a payslip needs and the record lacks, as one paragraph; empty for nothing. */
export function neededLine(form: FormContext, state: Form): string {
  const { type } = form
  const body = bodyIn(state)
  const value = (path: string) => valueAt(body, path)
  const lacking = [
    ...lackingForPay(type, { value }),
    ...neededOfWork(type).filter((path) => isEmpty(value(path))),
  ]
  const labelOf = (path: string) => fieldAt(type.fields, path)?.label ?? path
  const needed = state.sections
    .flatMap(({ questions }) => questions)
    .flatMap((leaf) => {
      const { path, field } = leaf
      if (lacksKind(leaf, body)) return [`${field.label} (which one)`]
      if (!lacking.includes(path)) return []
      const other = alternativeTo(type, path)
      return [other === undefined ? field.label : `${field.label} or ${labelOf(other).toLowerCase()}`]
    })
  return needed.length === 0 ? '' : caution(form, `Needed for pay: ${needed.join(', ')}`, '')
}

/** What nobody is paid by a timesheet without: whose it is, its last day, and its lines. */
const neededOfWork = ({ reference, days, lines }: RecordType) =>
  lines ? [reference, days?.[1], lines.path].filter((path) => path !== undefined) : []

/** Whether there is a student loan without a plan: the deduction depends on it. */
function lacksKind({ path, field }: Leaf, body: JsonObject): boolean {
  if (!field.kinds || valueAt(body, path) !== true) return false
  const above = path.split('.').slice(0, -1)
  return field.kinds.every((kind) => isEmpty(valueAt(body, [...above, kind.field])))
}
