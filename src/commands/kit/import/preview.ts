import type { Context } from '../../../context/context.ts'
import { columnLetters } from '../../../files/formats/column-letters.ts'
import type { ShownColumn } from '../../../files/table/file-columns.ts'
import type { RowSource } from '../../../files/table/open-source.ts'
import { readFormats } from '../../../files/table/read-formats.ts'
import { bankDetails, type PlannedChange } from '../../../import/change-tally.ts'
import type { Remark, RemarkGroup } from '../../../import/findings.ts'
import type { ImportJob } from '../../../import/job.ts'
import {
  canBeSent,
  countsOf,
  doubtfulIn,
  heldGroups,
  isHeldForBank,
  type Plan,
} from '../../../import/plan.ts'
import { inRecords, planLines } from '../../../import/row-fates.ts'
import { isSensitive } from '../../../model/fields/sensitive.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { headingFor } from '../../../model/values/read-heading.ts'
import { screenWidth } from '../../../render/text/fold-message.ts'
import { cell } from '../../../render/text/format-field.ts'
import { mask } from '../../../render/text/mask.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { cut, widthOf, wrapText } from '../../../render/text/wrap-text.ts'
import { maskAs } from '../../../secrets.ts'
import { groupBy } from '../../../text/group-by.ts'
import { groupDigits, plural } from '../../../text/words.ts'

const rest = 5
const errorLines = 4
/** The most lines that are kept free for a section which comes later. */
const shownGroups = 4
const usualHeight = 24
const leastLines = 8

/** Remarks with one cause, and a short line for a screen without room. */
interface PreviewGroup extends RemarkGroup {
  readonly short?: string
}

const alone = (message: string, short: string): PreviewGroup => ({
  count: 1,
  remarks: [{ row: 0, path: '', message }],
  short,
})

interface Section {
  readonly title: string
  readonly groups: readonly PreviewGroup[]
  readonly count: number
  /** The most lines that are kept free for it where the screen has no room for all. */
  readonly least?: number | undefined
}

interface Preview {
  /** The screen: how many rows are ready, and which cells are wrong. */
  readonly lines: readonly string[]
  /** Everything that was found, by row; empty where the screen shows it all. */
  readonly findings: readonly string[]
  readonly below: number
}

interface Display {
  readonly width: number
  readonly format: RowSource['format']
  readonly type: RecordType | undefined
  readonly reveal: boolean
}

/** The preview of a plan. `whereAll` says in its last line where to see what did not fit. */
export function previewOf(
  { reveal }: Context,
  { typedFile, source, service, sendsReadyOnly }: ImportJob,
  plan: Plan,
  screen: { readonly columns?: number | undefined; readonly rows?: number | undefined },
  whereAll: string,
): Preview {
  const { format, shown = [] } = source
  const style: Display = { width: screenWidth(screen), format, type: service.create.requestRecord, reveal }
  const isRefused = !canBeSent(plan, sendsReadyOnly)
  const counts = countLines(typedFile, source, plan, service.kind.noun, style)
  const columns = columnLines(shown, reveal)
  const found = sectionsOf(plan, style)
  const below = rest + (isRefused ? errorLines : 0)
  const room = Math.max((screen.rows || usualHeight) - below - counts.length, leastLines)
  const isTight = found.reduce((sum, { groups }) => sum + groups.length + 2, 0) + columns.length + 2 > room
  // Findings need the screen first; and where rows are wrong nothing is sent, whatever the columns fill.
  const hasColumns = columns.length > 0 && !(isTight && isRefused)
  const about = {
    title: 'Columns:',
    groups: columns.map((line) => alone(line, line)),
    count: columns.length,
    least: isTight && found.length > 0 ? 1 : undefined,
  }
  const sections = hasColumns ? [...found, about] : found
  const { lines, isCut } = fitSections(sections, room, style, whereAll)
  // Names of files and columns come from outside.
  return {
    lines: [...counts, ...lines].map(safeText),
    findings: isCut ? [...sections.flatMap((section) => findingLines(section, style)), ''].map(safeText) : [],
    below: below - 1,
  }
}

