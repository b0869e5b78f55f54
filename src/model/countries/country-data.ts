/** A country in which people are paid, as plain data: it loads none of the fields. */
export interface CountryData {
  readonly id: string
  readonly flag: `--${string}`
  /** For messages: `an Irish candidate`. */
  readonly candidate: string
  readonly isoCode: string
  /** The sign before an amount of money. */
  readonly currency: string
  /** The country as a person names it. */
  readonly place: string
  /** The place of payment in a sentence: `in the UK`. */
  readonly inPlace: string
  /** Words in the names of its VAT codes that tell them from another country's. */
  readonly vatWords: RegExp
  /** The first day of its tax year. */
  readonly taxYearBegins: readonly [month: number, day: number]
  /** Whether each day has its own minimum wage; else that of the first day holds for the period. */
  readonly hasDailyMinimum: boolean
  /** The end of the names of its operations: `createIreland`. */
  readonly operationSuffix: string
}
