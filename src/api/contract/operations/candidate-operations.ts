import { irelandOperations } from '../countries/ireland/ireland-operations.ts'
import { ukOperations } from '../countries/uk/uk-operations.ts'
import { type OperationSuffix, type VariantId, variants } from '../variants.ts'
import { type CandidateOperations, type CandidateVerb, candidateVerbs } from './candidate-verb.ts'
import type { DeclaredOperation } from './operation.ts'

/**
 * The operations of each country. Their records are asked for when they are needed, because the build loads their two
 * hundred fields only then: a list shown as JSON needs none.
 */
const byCountry: Readonly<Record<VariantId, CandidateOperations>> = {
  uk: ukOperations,
  ireland: irelandOperations,
}

/** All of them, under names that end in their country: `create`, `createIreland`. */
export const candidates = Object.fromEntries(
  variants.flatMap(({ id, operationSuffix }) =>
    candidateVerbs.map((verb) => [`${verb}${operationSuffix}`, byCountry[id][verb]]),
  ),
) as Readonly<Record<`${CandidateVerb}${OperationSuffix}`, DeclaredOperation>>
