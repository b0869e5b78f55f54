import type { CodeList } from '../api/contract/fields/field.ts'

/**
 * Words for the values of a field, with what they mean: more than a list has to load. The service was seen with one value
 * of each field. assumed: every word here, as no published list was checked, and that it is sent in the style of the one
 * seen, in capitals with underscores.
 */
export const codeLists: Readonly<Record<CodeList, Readonly<Record<string, string>>>> = {
  // assumed: the civil statuses besides "SINGLE", which the service was seen with.
  'marital-status': {
    MARRIED: 'Married',
    CIVIL_PARTNER: 'Civil partner',
    SEPARATED: 'Separated',
    DIVORCED: 'Divorced',
    WIDOWED: 'Widowed',
    SURVIVING_CIVIL_PARTNER: 'Surviving civil partner',
  },
  // assumed: the ways of tax relief besides "NET_PAY_ARRANGEMENT", which interface.md shows.
  'tax-relief': {
    RELIEF_AT_SOURCE: 'Relief at source',
    SALARY_SACRIFICE: 'Salary sacrifice',
  },
  // assumed: the units of pay besides "DAILY", which the service was seen with.
  'rate-units': {
    HOURLY: 'Hourly',
    WEEKLY: 'Weekly',
    MONTHLY: 'Monthly',
  },
}
