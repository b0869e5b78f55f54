import type { RecordType } from '../records/record-type.ts'
import { type Variant, type VariantId, variants } from '../variants.ts'
import { candidate, candidateIreland } from './candidate.ts'
import { candidateAnswer, candidateIrelandAnswer } from './candidate-response.ts'
import { irishSamples } from './sample-ireland.ts'
import { type Samples, ukSamples } from './sample-uk.ts'

/** The candidate of a variant. Kept apart from the variant, so that a list can use the flags without loading fields. */
export interface VariantCandidate {
  readonly sent: RecordType
  readonly answered: RecordType
  /** Values for an example. */
  readonly sample: Samples
}

const candidates: Readonly<Record<VariantId, VariantCandidate>> = {
  uk: { sent: candidate, answered: candidateAnswer, sample: ukSamples },
  ireland: { sent: candidateIreland, answered: candidateIrelandAnswer, sample: irishSamples },
}

/** The candidate of each variant, the default one first. */
export const variantCandidates: readonly (Variant & VariantCandidate)[] = variants.map((variant) => ({
  ...variant,
  ...candidates[variant.id],
}))
