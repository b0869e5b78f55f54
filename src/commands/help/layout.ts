import { foldWords } from '../../render/text/fold-message.ts'

/** A word or an option, and what it means. */
export type Item = readonly [term: string, text: string]

/** A meaning with less room than this, in columns, stands under its term and not beside it. */
const narrowestText = 28

/** Longer terms have their meaning below them, so that one of them does not push all the others aside. */
const widestTerm = 30

/** Text in lines of at most this width, broken between words. A longer word stays whole. */
export const paragraph = (text: string, width: number, indent = ''): string =>
  foldWords(text.split(' '), width, indent).join('\n')

/** A list of terms, each with its meaning beside it, or below it where there is no room. */
export function definitionList(items: readonly Item[], width: number): string {
  const terms = items.map(([term]) => term.length).filter((length) => length <= widestTerm)
  const column = Math.max(0, ...terms) + 4
  const below = width - column < narrowestText
  return items
    .map(([term, text]) => {
      if (below || term.length > widestTerm)
        return `${command(term, width)}\n${paragraph(text, width, ' '.repeat(below ? 6 : column))}`
      return `  ${term}`.padEnd(column) + paragraph(text, width, ' '.repeat(column)).trimStart()
    })
    .join('\n')
}

/** Commands to copy. One that is too long goes on after a backslash, as a shell reads it. */
export function commands(lines: readonly string[], width: number): string {
  return lines.map((line) => command(line, width)).join('\n')
}

function command(line: string, width: number): string {
  if (line.length + 2 <= width) return `  ${line}`
  const [, words = line, , comment] = /^(.*?)(\s+# (.*))?$/.exec(line) ?? []
  const above = comment === undefined ? [] : [paragraph(comment, width, '  # ')]
  const rows: string[] = []
  let row = ' '
  for (const word of lineWords(words)) {
    // Two columns stay free for the backslash.
    if (row.trim() !== '' && row.length + 1 + word.length > width - 2) {
      rows.push(`${row} \\`)
      row = '   '
    }
    row += ` ${word}`
  }
  return [...above, ...rows, row].join('\n')
}

/** The words of a command line: what stands in quotes is one of them, and so is an option with its value. */
function lineWords(line: string): string[] {
  return line.match(/(?:--[\w-]+ (?![-|>]))?(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
}

/** Parts of a page with a blank line between them; empty ones are left out. */
export function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A heading and what stands below it; nothing where that is empty. */
export function headedPart(heading: string, content: string): string {
  return content === '' ? '' : `${heading}:\n${content}`
}
