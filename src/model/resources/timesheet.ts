import { anything, array, date, decimal, object, text } from '../fields/field.ts'
import { operationsOn } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'

/** assumed: a timesheet has one line for each rate code and rate. */
const hourLines = { by: ['rateId', 'rate'], amount: 'units' } as const

/** assumed: the fields seen for this kind of service. "Fields of timesheet …: not shown." */
export const timesheet: RecordType = {
  displayName: 'a timesheet',
  documented: false,
  idNames: ['timesheetId'],
  reference: 'subcontractorRef',
  names: [['subcontractorRef', 'startDate']],
  days: ['startDate', 'endDate'],
  lines: { path: 'rates', ...hourLines },
  neverWithout: ['rates'],
  columns: ['subcontractorRef', 'endDate', 'rates', 'id', 'startDate', 'assignmentRef', 'taxYear'],
  fields: {
    subcontractorRef: text('Person', {
      essential: true,
      standard: 'reference',
      picks: 'person',
      help: 'Who worked: type a part of the name or of the agency reference.',
      note: "The candidate's agencyRef.",
    }),
    assignmentRef: text('Assignment reference', { essential: true, standard: 'reference' }),
    startDate: date('From', { essential: true, help: 'The first day of the week that was worked.' }),
    endDate: date('Week ending', { essential: true, help: 'The last day of the week that was worked.' }),
    rates: array(
      'Rates',
      object('Rate', {
        rateId: text('Payment rate', {
          picks: 'payment-rate',
          help: 'What kind of work it was: standard hours, overtime, a day rate. The code of a payment rate.',
        }),
        rate: decimal('Pay rate', {
          money: true,
          help: 'What one hour is paid, such as 21.50; what one day is paid where it is a day rate. Of an umbrella company the assignment rate: what the agency pays for the hour.',
          note: 'Sent as text.',
        }),
        vatID: text('VAT code', { picks: 'vat-code' }),
        units: decimal('Hours', {
          hours: true,
          help: 'How many hours were worked, such as 37.5; how many days where it is a day rate, such as 5.',
          note: 'The units of the payment rate. Sent as text.',
        }),
      }),
      { essential: true, line: hourLines },
    ),
    taxYear: anything('Tax year', { essential: true, help: 'Such as 2026/27.' }),
    taxPeriodConfig: anything('Tax period', {
      essential: true,
      help: 'The week or the month of the tax year, such as Week 1.',
    }),
  },
}

/** Group "Timesheet". */
export const timesheets = operationsOn(
  { group: 'Timesheet', path: '/svc/time-sheets', sent: () => timesheet },
  {
    create: { title: 'Create timesheets', known: 'name', assumes: ['method', 'path', 'fields'] },
    list: {
      title: 'list all timesheets',
      known: 'name',
      assumes: ['method', 'path', 'page and size apply', 'fields'],
    },
    get: { title: 'get timesheet by id', known: 'name', assumes: ['method', 'path', 'fields'] },
    update: { title: 'edit timesheet by id', known: 'name', assumes: ['method', 'path', 'fields'] },
  },
)
