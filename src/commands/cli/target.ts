import { type CountryId, countries, defaultCountry, otherCountries } from '../../model/countries/countries.ts'
import {
  type CandidateVerb,
  candidateVerbs,
  type Operation,
  resourceName,
} from '../../model/records/operation.ts'
import { candidatesByCountry, operations } from '../../model/resources/operations.ts'
import { chosenCountry, countriesOf, type OptionName, type Options } from './options.ts'

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

/** The options that choose among the operations of a target. */
export function countryOptionsOf(target: Target): readonly OptionName[] {
  if ('current' in target) return ['legacy']
  return 'path' in target ? [] : [...otherCountries, defaultCountry].map(({ id }) => id)
}

/** The operations that the options leave: that of the country that they name, or those of all countries. */
export function operationsFor(target: Target, options: Options): readonly Operation[] {
  if ('path' in target || 'current' in target) return [chooseOperation(target, options)]
  return countriesOf(options).map(({ id }) => target[id])
}

/** The option that chooses the country of an operation; none where it has no country. */
export const optionsFor = ({ country }: Pick<Operation, 'country'>): Options =>
  country ? { [country.id]: true } : {}

/** All operations of a target: one, or one for each country. */
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
