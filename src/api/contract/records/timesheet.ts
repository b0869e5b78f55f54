import { anything, array, date, decimal, object, text } from '../fields/field.ts'
import { type DeclaredOperation, oneRecord, pageOf } from '../operations/operation.ts'
import type { RecordType } from './record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of timesheet …: not shown." */
export const timesheet: RecordType = {
  displayName: 'a timesheet',
  documented: false,
  idNames: ['timesheetId'],
  reference: { request: 'subcontractorRef', item: 'subcontractorRef' },
  names: [['subcontractorRef', 'startDate']],
  guarded: ['rates'],
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

/** Group "Timesheet". */
export const timesheets = {
  create: {
    title: 'Create timesheets',
    group: 'Timesheet',
    method: 'POST',
    path: '/svc/time-sheets',
    requestRecord: timesheet,
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  list: {
    title: 'list all timesheets',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets',
    response: pageOf(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  get: {
    title: 'get timesheet by id',
    group: 'Timesheet',
    method: 'GET',
    path: '/svc/time-sheets/{id}',
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
  update: {
    title: 'edit timesheet by id',
    group: 'Timesheet',
    method: 'PUT',
    path: '/svc/time-sheets/{id}',
    requestRecord: timesheet,
    response: oneRecord(() => timesheet),
    known: 'name',
    assumes: ['method', 'path', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>
