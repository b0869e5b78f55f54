/** What a spreadsheet takes for the start of a formula, full-width forms included. */
const start = '=+\\-@\\t\\0＝＋－＠'

/**
 * Where a cell begins, and where one begins for a reader that ends a line at every line break, quotation marks or
 * not. A text whose first character is a line break begins a line twice, so it is marked as well.
 */
const beginning = (then: string) =>
  new RegExp(`^(?=${then}[${start}\\r\\n])|${broken}(?=${then}[${start}])`, 'gu')
const broken = '(?<=[\\r\\n\\u0085\\u2028\\u2029])'

const formula = beginning("'*")
const marked = beginning("'+")
const mark = new RegExp(`^'(?='*[${start}\\r\\n])|${broken}'(?='*[${start}])`, 'gu')

/** Text as a cell that no spreadsheet runs: with an apostrophe in front of each line that it would. */
export function markFormula(text: string): string {
  return text.replace(formula, "'")
}

/** Text without the apostrophes in front. Text without them is not changed. */
export function unmarkFormula(cell: string): string {
  return cell.replace(mark, '')
}

/** Doubles apostrophes that belong to the text, so that unmarking leaves one of each. */
export function keepMarks(text: string): string {
  return text.replace(marked, "'")
}

/** A cell that came from another file, written so that no spreadsheet runs it. It is read again as it was. */
export function markCell(cell: string): string {
  return /^[+-]?\d+([.,]\d+)*$/.test(cell) ? cell : markFormula(unmarkFormula(cell))
}