function columnLines(shown: readonly ShownColumn[], reveal: boolean): readonly string[] {
  const nameOf = ({ letters, name }: ShownColumn) => `${letters} ${name}`
  const width = Math.max(0, ...shown.map((column) => nameOf(column).length))
  return shown.map((column) => {
    const sum = isHidden(column, reveal) ? undefined : column.sum
    const left = column.count > 0 && sum !== undefined ? `not imported: ${leftOut(column)}` : 'not imported'
    const first = column.first === '' ? '' : ` (${firstValue(column, reveal)})`
    return `${nameOf(column).padEnd(width)} → ${column.field ?? left}${first}`
  })
}

/** `4 hours in 2 rows`: what is in a column of numbers that is not imported. */
export function leftOut({ name, sum = 0, count }: ShownColumn): string {
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
      const who = plural(count, noun === 'people' ? 'person' : noun.replace(/s$/, ''))
      return count === 0 ? [] : [`${field}: ${who}${isBank ? ' (held back)' : ''}`]
    })
    .join('; ')
}

function countLines(
  given: string,
  { total }: RowSource,
  plan: Plan,
  noun: string,
  { width }: Display,
): string[] {
  const [counts, rowsOf, warned] = [countsOf(plan), countsOf(plan, 'rows'), doubtfulIn(plan)]
  const changesPeople = counts.change + counts.unchanged + counts.updatedEarlier + counts.held > 0
  const doubtful =
    warned.rows === 1 ? 'it is ready, but look at it first' : 'they are ready, but look at them first'
  const lines = planLines(rowsOf, counts, noun).flatMap(
    ({ name, count, says, records }): [number, string][] => {
      if (name === 'create') return [[count, (changesPeople ? says : 'ready') + records]]
      return name === 'invalid'
        ? [
            [count, says],
            [warned.rows, `doubtful${inRecords(warned.rows, warned.records, noun)}: ${doubtful}`],
          ]
        : [[count, says + records]]
    },
  )
  const used = lines.filter(([count], at) => (at === 0 && !changesPeople) || count > 0)
  const digits = Math.max(...used.map(([count]) => groupDigits(count).length))
  return [
    `${given}, ${plural(plan.rows, 'row')}:`,
    ...(total === undefined ? [] : wrapText(total, width, '  ').split('\n')),
    ...(plan.notCompared === undefined ? [] : wrapText(plan.notCompared, width, '  ').split('\n')),
    ...used.map(([count, says]) => `  ${groupDigits(count).padStart(digits)}  ${says}`),
    ...(plan.changes.fields.length > 0
      ? wrapText(`Changes: ${fieldCounts(plan)}`, width, '  ').split('\n')
      : []),
  ]
}

function sectionsOf(plan: Plan, style: Display): readonly Section[] {
  const { wrong, doubts, notes, changes } = plan
  const entries = [...plan.entries.values()]
  const heldForBank = entries.filter(isHeldForBank).length
  const groupsOf = (remarks: readonly Remark[]) => remarks.map((remark) => ({ count: 1, remarks: [remark] }))
  return [
    {
      // A row that is held back for its bank details is named here, and not again under `Held back`.
      title: `Bank details change${heldForBank > 0 ? ' only with --bank: held back' : ''}${style.reveal ? '' : ' (--reveal shows them whole)'}:`,
      groups: bankGroups(changes.bank, style),
      count: changes.bankRecords,
    },
    { title: 'Hours:', groups: groupsOf(changes.lines), count: changes.lines.length },
    {
      title: 'Held back:',
      groups: heldGroups(entries.filter((entry) => !isHeldForBank(entry))),
      count: countsOf(plan).held - heldForBank,
    },
    { title: 'To put right:', groups: wrong.groups, count: wrong.count },
    { title: 'Doubtful:', groups: doubts.groups, count: doubts.count },
    { title: 'Also:', groups: notes.groups, count: notes.count },
  ].filter(({ count }) => count > 0)
}

