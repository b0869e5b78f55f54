/** What a spreadsheet takes for the start of a formula, full-width forms included. */
const start = '[=+\\-@\\t\\r\\n\\0＝＋－＠]'

const formula = new RegExp(`^'*${start}`, 'u')
const marked = new RegExp(`^'+${start}`, 'u')

/** Text as a cell that no spreadsheet runs: with an apostrophe in front, as a person would mark it. */
export function markFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text behind the apostrophe, whoever put it there; what carries none is left as it is. */
export function unmarkFormula(cell: string): string {
  return marked.test(cell) ? cell.slice(1) : cell
}

/** Whether an apostrophe would be taken off this text, though nobody put it there. */
export function seemsMarked(text: string): boolean {
  return marked.test(text)
}
