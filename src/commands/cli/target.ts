import { type CountryId, countries, defaultCountry, otherCountries } from '../../model/countries/countries.ts'
import {
  type CandidateVerb,
  candidateVerbs,
  type Operation,
  resourceName,
} from '../../model/operations/operation.ts'
import { candidatesByCountry, operations } from '../../model/operations/operations.ts'
import { chosenCountry, type OptionName, type Options } from './options.ts'

/** One operation, or several that an option chooses from: the one of each country, the older of two forms. */
export type Target =
  | Operation
  | Readonly<Record<CountryId, Operation>>
  | { readonly current: Operation; readonly legacy: Operation }

/** The operation that the options choose. */
export function chooseOperation(target: Target, options: Options): Operation {
  if ('path' in target) return target
  if ('current' in target) return options.legacy ? target.legacy : target.current
  return target[(chosenCountry(options) ?? defaultCountry).id]
}

export function countryOptionsOf(target: Target): readonly OptionName[] {
  if ('current' in target) return ['legacy']
  return 'path' in target ? [] : [...otherCountries, defaultCountry].map(({ id }) => id)
}

/** The option that an operation of the target was chosen by; none for the default country. */
export function optionsFor(target: Target, id: string): Options {
  if ('path' in target || 'current' in target) return {}
  return Object.fromEntries(
    otherCountries.flatMap((each) => (target[each.id].id === id ? [[each.id, true]] : [])),
  )
}

/** The options for the country, as a person would type them. The default one is not named. */
export function countryFlags(options: Options): string[] {
  return otherCountries.filter(({ id }) => options[id]).map(({ flag }) => flag)
}

export function operationsOf(target: Target): readonly Operation[] {
  return 'path' in target ? [target] : Object.values(target)
}

/** One target for each verb of candidates, for which every country has an operation. */
export const candidateTargets = Object.fromEntries(
  candidateVerbs.map((verb) => [
    verb,
    Object.fromEntries(countries.map(({ id }) => [id, candidatesByCountry[id][verb]])),
  ]),
) as Readonly<Record<CandidateVerb, Readonly<Record<CountryId, Operation>>>>

/** The lists of payslips, newer and older. */
export const payslipLists: Target = {
  current: operations.payslips.list,
  legacy: operations.payslips.listLegacy,
}

/** The noun of an operation as it is typed: `payment-rates`. */
export function nounOf({ id }: Operation): string {
  const [resource = ''] = id.split('.')
  return resourceName(resource)
}
