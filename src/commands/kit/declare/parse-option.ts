import { InvalidArgumentError } from 'commander'

/** The values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** A whole number from a smallest to a largest. Throws commander's own error: exit 2. */
export function whole(smallest: number, largest = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= smallest && number <= largest) return number
    const range = largest === Number.MAX_SAFE_INTEGER ? `from ${smallest}` : `from ${smallest} to ${largest}`
    throw new InvalidArgumentError(`Expected a whole number ${range}.`)
  }
}

/** One of these words. Throws commander's own error: exit 2. */
export function oneOf(words: readonly string[]): (value: string) => string {
  return (value) => {
    if (words.includes(value)) return value
    throw new InvalidArgumentError(`Expected one of: ${words.join(', ')}.`)
  }
}
