import { anything, array, date, decimal, object, text } from '../fields/field.ts'
import type { RecordType } from './record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of timesheet …: not shown." */
export const timesheet: RecordType = {
  displayName: 'a timesheet',
  documented: false,
  idNames: ['timesheetId'],
  reference: { request: 'subcontractorRef', item: 'subcontractorRef' },
  columns: ['subcontractorRef', 'assignmentRef', 'startDate', 'endDate', 'id', 'taxYear'],
  fields: {
    subcontractorRef: text('Person', {
      essential: true,
      standard: 'reference',
      picks: 'person',
      help: 'Who worked: type a part of the name or of the agency reference.',
      note: "The candidate's agencyRef.",
    }),
    assignmentRef: text('Assignment reference', { essential: true, standard: 'reference' }),
    startDate: date('From', { essential: true }),
    endDate: date('To', { essential: true }),
    rates: array(
      'Rates',
      object('Rate', {
        rateId: text('Payment rate', {
          picks: 'payment-rate',
          help: 'Of the payment rates that the service has. To see their IDs: payroll payment-rates list',
        }),
        rate: decimal('Amount', { money: true, help: 'For one unit, such as 21.50.', note: 'Sent as text.' }),
        vatID: text('VAT code', { picks: 'vat-code' }),
        units: decimal('Units', { help: 'Such as 37.5 hours.', note: 'Sent as text.' }),
      }),
      { essential: true },
    ),
    taxYear: anything('Tax year', { essential: true, help: 'Such as 2026/27.' }),
    taxPeriodConfig: anything('Tax period', {
      essential: true,
      help: 'The week or the month of the tax year, such as Week 1.',
    }),
  },
}
