import type { Country } from '../country-data.ts'

export const ireland = {
  id: 'ireland',
  flag: '--ireland',
  displayName: 'the Irish variant',
  candidate: 'an Irish candidate',
  country: 'IE',
  currency: '€',
  place: 'Ireland',
  inPlace: 'in Ireland',
  operationSuffix: 'Ireland',
} as const satisfies Country
