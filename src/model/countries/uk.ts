import type { CountryData } from './country-data.ts'

/** The United Kingdom. */
export const uk = {
  id: 'uk',
  flag: '--uk',
  candidate: 'a UK candidate',
  isoCode: 'GB',
  currency: '£',
  place: 'UK',
  inPlace: 'in the UK',
  vatWords: /\b(?:GB|UK|United Kingdom|British)\b/i,
  taxYearBegins: [4, 6],
  hasDailyMinimum: false,
  operationSuffix: '',
} as const satisfies CountryData
