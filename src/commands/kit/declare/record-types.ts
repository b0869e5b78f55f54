import { variantCandidates } from '../../../api/contract/candidate/variant-candidates.ts'
import { document } from '../../../api/contract/records/document.ts'
import { paymentRate, paymentRateAnswer } from '../../../api/contract/records/payment-rate.ts'
import { payslip } from '../../../api/contract/records/payslip.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { timesheet } from '../../../api/contract/records/timesheet.ts'
import { vatCode } from '../../../api/contract/records/vat-code.ts'

/** A kind of record, as it is sent, where it is sent, and as it is answered. */
export interface RecordTypes {
  readonly sent?: RecordType
  readonly answered: RecordType
}

/** The records by the name that a person types: `explain candidates.ireland`, `schema payment-rates`. */
export const recordTypesByName: Readonly<Record<string, RecordTypes>> = {
  ...Object.fromEntries(
    variantCandidates.map(({ id, sent, answered }) => [`candidates.${id}`, { sent, answered }]),
  ),
  'payment-rates': { sent: paymentRate, answered: paymentRateAnswer },
  'vat-codes': { answered: vatCode },
  timesheets: { sent: timesheet, answered: timesheet },
  payslips: { answered: payslip },
  documents: { sent: document, answered: document },
}
