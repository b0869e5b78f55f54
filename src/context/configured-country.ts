import { inForce } from '../credentials/in-force.ts'
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

/**
 * The country of the named profile, of PAYROLL_COUNTRY, or of the default profile; undefined where none of them names one.
 * Throws for an unknown one.
 */
export async function namedCountry({
  host,
  profile,
}: Pick<Context, 'host' | 'profile'>): Promise<Country | undefined> {
  const given = host.env.PAYROLL_COUNTRY || undefined
  const chosen = await profile()
  const said = inForce(chosen, chosen.country, given)
  const country = findCountry(said ?? '')
  if (said === undefined || country) return country
  const what = said === given ? 'PAYROLL_COUNTRY' : `The country of the profile ${chosen.name}`
  throw usage(`${what} is ${said}, and must be ${wordList(countryIds, 'or')}.`)
}

/** The country of what names none. Throws as `namedCountry` does. */
export const configuredCountry = async (run: Pick<Context, 'host' | 'profile'>): Promise<CountryId> =>
  ((await namedCountry(run)) ?? defaultCountry).id
