import { usualTaxCode } from '../facts/facts.ts'
import { normalize, type Warning } from './warning.ts'

/**
 * HMRC's pattern for the Full Payment Submission, with the S or C of Scotland or Wales that people write in
 * front. NT has neither.
 */
const shape = /^(?:[SC]?(?:[1-9]\d{0,5}[LMNPTY]|BR|0T|D[0-8]|K[1-9]\d{0,5})|NT)$/

/**
 * Week 1/month 1 after a tax code: `1257L W1`, `1257L M1`, `1257L W1/M1`, `1257L (Wk1)`, `1257L X`; programs export `1257L/1` and
 * `1257L NONCUM` too.
 */
const notCumulative =
  /(?:[-/,(]?(?:W(?:K|EEK)?1[-/]?M(?:TH|ONTH)?1|W(?:K|EEK)?1|M(?:TH|ONTH)?1|X|NON-?CUM(?:ULATIVE)?)\)?|\/1)$/

/** Whether this is a tax code, in capitals without spaces and without week 1/month 1. */
export const isTaxCode = (code: string): boolean => shape.test(code)

/** The two fields that a tax code with week 1/month 1 behind it stands for; undefined for any other text. */
export function splitTaxCode(
  written: string,
): { readonly taxCode: string; readonly taxBasis: string } | undefined {
  const code = normalize(written)
  const taxCode = code.replace(notCumulative, '')
  return taxCode !== code && isTaxCode(taxCode) ? { taxCode, taxBasis: 'W1M1' } : undefined
}

/** HMRC's pattern has more rates than there are, and letters that ended: the rates of Scotland go to D3, those of Wales to D1. */
const unused = /^(?:D[2-8]|CD[2-8]|SD[4-8])$|^[SC]?\d+[PVY]$/

/**
 * Five digits or more: an allowance of £100,000 or more, which is a typing mistake.
 * assumed: the bound, far above the personal allowance of HMRC with everything that may be added to it.
 */
const tooHigh = /^[SC]?\d{5,}/
const highAllowance = `the number of a tax code is the allowance without its last digit, as in ${usualTaxCode}`

/** A UK tax code. */
export function taxCode(value: string): Warning | undefined {
  const code = normalize(value)
  if (isTaxCode(code) && unused.test(code)) return { message: 'a code that HMRC does not give out any more' }
  if (isTaxCode(code)) return tooHigh.test(code) ? { message: highAllowance } : undefined
  if (/^[SC]?\d+$/.test(code)) return { message: `the letter is missing, such as the L of ${usualTaxCode}` }
  const split = splitTaxCode(value)
  if (split) {
    return {
      message: 'week 1/month 1 belongs in the tax basis, not in the tax code',
      suggestion: split.taxCode,
    }
  }
  // No tax code contains an O or an I, and the K of a K code comes first.
  const meant = code
    .replaceAll('O', '0')
    .replaceAll('I', '1')
    .replace(/^([SC]?)(\d+)K$/, '$1K$2')
  return {
    message: `not a tax code as HMRC writes it, such as ${usualTaxCode}, BR, 0T or K500`,
    ...(isTaxCode(meant) && { suggestion: meant }),
  }
}
