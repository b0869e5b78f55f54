import { inForce } from '../credentials/in-force.ts'
import { usage } from '../errors.ts'
import { type CountryId, countryIds, defaultCountry, findCountry } from '../model/countries/countries.ts'
import { wordList } from '../text/words.ts'
import type { Context } from './context.ts'

/**
 * The country of the named profile, of PAYROLL_COUNTRY, or of the default profile. Throws for an
 * unknown one.
 */
export async function configuredCountry({
  host,
  profile,
}: Pick<Context, 'host' | 'profile'>): Promise<CountryId> {
  const fromEnvironment = host.env.PAYROLL_COUNTRY || undefined
  const chosen = await profile()
  const said = inForce(chosen, chosen.country, fromEnvironment)
  if (said === undefined) return defaultCountry.id
  const isGiven = said === fromEnvironment
  return checkCountry(said, isGiven ? 'PAYROLL_COUNTRY' : `The country of the profile ${chosen.name}`)
}

function checkCountry(name: string, what: string): CountryId {
  const country = findCountry(name)
  if (country) return country.id
  throw usage(`${what} is ${name}, and must be ${wordList(countryIds, 'or')}.`)
}
