import type { Context } from '../../../context/context.ts'
import { columnLetters } from '../../../files/formats/column-letters.ts'
import type { ShownColumn } from '../../../files/table/file-columns.ts'
import { readFormats } from '../../../files/table/read-formats.ts'
import type { RowSource } from '../../../files/table/row-source.ts'
import { bankDetails, type PlannedChange } from '../../../import/change-tally.ts'
import { type FindingGroup, mostListed, type RowFinding } from '../../../import/findings.ts'
import type { ImportJob } from '../../../import/job.ts'
import { countsOf, doubtfulIn, heldFindings, isHeldForBank, type Plan } from '../../../import/plan.ts'
import { countsInWords, withRecords } from '../../../import/row-fates.ts'
import { keyInWords, keyOf } from '../../../model/natural-key.ts'
import { isBankField } from '../../../model/records/bank-fields.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { isSensitive } from '../../../model/resources/sensitive.ts'
import { headingFor } from '../../../model/values/find-field.ts'
import { nameWithReference } from '../../../model/whose.ts'
import { screenWidth } from '../../../render/text/fold-message.ts'
import { formatChange } from '../../../render/text/format-change.ts'
import { toText } from '../../../render/text/format-field.ts'
import { mask } from '../../../render/text/mask.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { cutText, wrapText } from '../../../render/text/wrap-text.ts'
import { maskAs } from '../../../secrets.ts'
import { groupBy } from '../../../text/group-by.ts'
import { groupDigits, plural, singular } from '../../../text/words.ts'

/** The most rows of one cause that are named, and the most that are told about in a sentence each. */
const [mostRowsNamed, mostSentences] = [100, 20]

interface PreviewSection {
  readonly title: string
  readonly groups: readonly FindingGroup[]
  readonly count: number
}

interface Display {
  readonly width: number
  readonly format: RowSource['format']
  readonly type: RecordType
  readonly reveal: boolean
}

/** The preview of a plan, for a screen: how many rows are ready, which cells are wrong, and what each column fills. */
export function previewOf(
  { reveal }: Context,
  job: ImportJob,
  plan: Plan,
  screen: { readonly columns?: number | undefined },
): readonly string[] {
  const { source, service } = job
  const { format, shown = [] } = source
  const style: Display = { width: screenWidth(screen), format, type: service.type, reveal }
  const columns = columnLines(shown, reveal).map((line) => `  ${cutText(line, style.width - 2)}`)
  const lines = [
    ...countLines(job, plan, style),
    ...previewSections(plan, style).flatMap((section) => ['', ...previewLines(section, style)]),
    ...(columns.length > 0 ? ['', 'Columns:', ...columns] : []),
  ]
  // Names of files and columns come from outside.
  return lines.map(safeText)
}

function columnLines(columns: readonly ShownColumn[], reveal: boolean): readonly string[] {
  const nameOf = ({ letters, name }: ShownColumn) => `${letters} ${name}`
  const width = Math.max(0, ...columns.map((column) => nameOf(column).length))
  return columns.map((column) => {
    const sum = isHidden(column, reveal) ? undefined : column.sum
    const notImported =
      column.count > 0 && sum !== undefined ? `not imported: ${describeNumbers(column)}` : 'not imported'
    const first = column.first === '' ? '' : ` (${firstValue(column, reveal)})`
    return `${nameOf(column).padEnd(width)} → ${column.field ?? notImported}${first}`
  })
}

/** `4 hours in 2 rows`: what is in a column of numbers that is not imported. A sum of rates says nothing. */
export function describeNumbers({ name, sum = 0, count }: ShownColumn): string {
  if (/\brates?\b/i.test(name)) return `rates in ${plural(count, 'row')}`
  const what = /h(?:ou)?rs?\b/i.test(name) ? ' hours' : ''
  return `${Number(sum.toFixed(2))}${what} in ${plural(count, 'row')}`
}

