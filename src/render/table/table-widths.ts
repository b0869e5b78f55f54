import { widthOf } from '../text/width.ts'

export const gap = 2

/** A column narrower than this is useless; a date and most amounts always fit. */
export const leastColumn = 10

/** The first column and an id name the row, and are useless when cut: a UUID has 36 letters. */
const longestName = 40

/** Rather than cut a sentence below this, the last column is left out. */
const leastProse = 16

/** A longer word is cut as a sentence is; in the first column, which names the row, an even longer one. */
const longestWord = 44
const longestFirst = 64

/** Below this a table of several columns is no help. */
const leastTable = 60

/** What is to be fitted: the columns by their paths, what stands above them, and in them. */
export interface Grid {
  readonly columns: readonly string[]
  readonly labels: readonly string[]
  readonly cells: readonly (readonly string[])[]
}

/**
 * How wide each column is on a terminal; undefined where they cannot be read side by side. With `mayDrop`, the last
 * columns have no width: they are left out, and the table is as wide as the terminal allows. Labels go over several
 * lines before anything is cut or left out.
 */
export function widthsWithin(width: number, grid: Grid, mayDrop: boolean): readonly number[] | undefined {
  const { columns, labels, cells } = grid
  const content = columns.map((_, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0),
  )
  const broad = content.map((own, at) => Math.max(own, widthOf(labels[at] ?? '')))
  if (fits(broad, width)) return broad
  const narrow = content.map((own, at) => Math.max(own, ...(labels[at] ?? '').split(' ').map(widthOf)))
  if (fits(narrow, width)) return spread(narrow, labels, width)
  if (!mayDrop || width < leastTable) return cutNames(columns, narrow, width)
  const isLong = narrow.map((own, at) => {
    const isProse = cells.some((row) => isSentence(row[at] ?? ''))
    return isProse || own > (at === 0 ? longestFirst : longestWord)
  })
  for (let count = columns.length; count > 0; count--) {
    const first = narrow.slice(0, count)
    for (let most = width; most >= leastProse; most--) {
      const cut = first.map((own, at) => (isLong[at] ? Math.min(own, most) : own))
      const free = labels.map((label, at) => (isLong[at] ? '' : label))
      if (fits(cut, width)) return spread(cut, free, width)
    }
  }
  return undefined
}

/** Text of several words, which is still of use when it is cut. A date is not. */
const isSentence = (text: string) => / /.test(text) && !/^\d{1,2} [A-Z][a-z]{2} \d{4}/.test(text)

/** All columns side by side, with the widest cut, but for those that name a row. */
function cutNames(columns: readonly string[], wanted: readonly number[], width: number) {
  const names = columns.map((path, at) => at === 0 || /(^|\.)id$/i.test(path))
  for (let most = Math.max(leastColumn, width); most >= leastColumn; most--) {
    const within = wanted.map((own, at) => Math.min(own, names[at] ? Math.max(most, longestName) : most))
    if (fits(within, width)) return within
  }
  return undefined
}

/** The room that is left goes to the labels, from the first on: to two lines each, and then to one. */
function spread(narrow: readonly number[], labels: readonly string[], width: number): number[] {
  const widths = [...narrow]
  for (const wanted of [halfOf, widthOf]) {
    for (const [at, before] of narrow.entries()) {
      const old = widths[at] ?? before
      widths[at] = Math.max(old, wanted(labels[at] ?? ''))
      if (!fits(widths, width)) widths[at] = old
    }
  }
  return widths
}

/** How wide a label is on two lines. */
function halfOf(label: string): number {
  const words = label.split(' ')
  const lines = words.map((_, at) =>
    [words.slice(0, at), words.slice(at)].map((part) => widthOf(part.join(' '))),
  )
  return Math.min(...lines.map((both) => Math.max(...both)))
}

function fits(widths: readonly number[], width: number): boolean {
  return widths.reduce((sum, own) => sum + own + gap, -gap) <= width
}
