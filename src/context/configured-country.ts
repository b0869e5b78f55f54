import { type CountryId, countries, defaultCountry } from '../api/contract/countries/countries.ts'
import { usage } from '../errors.ts'
import type { Context } from './context.ts'

/**
 * The country of a command that names none: of the profile that was named, then of PAYROLL_COUNTRY, then of the default
 * profile. Throws a usage failure for an unknown country.
 */
export async function configuredCountry({
  host,
  profile,
}: Pick<Context, 'host' | 'profile'>): Promise<CountryId> {
  const given = host.env.PAYROLL_COUNTRY || undefined
  const { country: stored, source, name } = await profile()
  const isNamed = source.profile === 'flag' || (source.profile === 'environment' && stored !== undefined)
  if (stored !== undefined && (isNamed || given === undefined))
    return checkCountry(stored, `The country of the profile ${name}`)
  return given === undefined ? defaultCountry.id : checkCountry(given, 'PAYROLL_COUNTRY')
}

/** The country of this name. Throws a usage failure where there is none; nothing is sent. */
function checkCountry(name: string, what: string): CountryId {
  const found = countries.find(({ id }) => id === name.toLowerCase())
  if (found) return found.id
  const all = countries.map(({ id }) => id).join(' or ')
  throw usage(`${what} is ${name}, and must be ${all}.`)
}
