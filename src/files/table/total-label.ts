/** A word for a total, perhaps with the sum behind it. */
export const totalWord =
  /^(?:(?:grand|overall|week|weekly|page|report|sheet)\s+|sub[\s-]?)?(?:totals?(?:\s+(?:for|of)\s.*|\s+[a-z]+|(?<=sub[\s-]?totals?)\s.*)?|sum)\s*[:=]?(?:\s*([£€]?\s*-?\d[\d.,]*))?(?:\s+(?:hours|hrs))?$/i

const countWord =
  /^(?:(?:count|head\s?count|(?:no|number)\.?\s*of\s+[a-z]+)\s*[:=]?\s*\d*|\d+\s+(?:people|persons?|rows?|workers?|staff|employees?|candidates?|contractors?|timesheets?|lines?|records?|heads?|starters?))$/i

/** What a spreadsheet writes below each group: `A-12 Total`. */
const groupTotal = /^\S.*\s(?:sub[\s-]?)?totals?\s*:?$/i

/** Every cell of the file passes here. */
const mayBeLabel = (cell: string) =>
  cell.length <= 60 && /^\s*(?:[gotswprchn]|\d+\s+[a-z])|totals?\s*:?\s*$/i.test(cell)

/** Whether a cell is a word of totals, or counts rows or people. */
export function isTotalLabel(cell: string): boolean {
  return mayBeLabel(cell) && (isTotalWord(cell) || groupTotal.test(cell.trim()))
}

/** The same, without what may be somebody's name: `Ann Total`. */
export const isTotalWord = (cell: string): boolean =>
  totalWord.test(cell.trim()) || countWord.test(cell.trim())