/** Whether a column sounds sensitive. Its values are masked, and its sum is hidden because it could be one of them. */
export const isHidden = ({ name, path = '' }: ShownColumn, reveal: boolean) =>
  !reveal && [name, ...path.split(/[.[\]]/)].some(isSensitive)

/** The first value of a column, masked where it sounds sensitive. */
export function firstValue(column: ShownColumn, reveal: boolean): string {
  const text = column.first.replace(/\s+/g, ' ').trim().slice(0, 24)
  return isHidden(column, reveal) ? mask(text) : text
}

/** `Bank: 2 people (held back); Hourly rate: 24 people` */
export function fieldCounts({ entries, changes: { noun, fields } }: Plan): string {
  const isHeld = [...entries.values()].some(isHeldForBank)
  return fields
    .flatMap(({ field, records, withBank }) => {
      const isBank = isHeld && records === withBank && field === bankDetails
      const count = isHeld && !isBank ? records - withBank : records
      const who = plural(count, singular(noun))
      return count === 0 ? [] : [`${field}: ${who}${isBank ? ' (held back)' : ''}`]
    })
    .join('; ')
}

function countLines(job: ImportJob, plan: Plan, { width }: Display): string[] {
  const { total } = job.source
  const { rows, records } = doubtfulIn(plan)
  const ready = rows === 1 ? 'it is ready, but look at it first' : 'they are ready, but look at them first'
  const { noun } = job.service.kind
  const doubtful = withRecords('doubtful', rows, records, noun)
  const counts = [
    ...countsInWords('plan', countsOf(plan), noun),
    ...(rows > 0 ? [{ ...doubtful, says: `${doubtful.says}: ${ready}` }] : []),
  ]
  const digits = Math.max(...counts.map(({ count }) => groupDigits(count).length))
  const wrapped = (text: string | undefined) =>
    text === undefined ? [] : wrapText(text, width, '  ').split('\n')
  return [
    `${job.typedFile}, ${plural(plan.rows, 'row')}:`,
    ...[total, plan.notCompared].flatMap(wrapped),
    ...counts.map(({ count, says }) => `  ${groupDigits(count).padStart(digits)}  ${says}`),
    ...wrapped(plan.changes.fields.length > 0 ? `Changes: ${fieldCounts(plan)}` : undefined),
  ]
}

function previewSections(plan: Plan, style: Display): readonly PreviewSection[] {
  const { wrong, doubts, notes, changes } = plan
  const entries = [...plan.entries.values()]
  const changesOf = (what: PlannedChange['about']) => changes.listed.filter(({ about }) => about === what)
  const heldForBank = entries.filter(isHeldForBank).length
  const groupsOf = (findings: readonly RowFinding[]) =>
    findings.map((finding) => ({ count: 1, findings: [finding] }))
  return [
    {
      // A row that is held back for its bank details is named here, and not again under `Held back`.
      title: `Bank details change${heldForBank > 0 ? ' only with --bank: held back' : ''}${style.reveal ? '' : ' (--reveal shows them whole)'}:`,
      groups: changeGroups(changesOf('bank'), plan, style),
      count: changes.bankRecords,
    },
    { title: 'Hours:', groups: groupsOf(changes.lines), count: changes.lines.length },
    {
      title: 'Held back:',
      groups: heldFindings(entries.filter((entry) => !isHeldForBank(entry))).groups.flatMap(oneByOne),
      count: countsOf(plan).records.held - heldForBank,
    },
    { title: 'To put right:', groups: wrong.groups.flatMap(oneByOne), count: wrong.count },
    { title: 'Doubtful:', groups: doubts.groups.flatMap(oneByOne), count: doubts.count },
    {
      title: `What changes${changes.otherCount > mostListed ? ' (--plan <file> writes all of it)' : ''}:`,
      groups: changeGroups(changesOf('other').slice(0, mostListed), plan, style),
      count: changes.otherCount,
    },
    { title: 'Also:', groups: notes.groups, count: notes.count },
  ].filter(({ count }) => count > 0)
}

