import type { Context } from '../../../context/context.ts'
import { columnLetters } from '../../../formats/column-letters.ts'
import { grouped, plural } from '../../../formats/words.ts'
import type { Plan } from '../../../import/plan-import.ts'
import type { RowSource } from '../../../import/reading/open-source.ts'
import type { Remark, RemarkGroup, Remarks } from '../../../import/rows/remarks.ts'
import { cell } from '../../../render/text/format-cell.ts'
import { isSensitive, mask } from '../../../render/text/mask.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { cut } from '../../../render/text/width.ts'
import { wrapText } from '../../../render/text/wrap-text.ts'
import { countsOf } from './row-counts.ts'

/** Lines that a screen needs for what follows: the error or the question, and what to type next. */
const rest = 5
/** Lines that are kept for a section which comes later. */
const kept = 3
const usualHeight = 24
/** Less would show no problem at all. */
const leastLines = 8

/** What would happen, as a person reads it, on one screen: how many rows are ready, and what is wrong with which cells. */
export function previewLines(
  { options }: Context,
  given: string,
  format: RowSource['format'],
  { file, ready, doubted, notes }: Plan,
  screen: { readonly columns?: number; readonly rows?: number },
): string[] {
  const width = screen.columns || 80
  const { there, before, elsewhere } = countsOf(file)
  const counts: readonly (readonly [number, string])[] = [
    [ready, 'ready'],
    [file.heldBack.size, 'to put right'],
    [
      doubted,
      `doubtful: ${doubted === 1 ? 'it is' : 'they are'} ready, but look at ${doubted === 1 ? 'it' : 'them'} first`,
    ],
    [there, 'already on the service'],
    [before, 'created by an earlier run'],
    [elsewhere, 'left to another run'],
    [file.doubtful.size, 'to look for on the service'],
  ]
  const shown = counts.filter(([count], at) => at === 0 || count > 0)
  const digits = Math.max(...shown.map(([count]) => grouped(count).length))
  const lines = [
    `${given}, ${plural(file.rows, 'row')}:`,
    ...shown.map(([count, says]) => `  ${grouped(count).padStart(digits)}  ${says}`),
  ]
  let room = Math.max((screen.rows || usualHeight) - rest - lines.length, leastLines)
  const others = file.notes.length + notes.count
  const [afterInvalid, afterDoubtful] = [file.warnings.count + others, others].map((count) =>
    count > 0 ? kept : 0,
  )
  const aside = file.notes.map((remark) => ({ count: 1, remarks: [remark] }))
  addSection('To put right:', file.invalid, afterInvalid)
  addSection('Doubtful:', file.warnings, afterDoubtful)
  addSection('Also:', { groups: [...aside, ...notes.groups], count: others })
  // Names of files and columns come from outside.
  return lines.map(safeText)

  /** As much of a section as fits; `later`: the lines that the next ones need. */
  function addSection(title: string, { groups, count }: Pick<Remarks, 'groups' | 'count'>, later = 0): void {
    if (count === 0) return
    const own: string[] = []
    let left = count
    for (const group of groups) {
      const next = linesOf(group)
      const isLast = left === group.count
      if (own.length + next.length + (isLast ? 2 : 3) > room - later) break
      own.push(...next)
      left -= group.count
    }
    if (left > 0) own.push(`  … and ${grouped(left)} more; --json lists the first hundred`)
    lines.push('', title, ...own)
    room -= own.length + 2
  }

  /** What is wrong, and in which cells. */
  function linesOf({ count, remarks }: RemarkGroup): string[] {
    const [first] = remarks
    if (!first) return []
    const { message, cause, column, path, row } = first
    const says = count === 1 ? message : (cause ?? message)
    const about = column === undefined && path !== '' && !cause ? `${path}: ${says}` : says
    const where = row === 0 ? '' : `: ${placesOf(count, remarks)}`
    return wrapText(about + where, width - 2, '    ')
      .replace('    ', '  ')
      .split('\n')
  }

  /** As many cells as fit a line, with what stands in them. */
  function placesOf(count: number, remarks: readonly Remark[]): string {
    let text = ''
    let named = 0
    for (const remark of remarks) {
      const next = `${text}${text && ', '}${placeOf(remark)}`
      if (named > 0 && next.length > width - 24) break
      text = next
      named += 1
    }
    return named < count ? `${text} … and ${grouped(count - named)} more` : text
  }

  function placeOf({ row, column, path, value }: Remark): string {
    const place = format === 'xlsx' && column !== undefined ? `${columnLetters(column)}${row}` : `row ${row}`
    const text = value === undefined ? '' : cell(value)
    if (text === '') return place
    const isHidden = !options.reveal && path.split(/[.[\]]/).some(isSensitive)
    return `${place} ${isHidden ? mask(value) : `"${cut(text, 24)}"`}`
  }
}
