import { auth, oauth } from './auth-operations.ts'
import { candidates } from './candidate-operations.ts'
import { documents } from './document-operations.ts'
import { nameOperations, type Operation } from './operation.ts'
import { paymentRates } from './payment-rate-operations.ts'
import { payslips } from './payslip-operations.ts'
import { timesheets } from './timesheet-operations.ts'
import { vatCodes } from './vat-code-operations.ts'

/** The 27 operations that interface.md names, and what is known of each. */
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

/** All of them, in the order of the catalogue. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)
