import type { RecordType } from '../api/contract/records/record-type.ts'
import type { Context } from '../context/context.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { grouped, plural } from '../formats/words.ts'
import type { PlannedChange } from '../import/change-tally.ts'
import { isReady } from '../import/plan.ts'
import type { Plan } from '../import/plan-import.ts'
import type { Remark, RemarkGroup } from '../import/remarks.ts'
import type { Json } from '../json/path.ts'
import { screenWidth } from '../render/text/fold-message.ts'
import { cell } from '../render/text/format-field.ts'
import { isSensitive, mask } from '../render/text/mask.ts'
import { safeText } from '../render/text/safe-text.ts'
import { cut, widthOf, wrapText } from '../render/text/wrap-text.ts'
import { maskAs } from '../secrets.ts'
import type { RowSource } from '../table/open-source.ts'
import { readFormats } from '../table/read-formats.ts'
import { headingFor } from '../values/read-heading.ts'
import { countsOf, fieldCounts, heldGroups, isHeldForBank } from './import-words.ts'

/** Lines that a screen needs for what follows: the error or the question, and what to type next, with the prompt. */
const rest = 5
/** The lines of an error about rows that are wrong: what can be done, with a command of two lines for each way. */
const errorLines = 4
/** So many kinds have a line of a section which comes later. */
const shownGroups = 4
const usualHeight = 24
/** Less would show no problem at all. */
const leastLines = 8

/** Remarks with one cause, and the line that says it where the screen has no room for all of it. */
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
}

/** What would happen, as a person reads it. */
interface Preview {
  /** On one screen: how many rows are ready, and what is wrong with which cells. */
  readonly lines: readonly string[]
  /** Everything that was found, the row first; none where the screen has room for all of it. */
  readonly findings: readonly string[]
  /** How many lines follow: the error or the question. */
  readonly below: number
}

interface Screen {
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** Whether an error about the rows that are wrong follows. */
  readonly isRefused: boolean
}

