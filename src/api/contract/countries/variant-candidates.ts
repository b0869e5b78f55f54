import type { RecordType } from '../records/record-type.ts'
import type { Samples } from '../samples.ts'
import { type Variant, type VariantId, variants } from '../variants.ts'
import { candidateIreland, candidateIrelandAnswer, irishSamples } from './ireland/candidate.ts'
import { candidate, candidateAnswer, ukSamples } from './uk/candidate.ts'

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
