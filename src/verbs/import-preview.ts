import type { Context } from '../context/context.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { grouped, plural } from '../formats/words.ts'
import type { Entry } from '../import/ledger.ts'
import { isReady } from '../import/plan.ts'
import type { Plan } from '../import/plan-import.ts'
import { type Remark, type RemarkGroup, tallyRemarks } from '../import/remarks.ts'
import type { Json } from '../json/path.ts'
import { cell } from '../render/text/format-field.ts'
import { isSensitive, mask } from '../render/text/mask.ts'
import { safeText } from '../render/text/safe-text.ts'
import { cut, wrapText } from '../render/text/wrap-text.ts'
import { maskAs } from '../secrets.ts'
import type { RowSource } from '../table/open-source.ts'
import { readFormats } from '../table/read-formats.ts'
import { countsOf, fieldCounts } from './import-words.ts'

/** Lines that a screen needs for what follows: the error or the question, and what to type next, with the prompt. */
const rest = 5
/** The lines of an error about rows that are wrong: what can be done, with a command of two lines for each way. */
const errorLines = 4
/** So many kinds have a line of a section which comes later. */
const shownGroups = 4
const usualHeight = 24
/** Less would show no problem at all. */
const leastLines = 8

/** Why rows are held back, each cause once. */
function heldGroups(entries: Iterable<Entry>): RemarkGroup[] {
  const tally = tallyRemarks()
  for (const { row, name, change } of entries) {
    if (change?.state !== 'held') continue
    // Bank details are named above, by name.
    for (const issue of change.issues.slice(0, 1)) tally.add({ row, ...issue, value: name })
  }
  return [...tally.end().groups]
}

const alone = (message: string): RemarkGroup => ({ count: 1, remarks: [{ row: 0, path: '', message }] })

interface Section {
  readonly title: string
  readonly groups: readonly RemarkGroup[]
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

/** What would happen. `whereAll`: where everything is that the screen has no room for, as its last line says. */
export function previewOf(
  { options }: Context,
  given: string,
  format: RowSource['format'],
  plan: Plan,
  screen: { readonly columns?: number; readonly rows?: number },
  whereAll: string,
): Preview {
  const { file, ready, warned, notes, referenceConflicts, changes } = plan
  const width = screen.columns || 80
  const { there, before, elsewhere, toChange, equal, changedBefore, held, left } = countsOf(file)
  // The heading counts rows, and a timesheet may be several.
  const readyRows = [...file.entries.values()]
    .filter(isReady)
    .reduce((rows, { rowCount = 1 }) => rows + rowCount, 0)
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
      title: `Bank details change${options.reveal ? '' : ' (--reveal shows them whole)'}:`,
      groups: bankGroups(changes.bank),
      count: changes.bankRecords,
    },
    { title: 'Held back:', groups: heldGroups(file.entries.values()), count: held },
    { title: 'To put right:', groups: file.invalid.groups, count: file.invalid.count },
    {
      title: 'Doubtful:',
      groups: [...(other ?? []), ...file.warnings.groups],
      count: referenceConflicts.length + file.warnings.count,
    },
    { title: 'Also:', groups: [...(aside ?? []), ...notes.groups], count: file.notes.length + notes.count },
  ].filter(({ count }) => count > 0)
  const below = rest + (file.invalidRows.size > 0 ? errorLines : 0)
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
    const { row, column, path, message } = remark
    if (row === 0) return path === '' ? message : `${path}: ${message}`
    const text = remark.value === undefined ? '' : valueText(remark)
    const where = column === undefined && path !== '' ? `${path}: ` : ''
    return `row ${row}: ${where}${message}${text && `: ${text}`}`
  }

  /** One line for each person, old beside new. */
  function bankGroups(bank: Plan['changes']['bank']): RemarkGroup[] {
    const byRow = new Map<number, string[]>()
    for (const { row, reference, name, field, path, from, to } of bank) {
      const words = byRow.get(row) ?? [`${name || reference} (${reference}):`]
      byRow.set(row, [
        ...words,
        `${words.length > 1 ? ', ' : ' '}${field} ${shown(path, from)} → ${shown(path, to)}`,
      ])
    }
    return [...byRow.values()].map((words) => alone(words.join('')))
  }

  function shown(path: string, value: Json): string {
    const text = value === null || value === undefined ? '' : cell(value)
    if (text === '') return '(empty)'
    const isHidden = !options.reveal && path.split('.').some(isSensitive)
    return isHidden ? mask(text) : text
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
      own.push(...(fits ? whole : [`${cut(whole[0] ?? '', width - 2)} …`]))
      isCut ||= !fits || (group.remarks[0]?.row !== 0 && !placesOf(group).isWhole)
      left -= group.count
    }
    isCut ||= left > 0
    if (left > 0) own.push(`  … and ${grouped(left)} more, ${whereAll}`)
    lines.push(...Array<string>(gap).fill(''), title, ...own)
    room -= own.length + 1 + gap
  }

  /** What is wrong, and in which cells. */
  function linesOf({ count, remarks }: RemarkGroup): string[] {
    const [first] = remarks
    if (!first) return []
    const { message, cause, column, path, row } = first
    const says = count === 1 ? message : (cause ?? message)
    const about = column === undefined && path !== '' && !cause ? `${path}: ${says}` : says
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