function fitSections(
  sections: readonly Section[],
  whole: number,
  style: Display,
  whereAll: string,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const lines: string[] = []
  let [room, isCut] = [whole, false]
  // An empty line before each section, where the screen has room.
  const gap = sections.length * 4 > room ? 0 : 1
  for (const [at, section] of sections.entries()) {
    const later = sections
      .slice(at + 1)
      .reduce((sum, { groups, least = shownGroups }) => sum + 1 + gap + Math.min(groups.length, least), 0)
    addSection(section, room - later)
  }
  return { lines, isCut }

  /** Adds a section: at least one line for each cause, the rarest first. Room that is left shows more of them whole. */
  function addSection({ title, groups, count }: Section, most: number): void {
    const own: string[] = []
    let left = count
    for (const [at, group] of groups.entries()) {
      const others = groups.length - at - 1
      const free = most - 1 - gap - own.length
      const all = groupLines(group, style)
      // The last group may take just the line that would otherwise say that there is one more.
      if (at > 0 && others > 0 && free < 2) break
      const fits = all.length === 1 || all.length + others <= free
      own.push(...(fits ? all : [shortLine(group, all, style)]))
      isCut ||= !fits || (group.remarks[0]?.row !== 0 && !placesOf(group, style).isWhole)
      left -= group.count
    }
    isCut ||= left > 0
    if (left > 0) own.push(`  … and ${groupDigits(left)} more, ${whereAll}`)
    lines.push(...Array<string>(gap).fill(''), title, ...own)
    room -= own.length + 1 + gap
  }
}

function findingLines({ title, groups, count }: Section, style: Display): string[] {
  const remarks = groups.flatMap((group) => group.remarks).sort((one, other) => one.row - other.row)
  const left = count - remarks.length
  return [
    '',
    title,
    ...remarks.flatMap((remark) => foldFinding(findingText(remark, style), style)),
    ...(left > 0 ? [`  … and ${groupDigits(left)} more`] : []),
  ]
}

const foldFinding = (text: string, { width }: Display) =>
  wrapText(text, width - 2, '    ')
    .replace('    ', '  ')
    .split('\n')

function findingText(remark: Remark, style: Display): string {
  const { row, column, path, message, cause } = remark
  if (row === 0) return path === '' ? message : `${path}: ${message}`
  const text = remark.value === undefined ? '' : valueText(remark, style)
  const where = column === undefined && path !== '' && !cause ? `${fieldName(path, style)}: ` : ''
  return `row ${row}: ${where}${message}${text && `: ${text}`}`
}

function fieldName(path: string, { format, type }: Display): string {
  return type && readFormats[format].isTable ? headingFor(type, path) : path
}

function bankGroups(bank: readonly PlannedChange[], style: Display): PreviewGroup[] {
  return [...groupBy(bank, ({ row }) => String(row)).values()].map((changes) => {
    const [{ name = '', reference = '' } = {}] = changes
    const whose = `${name || reference} (${reference}):`
    const whole = changes.map((change) => `${change.field} ${oldAndNew(change, style)}`)
    return alone(`${whose} ${whole.join(', ')}`, shortBankLine(whose, changes, style))
  })
}

/** As many changed fields as fit into a line, and how many more there are. */
function shortBankLine(whose: string, changes: readonly PlannedChange[], style: Display): string {
  const fields = changes
    .map((change) => `${change.field} ${oldAndNew(change, style, true)}`)
    // Fields whose difference is seen come before those that are hidden whole.
    .sort((one, other) => Number(one.endsWith(')')) - Number(other.endsWith(')')))
  const lineOf = (count: number) => {
    const left = fields.length - count
    return `${whose} ${[...fields.slice(0, count), ...(left > 0 ? [`${left} more`] : [])].join(', ')}`
  }
  const counts = fields.map((_, at) => fields.length - at)
  const most = counts.find((count) => widthOf(lineOf(count)) <= style.width - 2)
  return most === undefined ? `${whose} ${changes.map(({ field }) => field).join(', ')}` : lineOf(most)
}

