import type { JsonObject } from '../http/json.ts'

/** Creation date of the VAT codes. */
export const vatCodesSince = Date.UTC(2026, 0, 1)

/**
 * The VAT codes of a new sandbox, UK and Irish rates of 2026. Their ids are fixed, so that examples can use them.
 * "VATRate (string with a percent sign)"; the letters are made up.
 */
export const defaultVatCodes: readonly { readonly id: string; readonly body: JsonObject }[] = [
  vatCode(1, 'Standard', '20%', 'S'),
  vatCode(2, 'Reduced', '5%', 'R'),
  vatCode(3, 'Zero rated', '0%', 'Z'),
  vatCode(4, 'Exempt', '0%', 'E'),
  vatCode(5, 'Outside the scope', '0%', 'O'),
  vatCode(6, 'Ireland standard', '23%', 'IE-S'),
  vatCode(7, 'Ireland reduced', '13.5%', 'IE-R'),
  vatCode(8, 'Ireland second reduced', '9%', 'IE-R2'),
  vatCode(9, 'Ireland zero rated', '0%', 'IE-Z'),
]

function vatCode(number: number, description: string, VATRate: string, VATCode: string) {
  return { id: `00000000-0000-4000-8000-00000000000${number}`, body: { description, VATRate, VATCode } }
}
