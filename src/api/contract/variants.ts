import type { Country } from './countries/country-data.ts'
import { ireland } from './countries/ireland/ireland.ts'
import { uk } from './countries/uk/uk.ts'

/** The countries: each has an option, as `--ireland`. The first is the one where none is typed. */
const countries = [uk, ireland] as const

export type VariantId = (typeof countries)[number]['id']

/** The ends of the names of operations, one for each country. */
export type OperationSuffix = (typeof countries)[number]['operationSuffix']

/** A country in which people are paid; each has its own candidate fields. */
export interface Variant extends Country {
  readonly id: VariantId
  readonly flag: `--${VariantId}`
  readonly operationSuffix: OperationSuffix
}

export const variants: readonly Variant[] = countries

export const defaultVariant: Variant = countries[0]

/** The variants that need a flag. */
export const otherVariants: readonly Variant[] = variants.slice(1)