function previewLines({ title, groups, count }: PreviewSection, style: Display): string[] {
  const countLeft = groups.reduce((sum, group) => sum - group.count, count)
  return [
    title,
    ...groups.flatMap((group) => foldFinding(groupText(group, style), style)),
    ...(countLeft > 0 ? [`  … and ${groupDigits(countLeft)} more`] : []),
  ]
}

/** Findings of one cause, each with its own sentence where they are few and say something of their own. */
const oneByOne = (group: FindingGroup): readonly FindingGroup[] =>
  saysOne(group) || group.count > mostSentences
    ? [group]
    : group.findings.map((finding) => ({ count: 1, findings: [finding] }))

const saysOne = ({ findings: [first, ...more] }: FindingGroup) =>
  more.every(({ message }) => message === first?.message)

const foldFinding = (text: string, { width }: Display) =>
  wrapText(text, width - 2, '    ')
    .replace('    ', '  ')
    .split('\n')

/** A field as the file calls it. */
export const fieldName = (path: string, { format, type }: Pick<Display, 'format' | 'type'>) =>
  readFormats[format].isTable ? headingFor(type, path) : path

/** Changes by the record, each field old and new. Bank details are counted by the person, and their title says what is held back. */
function changeGroups(all: readonly PlannedChange[], { entries }: Plan, style: Display): FindingGroup[] {
  return [...groupBy(all, ({ row }) => String(row)).values()].map((changes) => {
    const [{ name = '', reference = '', path = '' } = {}] = changes
    const whole = changes.map(
      ({ field, path, from, to }) =>
        `${field} ${formatChange({ path, before: from, after: to }, style.reveal)}`,
    )
    const isBank = isBankField(style.type, path)
    const isHeld = !isBank && entries.get(keyOf(reference))?.state === 'held'
    const named = nameWithReference({ name: name || undefined, reference: keyInWords(reference) })
    const message = `${named}: ${whole.join(', ')}${isHeld ? ' (held back)' : ''}`
    return { count: isBank ? 1 : changes.length, findings: [{ row: 0, path: '', severity: 'note', message }] }
  })
}

function groupText(group: FindingGroup, style: Display): string {
  const { count, findings } = group
  const [first] = findings
  if (!first) return ''
  const { message, cause, column, path, row } = first
  const says = saysOne(group) ? message : (cause ?? message)
  const about = column === undefined && path !== '' && !cause ? `${fieldName(path, style)}: ${says}` : says
  if (row === 0) return about
  const shown = findings.slice(0, mostRowsNamed)
  const more = count > shown.length ? ` … and ${groupDigits(count - shown.length)} more` : ''
  return `${about}: ${shown.map((finding) => cellWithValue(finding, style, says)).join(', ')}${more}`
}

function cellWithValue(
  { row, column, path, value, record }: RowFinding,
  style: Display,
  says: string,
): string {
  if (record !== undefined) return says.startsWith(record) ? `row ${row}` : `row ${row} (${record})`
  const place =
    readFormats[style.format].hasCellNames && column !== undefined
      ? `${columnLetters(column)}${row}`
      : `row ${row}`
  const text = value === undefined ? '' : quotedValue({ path, value }, style)
  return text === '' ? place : `${place} ${text}`
}

/** The content of a cell, in quotation marks; masked where it is sensitive. */
function quotedValue({ path, value }: Pick<RowFinding, 'path' | 'value'>, { reveal }: Display): string {
  const text = toText(value ?? '')
  if (text === '') return ''
  const names = path.split(/[.[\]]/)
  if (names.at(-1) === 'sortCode') return `"${cutText(maskAs('doubted sort code', text), 24)}"`
  const isHidden = !reveal && names.some(isSensitive)
  return isHidden ? mask(value ?? '') : `"${cutText(text, 24)}"`
}
