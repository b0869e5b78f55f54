import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import type { Style } from './style.ts'

/** Text in lines of at most `columns`, each after `indent`. A longer word stays whole, unless `hard`. */
export function wrapText(text: string, columns: number, indent = '', hard = false): string {
  const lines = wrapAnsi(text, Math.max(1, columns - widthOf(indent)), { hard }).split('\n')
  return lines.map((line) => indent + line).join('\n')
}

const segmenter = new Intl.Segmenter()

/** How many columns of a terminal a text takes: a CJK letter takes two, a combining mark none. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/** Whether a text that ends with a line break fits into so many lines of a terminal, which breaks a long line. */
export function fitsInto(rows: number, columns: number, text: string): boolean {
  const lines = text.split('\n').slice(0, -1)
  if (lines.length > rows) return false
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0) <= rows
}

/**
 * The text, or as much of its beginning as leaves room for the mark that says it was cut. Half of an amount
 * would be read as another one, so it is left out.
 */
export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const [firstLine = ''] = breakText(text, columns - 1)
  const isInside = /^[\d.]/.test(text.slice(firstLine.length))
  return `${isInside ? firstLine.replace(/(?<= )[\d.]+$/, '') : firstLine}…`
}

/** The text in pieces that fit, between letters as a reader sees them. */
function breakText(text: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    const own = widthOf(segment)
    if (piece !== '' && width + own > columns) {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += segment
    width += own
  }
  return [...pieces, piece]
}

/** A narrower column is not worth breaking a value for: it goes beneath its label. */
const narrowest = 20

/** The lines of a label and its values. One that does not fit is broken between words, or goes beneath its label. */
export function putBeside(
  label: string,
  values: readonly string[],
  { labels, screen }: { readonly labels: number; readonly screen: number | undefined },
  style: Style,
): string[] {
  const room = screen === undefined ? Number.POSITIVE_INFINITY : screen - labels - 4
  const isWide = (text: string) => widthOf(text) > room
  const isSplit = values.some((value) => value.split(/\s/).some(isWide))
  if (screen !== undefined && values.some(isWide) && (isSplit || room < narrowest)) {
    const above = wrapText(label, screen, '  ', true).split('\n')
    return [
      ...above.map((line) => style.dim(line)),
      ...values.flatMap((value) => wrapText(value, screen, '      ', true).split('\n')),
    ]
  }
  const lines = values.flatMap((value) => (isWide(value) ? wrapText(value, room).split('\n') : [value]))
  const [first = '', ...rest] = lines
  const margin = ' '.repeat(labels + 4)
  const padding = ' '.repeat(Math.max(0, labels - widthOf(label)))
  return [`  ${style.dim(label + padding)}  ${first}`, ...rest.map((line) => margin + line)]
}
