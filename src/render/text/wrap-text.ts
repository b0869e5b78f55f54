import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/**
 * Text broken between words into lines of at most `columns`, each after `indent`. A word that is longer than a line
 * stays whole, unless `hard`. Colours take no columns.
 */
export function wrapText(text: string, columns: number, indent = '', hard = false): string {
  const lines = wrapAnsi(text, Math.max(1, columns - widthOf(indent)), { hard }).split('\n')
  return lines.map((line) => indent + line).join('\n')
}

const letters = new Intl.Segmenter()

/** How many columns of a terminal a text takes: a CJK letter takes two, a combining mark none. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/** The text with spaces behind it up to so many columns. */
export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** The text, or as much of its beginning as leaves room for the mark that says it was cut. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${broken(text, columns - 1)[0] ?? ''}…`
}

/** The text in pieces that fit, between letters as a reader sees them. */
export function broken(text: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const { segment } of letters.segment(text)) {
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

/**
 * A message as lines of a screen, broken between words. A command to be copied stays whole, on a line of its own if it has to:
 * the terminal breaks it, and what is copied has no break. `columns`: undefined where no terminal shows it.
 *
 * Letters are counted, not measured, because whatever says something needs this: no library is loaded for it.
 */
export function foldMessage(text: string, columns: number | undefined): string {
  if (!columns || text.length <= columns) return text
  const at = /(?:^|: )(?=payroll (?!itself)[a-z])/.exec(text)
  const end = at ? at.index + at[0].length : text.length
  const margin = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = ''
  for (const word of text.slice(0, end).trim().split(' ')) {
    const longer = line === '' ? margin + word : `${line} ${word}`
    if (line !== '' && longer.length > columns) {
      lines.push(line)
      line = margin + word
    } else line = longer
  }
  const command = text.slice(end)
  if (command === '') return [...lines, line].join('\n')
  if (line === '') return command
  const isRoom = line.length + 1 + command.length <= columns
  return [...lines, ...(isRoom ? [`${line} ${command}`] : [line, margin + command])].join('\n')
}