function oldAndNew({ path, from, to }: PlannedChange, { reveal }: Display, isShort = false): string {
  const texts = [from, to].map((value) => (value === null || value === undefined ? '' : cell(value)))
  const isHidden = !reveal && path.split('.').some(isSensitive)
  const shown = texts.map((text) => (text === '' ? '(empty)' : isHidden ? mask(text) : text))
  const [old, now] = isShort ? withoutSame(shown) : shown
  if (shown[0] !== shown[1]) return `${old} → ${now}`
  return isShort ? `(${howMuchDiffers(texts)})` : `${old} → ${now} (${howMuchDiffers(texts)})`
}

function shortLine({ short }: PreviewGroup, [first = '']: readonly string[], { width }: Display): string {
  return short === undefined ? `${cut(first, width - 2)} …` : `  ${cut(short, width - 2)}`
}

function groupLines({ count, remarks }: RemarkGroup, style: Display): string[] {
  const [first] = remarks
  if (!first) return []
  const { message, cause, column, path, row } = first
  const says = count === 1 ? message : (cause ?? message)
  const about = column === undefined && path !== '' && !cause ? `${fieldName(path, style)}: ${says}` : says
  const where = row === 0 ? '' : `: ${placesOf({ count, remarks }, style).text}`
  return foldFinding(about + where, style)
}

function placesOf(
  { count, remarks }: RemarkGroup,
  style: Display,
): { readonly text: string; readonly isWhole: boolean } {
  let text = ''
  let named = 0
  for (const remark of remarks) {
    const next = `${text}${text && ', '}${remarkPlace(remark, style)}`
    if (named > 0 && next.length > style.width - 24) break
    text = next
    named += 1
  }
  return named < count
    ? { text: `${text} … and ${groupDigits(count - named)} more`, isWhole: false }
    : { text, isWhole: true }
}

function remarkPlace({ row, column, path, value, record }: Remark, style: Display): string {
  if (record !== undefined) return `row ${row} (${record})`
  const place =
    readFormats[style.format].hasCellNames && column !== undefined
      ? `${columnLetters(column)}${row}`
      : `row ${row}`
  const text = value === undefined ? '' : valueText({ path, value }, style)
  return text === '' ? place : `${place} ${text}`
}

/** The content of a cell, in quotation marks; masked where it is sensitive. */
function valueText({ path, value }: Pick<Remark, 'path' | 'value'>, { reveal }: Display): string {
  const text = cell(value ?? '')
  if (text === '') return ''
  const names = path.split(/[.[\]]/)
  if (names.at(-1) === 'sortCode') return `"${cut(maskAs('doubted sort code', text), 24)}"`
  const isHidden = !reveal && names.some(isSensitive)
  return isHidden ? mask(value ?? '') : `"${cut(text, 24)}"`
}

/** How many of the equal characters stay on each side of a difference. */
const leftOfSame = 4

/** Two texts without most of their equal beginning and end, and without a mask's stars: `…6819`, `…6818`. */
function withoutSame([one = '', other = '']: readonly string[]): readonly string[] {
  const most = Math.min(one.length, other.length)
  let [start, end] = [0, 0]
  while (start < most && one[start] === other[start]) start += 1
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [from = 0, to = 0] = [start, end].map((same) => (same > 2 * leftOfSame ? same - leftOfSame : 0))
  return [one, other].map((text) => {
    const middle = text.slice(from, text.length - to).replace(/^\*+/, '')
    return `${middle.length + to < text.length ? '…' : ''}${middle}${to > 0 ? '…' : ''}`
  })
}

/** Says how much two values differ whose masks are the same. */
function howMuchDiffers([one = '', other = '']: readonly string[]): string {
  if (one.length !== other.length) return 'of another length'
  const count = [...one].filter((letter, at) => letter !== other[at]).length
  return `${count} of ${one.length} ${count === 1 ? 'differs' : 'differ'}`
}
