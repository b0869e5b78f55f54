import { usage } from '../errors.ts'
import {
  type Country,
  type CountryId,
  countryIds,
  defaultCountry,
  findCountry,
} from '../model/countries/countries.ts'
import { wordList } from '../text/words.ts'
import type { Context } from './context.ts'

/** The country that the profile or the environment names, if any. Throws for an unknown one. */
export async function namedCountry({ profile }: Pick<Context, 'profile'>): Promise<Country | undefined> {
  const { country: said } = await profile()
  const country = findCountry(said?.text ?? '')
  if (!said || country) return country
  throw usage(`${said.from} is ${said.text}, and must be ${wordList(countryIds, 'or')}.`)
}

/** The country of what names none. Throws as `namedCountry` does. */
export const configuredCountry = async (run: Pick<Context, 'profile'>): Promise<CountryId> =>
  ((await namedCountry(run)) ?? defaultCountry).id
