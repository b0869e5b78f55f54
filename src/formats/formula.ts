/** Characters that start a formula in a spreadsheet, including full-width ones. */
const start = '=+\\-@\\t\\0＝＋－＠'

/**
 * The start of a cell, and of each line in it, because some readers end a line at every line break, even inside
 * quotation marks. If the first character is a line break, both the cell and the next line are marked.
 */
const beginning = (then: string) =>
  new RegExp(`^(?=${then}[${start}\\r\\n])|${broken}(?=${then}[${start}])`, 'gu')
const broken = '(?<=[\\r\\n\\u0085\\u2028\\u2029])'

const formula = beginning("'*")
const marked = beginning("'+")
const mark = new RegExp(`^'(?='*[${start}\\r\\n])|${broken}'(?='*[${start}])`, 'gu')

/** Text as a cell that no spreadsheet runs: puts an apostrophe before each line that starts like a formula. */
export function markFormula(text: string): string {
  return text.replace(formula, "'")
}

/** Text without those apostrophes. */
export function unmarkFormula(cell: string): string {
  return cell.includes("'") ? cell.replace(mark, '') : cell
}

/** Doubles apostrophes that belong to the text, so that unmarking leaves one. */
export function keepMarks(text: string): string {
  return text.replace(marked, "'")
}

/** A cell from another file, marked so that no spreadsheet runs it. Reading it gives the same text again. */
export function markCell(cell: string): string {
  return /^[+-]?\d+([.,]\d+)*$/.test(cell) ? cell : markFormula(unmarkFormula(cell))
}
