import { catalogue, type Operation } from './operation.ts'
import { auth, oauth } from './operations/auth.ts'
import { candidates } from './operations/candidates.ts'
import { documents } from './operations/documents.ts'
import { paymentRates } from './operations/payment-rates.ts'
import { payslips } from './operations/payslips.ts'
import { timesheets } from './operations/timesheets.ts'
import { vatCodes } from './operations/vat-codes.ts'

/** The 27 operations that interface.md names, and what is known of each. */
export const operations = catalogue({
  candidates,
  paymentRates,
  vatCodes,
  timesheets,
  payslips,
  documents,
  auth,
  oauth,
})

/** All of them, in the order of the catalogue. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)
