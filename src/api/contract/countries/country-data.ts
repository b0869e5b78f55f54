/** A country in which people are paid, as plain data: it loads none of the fields. */
export interface CountryData {
  readonly id: string
  /** The option that chooses it. */
  readonly flag: `--${string}`
  /** For messages. */
  readonly candidate: string
  /** ISO 3166-1. */
  readonly isoCode: string
  /** What stands before an amount of money. */
  readonly currency: string
  /** The country as a person names it. */
  readonly place: string
  /** Where people are paid: `in the UK`. */
  readonly inPlace: string
  /** How its VAT codes are told from those of others: words in their names, and rates in percent that only it has. */
  readonly vat: { readonly words: RegExp; readonly rates: readonly number[] }
  /** The first day of its tax year. */
  readonly taxYearBegins: readonly [month: number, day: number]
  /** The end of the names of its operations: `createIreland`. */
  readonly operationSuffix: string
}
