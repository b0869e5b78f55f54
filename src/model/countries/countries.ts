import type { CountryData } from './country-data.ts'
import { ireland } from './ireland.ts'
import { uk } from './uk.ts'

/** All countries. Each has an option, such as `--ireland`; without an option the first one counts. */
const countryData = [uk, ireland] as const

/** The name of a country in this tool. */
export type CountryId = (typeof countryData)[number]['id']

/** What the operation names of a country end in: `Ireland` in `createIreland`. */
export type OperationSuffix = (typeof countryData)[number]['operationSuffix']

/** A country in which people are paid; each has its own candidate fields. */
export interface Country extends CountryData {
  readonly id: CountryId
  readonly flag: `--${CountryId}`
  readonly operationSuffix: OperationSuffix
}

/** Every country of the service. */
export const countries: readonly Country[] = countryData

/** The ids of all countries. */
export const countryIds: readonly CountryId[] = countries.map(({ id }) => id)

/** Every country by its id. */
export const countryById = Object.fromEntries(countries.map((country) => [country.id, country])) as Readonly<
  Record<CountryId, Country>
>

/** The country with this id, in capitals or not; undefined if there is none. */
export const findCountry = (name: string): Country | undefined =>
  countries.find(({ id }) => id === name.toLowerCase())

/** The country that is meant where none is named. */
export const defaultCountry: Country = countryData[0]

/** The countries that need a flag. */
export const otherCountries: readonly Country[] = countries.slice(1)
