import { foldWords } from '../../render/text/fold-message.ts'

/** A word or an option, and what it means. */
export type Item = readonly [term: string, text: string]

/** Longer terms have their meaning below them, so that one of them does not push all the others aside. */
const widestTerm = 30

/** Text in lines of at most this width, broken between words. A longer word stays whole. */
export const paragraph = (text: string, width: number, indent = ''): string =>
  foldWords(text.split(' '), width, indent).join('\n')

/** A list of terms, each with its meaning beside it; below it where the term is long. */
export function definitionList(items: readonly Item[], width: number): string {
  const terms = items.map(([term]) => term.length).filter((length) => length <= widestTerm)
  const column = Math.max(0, ...terms) + 4
  return items
    .map(([term, text]) => {
      const meaning = paragraph(text, width, ' '.repeat(column))
      return term.length > widestTerm
        ? `  ${term}\n${meaning}`
        : `  ${term}`.padEnd(column) + meaning.trimStart()
    })
    .join('\n')
}

/** Commands to copy: each on a line of its own, however long it is. */
export const commands = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')

/** Parts of a page with a blank line between them; empty ones are left out. */
export function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A heading and what stands below it; nothing where that is empty. */
export function headedPart(heading: string, content: string): string {
  return content === '' ? '' : `${heading}:\n${content}`
}