/** What would happen. `whereAll`: where everything is that the screen has no room for, as its last line says. */
export function previewOf(
  { options }: Context,
  given: string,
  { format }: Pick<RowSource, 'format'>,
  type: RecordType | undefined,
  plan: Plan,
  screen: Screen,
  whereAll: string,
): Preview {
  const { file, ready, warned, notes, referenceConflicts, changes } = plan
  const width = screenWidth(screen)
  const { there, before, elsewhere, toChange, equal, changedBefore, held, left } = countsOf(file)
  const entries = [...file.entries.values()]
  const heldForBank = entries.filter(isHeldForBank).length
  // The heading counts rows, and a timesheet may be several.
  const readyRows = entries.filter(isReady).reduce((rows, { rowCount = 1 }) => rows + rowCount, 0)
  const changesPeople = toChange + equal + changedBefore + held > 0
  const counts: readonly (readonly [number, string])[] = [
    [
      readyRows,
      changesPeople ? 'to create' : readyRows === ready ? 'ready' : `ready, in ${plural(ready, 'record')}`,
    ],
    [toChange, 'to change'],
    [equal, 'already as the file says'],
    [changedBefore, 'changed by an earlier run'],
    [held, 'held back'],
    [file.invalidRows.size, 'to put right'],
    [
      warned,
      `doubtful: ${warned === 1 ? 'it is' : 'they are'} ready, but look at ${warned === 1 ? 'it' : 'them'} first`,
    ],
    [there - referenceConflicts.length, 'already on the service'],
    [referenceConflicts.length, 'not created: the reference is of another person on the service'],
    [before, 'created by an earlier run'],
    [elsewhere, 'left to another run'],
    [left, 'in doubt, left so by hand'],
    [file.doubtful.size, 'to look for on the service'],
  ]
  const used = counts.filter(([count], at) => (at === 0 && !changesPeople) || count > 0)
  const digits = Math.max(...used.map(([count]) => grouped(count).length))
  const lines = [
    `${given}, ${plural(file.rows, 'row')}:`,
    ...used.map(([count, says]) => `  ${grouped(count).padStart(digits)}  ${says}`),
    ...(changes.fields.length > 0 ? wrapText(`Changes: ${fieldCounts(plan)}`, width, '  ').split('\n') : []),
  ]
  const [other, aside] = [referenceConflicts, file.notes].map((remarks) =>
    remarks.map((remark) => ({ count: 1, remarks: [remark] })),
  )
  const sections: readonly Section[] = [
    {
      // Such a row is named here, by its person, and not among the held ones again.
      title: `Bank details change${heldForBank > 0 ? ' only with --bank: held back' : ''}${options.reveal ? '' : ' (--reveal shows them whole)'}:`,
      groups: bankGroups(changes.bank),
      count: changes.bankRecords,
    },
    {
      title: 'Held back:',
      groups: heldGroups(entries.filter((entry) => !isHeldForBank(entry))),
      count: held - heldForBank,
    },
    { title: 'To put right:', groups: file.invalid.groups, count: file.invalid.count },
    {
      title: 'Doubtful:',
      groups: [...(other ?? []), ...file.warnings.groups],
      count: referenceConflicts.length + file.warnings.count,
    },
    { title: 'Also:', groups: [...(aside ?? []), ...notes.groups], count: file.notes.length + notes.count },
  ].filter(({ count }) => count > 0)
  const below = rest + (screen.isRefused ? errorLines : 0)
  let room = Math.max((screen.rows || usualHeight) - below - lines.length, leastLines)
  // A title, what is wrong once, and how many more there are, below an empty line where there is room for it.
  const gap = sections.length * 4 > room ? 0 : 1
  let isCut = false
  for (const [at, section] of sections.entries()) {
    const later = sections
      .slice(at + 1)
      .reduce((sum, { groups }) => sum + 1 + gap + Math.min(groups.length, shownGroups), 0)
    addSection(section, room - later)
  }
  // Names of files and columns come from outside.
  return {
    lines: lines.map(safeText),
    findings: isCut ? [...sections.flatMap(findingsOf), ''].map(safeText) : [],
    below: below - 1,
  }

  /** A section whole, in the order of the file. */
  function findingsOf({ title, groups, count }: Section): string[] {
    const remarks = groups.flatMap((group) => group.remarks).sort((one, other) => one.row - other.row)
    const left = count - remarks.length
    return [
      '',
      title,
      ...remarks.flatMap((remark) =>
        wrapText(findingText(remark), width - 2, '    ')
          .replace('    ', '  ')
          .split('\n'),
      ),
      ...(left > 0 ? [`  … and ${grouped(left)} more`] : []),
    ]
  }

  function findingText(remark: Remark): string {
    const { row, column, path, message, cause } = remark
    if (row === 0) return path === '' ? message : `${path}: ${message}`
    const text = remark.value === undefined ? '' : valueText(remark)
    const where = column === undefined && path !== '' && !cause ? `${fieldName(path)}: ` : ''
    return `row ${row}: ${where}${message}${text && `: ${text}`}`
  }

  /** A field that no column has, as the headings of a table call it; the other formats have paths. */
  function fieldName(path: string): string {
    return type && readFormats[format].isTable ? headingFor(type, path) : path
  }

  /** One for each person, old beside new. */
  function bankGroups(bank: readonly PlannedChange[]): PreviewGroup[] {
    const byRow = new Map<number, PlannedChange[]>()
    for (const change of bank) byRow.set(change.row, [...(byRow.get(change.row) ?? []), change])
    return [...byRow.values()].map((changes) => {
      const [{ name = '', reference = '' } = {}] = changes
      const whose = `${name || reference} (${reference}):`
      const whole = changes.map(({ field, path, from, to }) => `${field} ${changeOf(path, from, to)}`)
      return alone(`${whose} ${whole.join(', ')}`, shortBankLine(whose, changes))
    })
  }

  /** As many fields as a line holds, each with what differs in it, and how many more there are. */
  function shortBankLine(whose: string, changes: readonly PlannedChange[]): string {
    const fields = changes
      .map(({ field, path, from, to }) => `${field} ${changeOf(path, from, to, true)}`)
      // What is seen to differ, before what is hidden whole.
      .sort((one, other) => Number(one.endsWith(')')) - Number(other.endsWith(')')))
    const lineOf = (count: number) => {
      const left = fields.length - count
      return `${whose} ${[...fields.slice(0, count), ...(left > 0 ? [`${left} more`] : [])].join(', ')}`
    }
    const counts = fields.map((_, at) => fields.length - at)
    const most = counts.find((count) => widthOf(lineOf(count)) <= width - 2)
    return most === undefined ? `${whose} ${changes.map(({ field }) => field).join(', ')}` : lineOf(most)
  }

  /** What a value was and what it is; `isShort`: without what is the same in both. */
  function changeOf(path: string, from: Json, to: Json, isShort = false): string {
    const texts = [from, to].map((value) => (value === null || value === undefined ? '' : cell(value)))
    const isHidden = !options.reveal && path.split('.').some(isSensitive)
    const shown = texts.map((text) => (text === '' ? '(empty)' : isHidden ? mask(text) : text))
    const [old, now] = isShort ? withoutSame(shown) : shown
    if (shown[0] !== shown[1]) return `${old} → ${now}`
    return isShort ? `(${howMuchDiffers(texts)})` : `${old} → ${now} (${howMuchDiffers(texts)})`
  }

  /** A line at least of each kind, the rarest first, as far as they fit; what is left of the room makes them whole. */
  function addSection({ title, groups, count }: Section, most: number): void {
    const own: string[] = []
    let left = count
    for (const [at, group] of groups.entries()) {
      const others = groups.length - at - 1
      const free = most - 1 - gap - own.length
      const whole = linesOf(group)
      // A last one takes no more than the line that would say that there is one more.
      if (at > 0 && others > 0 && free < 2) break
      const fits = whole.length === 1 || whole.length + others <= free
      own.push(...(fits ? whole : [shortOf(group, whole)]))
      isCut ||= !fits || (group.remarks[0]?.row !== 0 && !placesOf(group).isWhole)
      left -= group.count
    }
    isCut ||= left > 0
    if (left > 0) own.push(`  … and ${grouped(left)} more, ${whereAll}`)
    lines.push(...Array<string>(gap).fill(''), title, ...own)
    room -= own.length + 1 + gap
  }

  /** A line of it, where there is no room for all. */
  function shortOf({ short }: PreviewGroup, [first = '']: readonly string[]): string {
    return short === undefined ? `${cut(first, width - 2)} …` : `  ${cut(short, width - 2)}`
  }

  /** What is wrong, and in which cells. */
  function linesOf({ count, remarks }: RemarkGroup): string[] {
    const [first] = remarks
    if (!first) return []
    const { message, cause, column, path, row } = first
    const says = count === 1 ? message : (cause ?? message)
    const about = column === undefined && path !== '' && !cause ? `${fieldName(path)}: ${says}` : says
    const where = row === 0 ? '' : `: ${placesOf({ count, remarks }).text}`
    return wrapText(about + where, width - 2, '    ')
      .replace('    ', '  ')
      .split('\n')
  }

  /** As many cells as fit a line, with what stands in them. */
  function placesOf({ count, remarks }: RemarkGroup): { readonly text: string; readonly isWhole: boolean } {
    let text = ''
    let named = 0
    for (const remark of remarks) {
      const next = `${text}${text && ', '}${placeOf(remark)}`
      if (named > 0 && next.length > width - 24) break
      text = next
      named += 1
    }
    return named < count
      ? { text: `${text} … and ${grouped(count - named)} more`, isWhole: false }
      : { text, isWhole: true }
  }

  function placeOf({ row, column, path, value }: Remark): string {
    const place =
      readFormats[format].hasCellNames && column !== undefined
        ? `${columnLetters(column)}${row}`
        : `row ${row}`
    const text = value === undefined ? '' : valueText({ path, value })
    return text === '' ? place : `${place} ${text}`
  }

  /** What stands in a cell, in quotation marks; masked where it is sensitive. */
  function valueText({ path, value }: Pick<Remark, 'path' | 'value'>): string {
    const text = cell(value ?? '')
    if (text === '') return ''
    const names = path.split(/[.[\]]/)
    if (names.at(-1) === 'sortCode') return `"${cut(maskAs('doubted sort code', text), 24)}"`
    const isHidden = !options.reveal && names.some(isSensitive)
    return isHidden ? mask(value ?? '') : `"${cut(text, 24)}"`
  }
}

/** Of what two texts have in common at an end so many characters are left beside the difference. */
const leftOfSame = 4

/** Two texts without most of what is the same at their beginning and at their end, and without the stars of a mask: `…6819`, `…6818`. */
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

/** Of two values whose masks are the same, how much of them differs. */
function howMuchDiffers([one = '', other = '']: readonly string[]): string {
  if (one.length !== other.length) return 'of another length'
  const count = [...one].filter((letter, at) => letter !== other[at]).length
  return `${count} of ${one.length} ${count === 1 ? 'differs' : 'differ'}`
}
