import type { Style } from './style.ts'
import { padToWidth, widthOf, wrapText } from './wrap-text.ts'

/** Where values stand. */
export interface Columns {
  /** The widest label. */
  readonly labels: number
  /** All columns of the screen; undefined where the text goes elsewhere, and is not broken. */
  readonly screen: number | undefined
}

/** A narrower column is not worth breaking a value for: it goes beneath its label. */
const narrowest = 20

/**
 * The lines of a label and its values, each value on lines of its own. Where the screen is too narrow, a value is broken between
 * words, or goes beneath its label; a word breaks only if no line can hold it.
 */
export function beside(
  label: string,
  values: readonly string[],
  { labels, screen }: Columns,
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
  return [`  ${style.dim(padToWidth(label, labels))}  ${first}`, ...rest.map((line) => margin + line)]
}
