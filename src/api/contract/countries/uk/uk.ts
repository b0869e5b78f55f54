import type { Country } from '../country-data.ts'

/** The United Kingdom. */
export const uk = {
  id: 'uk',
  flag: '--uk',
  displayName: 'the UK variant',
  candidate: 'a UK candidate',
  country: 'GB',
  currency: '£',
  place: 'UK',
  inPlace: 'in the UK',
  operationSuffix: '',
} as const satisfies Country
