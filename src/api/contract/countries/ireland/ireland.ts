import type { CountryData } from '../country-data.ts'

export const ireland = {
  id: 'ireland',
  flag: '--ireland',
  candidate: 'an Irish candidate',
  isoCode: 'IE',
  currency: '€',
  place: 'Ireland',
  inPlace: 'in Ireland',
  // The rates of 2026.
  vat: { words: /\b(?:IE|IRL|Ireland|Irish)\b/i, rates: [23, 13.5, 9, 4.8] },
  taxYearBegins: [1, 1],
  operationSuffix: 'Ireland',
} as const satisfies CountryData
