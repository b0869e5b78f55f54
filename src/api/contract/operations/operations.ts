import { auth, oauth } from './auth-operations.ts'
import { candidates } from './candidate-operations.ts'
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

/** All operations, in the same order. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)
