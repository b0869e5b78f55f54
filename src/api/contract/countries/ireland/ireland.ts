import type { CountryData } from '../country-data.ts'

export const ireland = {
  id: 'ireland',
  flag: '--ireland',
  candidate: 'an Irish candidate',
  isoCode: 'IE',
  currency: '€',
  place: 'Ireland',
  inPlace: 'in Ireland',
  operationSuffix: 'Ireland',
} as const satisfies CountryData
