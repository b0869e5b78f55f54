import { anything, array, date, decimal, object, text } from '../fields/field.ts'
import type { RecordType } from './record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of timesheet …: not shown." */
export const timesheet: RecordType = {
  displayName: 'a timesheet',
  documented: false,
  reference: { request: 'subcontractorRef', item: 'subcontractorRef' },
  columns: ['subcontractorRef', 'assignmentRef', 'startDate', 'endDate', 'id', 'taxYear'],
  fields: {
    subcontractorRef: text('Subcontractor reference', {
      essential: true,
      standard: 'reference',
      help: "The candidate's agencyRef.",
    }),
    assignmentRef: text('Assignment reference', { essential: true, standard: 'reference' }),
    startDate: date('From', { essential: true }),
    endDate: date('To', { essential: true }),
    rates: array(
      'Rates',
      object('Rate', {
        rateId: text('Payment rate ID'),
        rate: decimal('Rate', { money: true, help: 'For one unit, such as 21.50. Sent as text.' }),
        vatID: text('VAT code ID'),
        units: decimal('Units', { help: 'Such as 37.5 hours. Sent as text.' }),
      }),
      { essential: true },
    ),
    taxYear: anything('Tax year'),
    taxPeriodConfig: anything('Tax period'),
  },
}
