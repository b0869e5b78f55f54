import type { CountryData } from './country-data.ts'

/** The Republic of Ireland. */
export const ireland = {
  id: 'ireland',
  flag: '--ireland',
  candidate: 'an Irish candidate',
  isoCode: 'IE',
  currency: '€',
  place: 'Ireland',
  inPlace: 'in Ireland',
  vatWords: /\b(?:IE|IRL|Ireland|Irish)\b/i,
  taxYearBegins: [1, 1],
  hasDailyMinimum: true,
  operationSuffix: 'Ireland',
} as const satisfies CountryData
