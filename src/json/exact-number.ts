/**
 * A JSON number that a double would change: more digits than it keeps (9007199254740993), or too large (1e400). It takes
 * the place of the number and keeps the text it was read from.
 */
export class ExactNumber {
  /** The number as JSON writes it. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  /** What stringifyJson writes without quotation marks: JSON.stringify alone can only write its digits as text. */
  toJSON(): string {
    return this.text
  }
}
