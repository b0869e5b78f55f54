import { candidate, candidateIreland } from './candidate/candidate.ts'
import { candidateAnswer, candidateIrelandAnswer } from './candidate/candidate-response.ts'
import { irishSamples } from './candidate/sample-ireland.ts'
import { type Samples, ukSamples } from './candidate/sample-uk.ts'
import type { RecordType } from './records/record-type.ts'

export type VariantId = 'uk' | 'ireland'

/** One of the countries in which people are paid, each with a candidate of its own form. */
export interface Variant {
  readonly id: VariantId
  /** How a person chooses it. */
  readonly flag: `--${VariantId}`
  /** As the help names it. */
  readonly displayName: string
  /** Its candidate, as it is sent and as it is answered. */
  readonly recordTypes: { readonly sent: RecordType; readonly answered: RecordType }
  /** What an example of it holds. */
  readonly sample: Samples
  /** ISO 3166-1. */
  readonly country: string
}

/** "`--ireland` chooses the variant (`--uk` is the default)". */
export const defaultVariant: Variant = {
  id: 'uk',
  flag: '--uk',
  displayName: 'the UK variant',
  recordTypes: { sent: candidate, answered: candidateAnswer },
  sample: ukSamples,
  country: 'GB',
}

/** Those that have to be asked for. */
export const otherVariants: readonly Variant[] = [
  {
    id: 'ireland',
    flag: '--ireland',
    displayName: 'the Irish variant',
    recordTypes: { sent: candidateIreland, answered: candidateIrelandAnswer },
    sample: irishSamples,
    country: 'IE',
  },
]

export const variants: readonly Variant[] = [defaultVariant, ...otherVariants]
