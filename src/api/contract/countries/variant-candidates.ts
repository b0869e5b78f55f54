import type { Samples } from '../candidate/samples.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Variant, type VariantId, variants } from '../variants.ts'
import { candidateIreland, candidateIrelandAnswer } from './ireland/candidate/candidate-ireland.ts'
import { irishSamples } from './ireland/candidate/sample-ireland.ts'
import { candidate, candidateAnswer } from './uk/candidate/candidate-uk.ts'
import { ukSamples } from './uk/candidate/sample-uk.ts'

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
