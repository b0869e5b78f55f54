import { usualTaxCode } from '../facts/facts.ts'
import { asItIs, normalize, type TextRule } from './standard-rule.ts'

/** HMRC's pattern, with the S or C that people write in front. NT has neither. */
const shape = /^(?:[SC]?(?:[1-9]\d{0,5}[LMNPTY]|BR|0T|D[0-8]|K[1-9]\d{0,5})|NT)$/

/** Week 1/month 1 after a tax code: `1257L W1`, `1257L X`; by programs `1257L/1`, `1257L NONCUM`. */
const notCumulative =
  /(?:[-/,(]?(?:W(?:K|EEK)?1[-/]?M(?:TH|ONTH)?1|W(?:K|EEK)?1|M(?:TH|ONTH)?1|X|NON-?CUM(?:ULATIVE)?)\)?|\/1)$/

/** The two fields that a tax code with week 1/month 1 after it stands for; undefined for any other text. */
export function splitTaxCode(
  text: string,
): { readonly taxCode: string; readonly taxBasis: string } | undefined {
  const code = normalize(text)
  const taxCode = code.replace(notCumulative, '')
  // The 0 of 0T is often an O, which is doubted of the code alone.
  return taxCode !== code && shape.test(taxCode.replace('OT', '0T'))
    ? { taxCode, taxBasis: 'W1M1' }
    : undefined
}

/** Codes in HMRC's pattern that do not exist any more: Scotland's rates end at D3, those of Wales at D1. */
const unused = /^(?:D[2-8]|CD[2-8]|SD[4-8])$|^[SC]?[1-9]\d{0,5}[PY]$/

/** An allowance of £100,000 or more: a typing mistake. assumed: the bound, far above any allowance. */
const tooHigh = /^[SC]?[1-9]\d{4,5}[LMNT]$/

/** A UK tax code. */
export const taxCode: TextRule = {
  sentence:
    'A number and a letter, or BR, 0T, NT, D0 and the like, with S for Scotland or C for Wales in front (HMRC).',
  notes: [
    [unused, 'a code that HMRC does not give out any more'],
    [tooHigh, `the number of a tax code is the allowance without its last digit, as in ${usualTaxCode}`],
  ],
  fits: (code) => shape.test(code),
  form: asItIs,
  // No tax code contains an O or an I, and the K of a K code comes first.
  meant: (code) => [
    splitTaxCode(code)?.taxCode ??
      code
        .replaceAll('O', '0')
        .replaceAll('I', '1')
        .replace(/^([SC]?)(\d+)K$/, '$1K$2'),
  ],
  faults: [
    [/^[SC]?\d+$/, `the letter is missing, such as the L of ${usualTaxCode}`],
    [
      (code) => splitTaxCode(code) !== undefined,
      'week 1/month 1 belongs in the tax basis, not in the tax code',
    ],
  ],
  otherwise: `not a tax code as HMRC writes it, such as ${usualTaxCode}, BR, 0T or K500`,
}
