import { defaultVariant, type VariantId, variants } from '../api/contract/variants.ts'
import { usage } from '../errors.ts'
import type { Context } from './context.ts'

/**
 * The country of a command that names none: of the profile that was named, then of PAYROLL_COUNTRY, then of the default
 * profile. Throws a usage failure for an unknown country.
 */
export async function defaultCountry({
  host,
  profile,
}: Pick<Context, 'host' | 'profile'>): Promise<VariantId> {
  const given = host.env.PAYROLL_COUNTRY || undefined
  const { country: stored, source, name } = await profile()
  const isNamed = source.profile === 'flag' || (source.profile === 'environment' && stored !== undefined)
  if (stored !== undefined && (isNamed || given === undefined))
    return checkCountry(stored, `The country of the profile ${name}`)
  return given === undefined ? defaultVariant.id : checkCountry(given, 'PAYROLL_COUNTRY')
}

/** The country of this name. Throws a usage failure where there is none; nothing is sent. */
function checkCountry(name: string, what: string): VariantId {
  const found = variants.find(({ id }) => id === name.toLowerCase())
  if (found) return found.id
  const all = variants.map(({ id }) => id).join(' or ')
  throw usage(`${what} is ${name}, and must be ${all}.`)
}
