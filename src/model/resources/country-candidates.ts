import { type Country, type CountryId, countries } from '../countries/countries.ts'
import type { RecordType } from '../records/record-type.ts'
import { candidateIreland, candidateIrelandAnswer, irishSamples } from './ireland-candidate.ts'
import type { Samples } from './samples.ts'
import { candidate, candidateAnswer, ukSamples } from './uk-candidate.ts'

/** The candidate of a country. Kept apart from the country, so that a list can use the flags without loading fields. */
interface CountryCandidate {
  readonly sent: RecordType
  readonly answered: RecordType
  readonly sample: Samples
}

/** The candidates of each country. */
export const candidateByCountry: Readonly<Record<CountryId, CountryCandidate>> = {
  uk: { sent: candidate, answered: candidateAnswer, sample: ukSamples },
  ireland: { sent: candidateIreland, answered: candidateIrelandAnswer, sample: irishSamples },
}

/** The candidate of each country, the default one first. */
export const countryCandidates: readonly (Country & CountryCandidate)[] = countries.map((country) => ({
  ...country,
  ...candidateByCountry[country.id],
}))

/** Says that only a candidate of another country has such a field; undefined where none has it, or for other records. */
export function onlyElsewhere(type: RecordType, has: (sent: RecordType) => boolean): string | undefined {
  if (!countryCandidates.some(({ sent }) => sent === type)) return undefined
  const other = countryCandidates.find(({ sent }) => sent !== type && has(sent))
  return other && `not a field of ${type.displayName}, only of ${other.candidate} (${other.flag})`
}
