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

/** The text behind the apostrophes, whoever put them there; what carries none is left as it is. */
export function unmarkFormula(cell: string): string {
  return cell.replace(mark, '')
}

/** Text in which apostrophes that nobody put there are doubled: one of each is left when it is unmarked. */
export function keepMarks(text: string): string {
  return text.replace(marked, "'")
}

/** A cell of somebody else's file as one that no spreadsheet runs. It is read again as it was. */
export function markCell(cell: string): string {
  return /^[+-]?\d+([.,]\d+)*$/.test(cell) ? cell : markFormula(unmarkFormula(cell))
}
