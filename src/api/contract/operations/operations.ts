import { type VariantId, variants } from '../variants.ts'
import { auth, oauth } from './auth-operations.ts'
import { candidates } from './candidate-operations.ts'
import { type CandidateVerb, candidateVerbs } from './candidate-verb.ts'
import { documents } from './document-operations.ts'
import { nameOperations, type Operation } from './operation.ts'
import { paymentRates } from './payment-rate-operations.ts'
import { payslips } from './payslip-operations.ts'
import { timesheets } from './timesheet-operations.ts'
import { vatCodes } from './vat-code-operations.ts'

/** The operations of interface.md. */
export const operations = nameOperations({
  candidates,
  paymentRates,
  vatCodes,
  timesheets,
  payslips,
  documents,
  auth,
  oauth,
})

/** The operations of the candidates of each country, by what they do. */
export const candidatesByVariant = Object.fromEntries(
  variants.map(({ id, operationSuffix }) => [
    id,
    Object.fromEntries(
      candidateVerbs.map((verb) => [verb, operations.candidates[`${verb}${operationSuffix}`]]),
    ),
  ]),
) as Readonly<Record<VariantId, Readonly<Record<CandidateVerb, Operation>>>>

/** All operations, in the same order. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)
