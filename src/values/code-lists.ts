import type { CodeList } from '../api/contract/fields/field.ts'

/**
 * The words of HMRC and Revenue for the values of a field, with what they mean: more than a list has to load. interface.md
 * shows only some of the service's own. assumed: the others are sent in the style of those it shows, in capitals with underscores.
 */
export const codeLists: Readonly<Record<CodeList, Readonly<Record<string, string>>>> = {
  // Revenue, the civil statuses of its registration; "SINGLE" is a value that the service was seen with.
  'marital-status': {
    MARRIED: 'Married',
    CIVIL_PARTNER: 'Civil partner',
    SEPARATED: 'Separated',
    DIVORCED: 'Divorced',
    WIDOWED: 'Widowed',
    SURVIVING_CIVIL_PARTNER: 'Surviving civil partner',
  },
  // HMRC and The Pensions Regulator: the ways of tax relief; "pensionCalculationType `NET_PAY_ARRANGEMENT`".
  'tax-relief': {
    RELIEF_AT_SOURCE: 'Relief at source',
    SALARY_SACRIFICE: 'Salary sacrifice',
  },
  // assumed: units of pay besides "DAILY", which the service was seen with.
  'rate-units': {
    HOURLY: 'Hourly',
    WEEKLY: 'Weekly',
    MONTHLY: 'Monthly',
  },
}
