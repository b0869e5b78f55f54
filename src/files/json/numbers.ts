/** Parses a number in JSON format. Gives an ExactNumber if a double would change it. */
export function parseNumber(text: string): number | ExactNumber {
  return isChanged(text) ? new ExactNumber(text) : Number(text)
}

/** A number in plain digits: no thousands separators, no 0x10 and no 1e3. */
export const plainNumber = /^-?\d+(?:\.\d+)?$/

/** Parses a number as a person types it, with or without leading zeros; undefined when it is not a number. */
export function writtenNumber(text: string): number | ExactNumber | undefined {
  return plainNumber.test(text) ? parseNumber(text.replace(/^(-?)0+(?=\d)/, '$1')) : undefined
}

/** Whether a value is a JSON number of any size. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return Number.isFinite(value) || value instanceof ExactNumber
}

/** Whether a value is a number without a fraction, in any notation: 1e400 is one. */
export function isWhole(value: unknown): value is number | ExactNumber {
  return value instanceof ExactNumber ? !/e-/.test(decimalOf(value.text)) : Number.isInteger(value)
}

/** Whether two numbers as text have the same value, to the last digit: 37.50 and 37.5. */
export function isSameNumber(one: string, other: string): boolean {
  return decimalOf(one) === decimalOf(other)
}

/** Whether two texts are one number. 012345 is none: it may be an account number, and 12345 is another. */
export const isSameDecimal = (one: string, other: string): boolean =>
  [one, other].every((each) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(each)) && isSameNumber(one, other)

/** A double keeps this many digits of any number that is neither huge nor tiny. */
const keptDigits = 15

/** Whether a double would change the value of a number; how the number is written does not matter. */
function isChanged(text: string): boolean {
  if (text.length <= keptDigits && !/e/i.test(text)) return false
  const value = Number(text)
  return !Number.isFinite(value) || decimalOf(text) !== decimalOf(String(value))
}

/** A number in normal form: the digits without zeros at either end, and their power of ten. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`
}

/** Compares two numbers digit for digit: below zero if the second is larger, above zero if the first is. */
export function compareNumbers(one: number | ExactNumber, other: number | ExactNumber): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [a, b] = [normalize(one), normalize(other)]
  if (a.sign !== b.sign) return a.sign - b.sign
  const larger = a.power - b.power || (a.digits < b.digits ? -1 : Number(a.digits > b.digits))
  return a.sign * larger
}

/** The sum of two numbers, digit for digit: 0.1 and 0.2 are 0.3. */
export function addNumbers(one: number | ExactNumber, other: number | ExactNumber): number | ExactNumber {
  const [a, b] = [decimalParts(one), decimalParts(other)]
  const scale = Math.max(a.scale, b.scale)
  const raise = ({ digits, scale: own }: typeof a) => digits * 10n ** BigInt(scale - own)
  const sum = raise(a) + raise(b)
  const text = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  return parseNumber(`${sum < 0n ? '-' : ''}${whole}${scale > 0 ? `.${text.slice(-scale)}` : ''}`)
}

/** A number as whole digits, and how many of them stand after the point. */
function decimalParts(number: number | ExactNumber): { readonly digits: bigint; readonly scale: number } {
  const [, digits = '0', power = '0'] = /^(-?\d+)e(-?\d+)$/.exec(decimalOf(String(number))) ?? []
  const raise = Math.max(0, Number(power))
  return { digits: BigInt(digits) * 10n ** BigInt(raise), scale: Math.max(0, -Number(power)) }
}

/** A number as 0.digits times a power of ten. */
function normalize(number: number | ExactNumber) {
  const decimal = decimalOf(String(number))
  const [, minus = '', digits = '', power = '0'] = /^(-?)(\d+)e(-?\d+)$/.exec(decimal) ?? []
  return { sign: digits === '' ? 0 : minus ? -1 : 1, digits, power: Number(power) }
}

/** A number that a double would change (9007199254740993, 1e400), kept as the text that it was. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  /** The digits, which stringifyJson writes without quotation marks: JSON.stringify alone writes them as text. */
  toJSON(): string {
    return this.text
  }
}
