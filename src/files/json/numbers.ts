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
  return value instanceof ExactNumber ? decimalOf(value).power >= 0 : Number.isInteger(value)
}

/** Whether two numbers as text have the same value, to the last digit: 37.50 and 37.5. */
export const isSameNumber = (one: string, other: string): boolean => compareDecimals(one, other) === 0

/** Whether a text is a number. 012345 is none: it may be an account number, and 12345 is another. */
export const isDecimal = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)

/** A double keeps this many digits of any number that is neither huge nor tiny. */
const keptDigits = 15

/** Whether a double would change the value of a number; how the number is written does not matter. */
function isChanged(text: string): boolean {
  if (text.length <= keptDigits && !/e/i.test(text)) return false
  const value = Number(text)
  return !Number.isFinite(value) || !isSameNumber(text, String(value))
}

/** A number as whole digits, without zeros at either end, times a power of ten. Zero has no digits. */
interface Decimal {
  readonly sign: 1 | 0 | -1
  readonly digits: string
  readonly power: number
}

type Written = number | ExactNumber | string

function decimalOf(number: Written): Decimal {
  const [, minus, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(String(number)) ?? []
  const significant = (whole + fraction).replace(/0+$/, '')
  const digits = significant.replace(/^0+/, '')
  if (digits === '') return { sign: 0, digits, power: 0 }
  return { sign: minus ? -1 : 1, digits, power: Number(power) + whole.length - significant.length }
}

/** Compares two numbers digit for digit: below zero if the second is larger, above zero if the first is. */
export const compareNumbers = (one: number | ExactNumber, other: number | ExactNumber): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compareDecimals(one, other)

function compareDecimals(one: Written, other: Written): number {
  const [a, b] = [decimalOf(one), decimalOf(other)]
  if (a.sign !== b.sign) return a.sign - b.sign
  const size = a.digits.length + a.power - b.digits.length - b.power
  return a.sign * (size || (a.digits < b.digits ? -1 : Number(a.digits > b.digits)))
}

/** The sum of two numbers, digit for digit: 0.1 and 0.2 are 0.3. */
export function addNumbers(one: number | ExactNumber, other: number | ExactNumber): number | ExactNumber {
  const decimals = [decimalOf(one), decimalOf(other)]
  const scale = Math.max(0, ...decimals.map(({ power }) => -power))
  const sum = decimals.reduce(
    (total, { sign, digits, power }) => total + BigInt(sign) * BigInt(digits) * 10n ** BigInt(power + scale),
    0n,
  )
  const text = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  return parseNumber(`${sum < 0n ? '-' : ''}${whole}${scale > 0 ? `.${text.slice(-scale)}` : ''}`)
}

/** The sum of numbers, digit for digit, as the nearest double. */
export const sumOf = (numbers: readonly number[]): number =>
  Number(String(numbers.reduce<number | ExactNumber>(addNumbers, 0)))

/** A number that a double would change (9007199254740993, 1e400), kept as the text that it was. */
export class ExactNumber {
  /** Whether there ever was one in this process: mostly not, and then no value is searched for one. */
  static isThere = false
  readonly text: string

  constructor(text: string) {
    this.text = text
    ExactNumber.isThere = true
  }

  toString(): string {
    return this.text
  }

  /** The digits, which stringifyJson writes without quotation marks: JSON.stringify alone writes them as text. */
  toJSON(): string {
    return this.text
  }
}
