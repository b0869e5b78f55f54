import { asDigits, normalize, type Warning } from '../warning.ts'
import { routingKeys } from './routing-keys.ts'

/** Royal Mail's rules for the letters of each place (BS 7666), without the space. */
const ukShape =
  /^(GIR0AA|[A-PR-UWYZ](\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY])\d[ABD-HJLNP-UW-Z]{2})$/

/** Eircode: a routing key of three characters and four more, from an alphabet of fifteen letters and ten digits. */
const irishShape = /^(D6W|[ACDEFHKNPRTVWXY]\d\d)[0-9ACDEFHKNPRTVWXY]{4}$/

/** A UK postcode. HMRC accepts it only with the space in the right place. */
export function postcode(value: string): Warning | undefined {
  const code = normalize(value)
  if (isPostcode(code)) return undefined
  if (irishShape.test(code)) return { message: 'looks like an Eircode, not a UK postcode' }
  const meant = rereadUk(code)
  return {
    message: 'not a UK postcode, such as SW1A 1AA',
    ...(meant && { suggestion: spacedUk(meant) }),
  }
}

/** An Eircode. Only a licensed database knows whether the address exists. */
export function eircode(value: string): Warning | undefined {
  const code = normalize(value)
  if (irishShape.test(code)) {
    return routingKeys.has(code.slice(0, 3))
      ? undefined
      : { message: 'the first three characters are not a routing key of any Irish post town' }
  }
  if (ukShape.test(code)) return { message: 'looks like a UK postcode, not an Eircode' }
  // No Eircode contains an O, an I or an L.
  const meant = asDigits(code)
  return {
    message: 'not an Eircode, such as D02 X285',
    ...(irishShape.test(meant) && routingKeys.has(meant.slice(0, 3)) && { suggestion: spacedIrish(meant) }),
  }
}

/** Whether this is a postcode, in capitals without its space. */
export const isPostcode = (code: string): boolean => ukShape.test(code)

/** Whether this has the form of an Eircode, in capitals without its space. */
export const isEircode = (code: string): boolean => irishShape.test(code)

/** A postcode with its space: SW1A 1AA. */
export const spacedUk = (code: string): string => `${code.slice(0, -3)} ${code.slice(-3)}`

/** An Eircode with its space: D02 X285. */
export const spacedIrish = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`

/** The postcode that was probably meant: changes as few confused letters and digits as possible. */
function rereadUk(code: string): string | undefined {
  const outward = code.slice(0, -3)
  const inward = asDigits(code.slice(-3, -2)) + code.slice(-2)
  return [
    outward,
    outward.replace(/^0/, 'O'),
    outward.slice(0, 2) + asDigits(outward.slice(2)),
    outward.slice(0, 1) + asDigits(outward.slice(1)),
  ]
    .map((other) => other + inward)
    .find((other) => ukShape.test(other))
}
