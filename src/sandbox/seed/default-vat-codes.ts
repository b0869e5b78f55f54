import { sandboxCountries } from '../countries/countries.ts'
import type { JsonObject } from '../http/requests.ts'

/** Creation date of the VAT codes. */
export const vatCodesSince = Date.UTC(2026, 0, 1)

/**
 * The VAT codes of a new sandbox, the rates of 2026. Their ids are fixed, so that examples can use them.
 * "VATRate (string with a percent sign)"; the letters are made up.
 */
export const defaultVatCodes: readonly { readonly id: string; readonly body: JsonObject }[] = Object.values(
  sandboxCountries,
)
  .flatMap(({ vatCodes }) => vatCodes)
  .map(([description, VATRate, VATCode], index) => ({
    id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    body: { description, VATRate, VATCode },
  }))
