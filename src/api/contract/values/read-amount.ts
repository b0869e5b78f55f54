/** The digits of an amount, or why the text is none. */
export type AmountReading = { readonly digits: string } | { readonly flaw: string }

/** A long number that a spreadsheet shortened, losing digits: 1.23E+07. People write 1E5, without a sign. */
export const shortened = /^-?\d([.,]\d+)?E[+-]\d+$/i

/** Reads a number as people write it: 1250.5, 1,250.50, €1,250.50, 1250.50 EUR. */
export function readAmount(text: string, { decimalComma = false }): AmountReading {
  const bare = text
    .trim()
    .replace(/^(-?)\s*(?:[£€]|GBP\b|EUR\b)\s*/i, '$1')
    .replace(/(?<=\d)\s*(?:[£€]|GBP|EUR)$/i, '')
  if (decimalComma && /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare)) return { flaw: pointOfThousands }
  const isGrouped = !decimalComma && /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(bare)
  const digits = isGrouped ? bare.replaceAll(',', '') : bare
  return /^-?\d+(\.\d+)?$/.test(digits) ? { digits } : { flaw: flawOf(bare, decimalComma) }
}

/** 1.234 next to 1.234,50: a thousands separator, or a decimal point? */
const pointOfThousands =
  'in a file with semicolons this point may be a thousands separator: ' +
  'write 1234 for the thousand, or 1.2340 for the fraction'

/** Why a text is not a number, with the usual mistakes of countries and spreadsheets explained. */
function flawOf(text: string, decimalComma: boolean): string {
  if (shortened.test(text)) return 'the spreadsheet shortened a long number: format the column as a number'
  const isThousand = !decimalComma && /^-?[1-9]\d{0,2}(,\d{3})+$/.test(text)
  if (/^-?[\d.\s]*\d,\d+$/.test(text) && !isThousand) return 'it has a comma instead of a decimal point'
  if (/^-?\d{1,3}([,'\s]\d{3})+(\.\d+)?$/.test(text))
    return 'it has thousands separators: write only the digits'
  if (/^-?\s*[$%]|[$%]$|\bUSD\b/i.test(text)) return 'write only the number, without its unit'
  return 'expected a number, as 37.5'
}
