import { flag, integer, number, object, text, timestamp, without } from '../fields/field.ts'
import { oneRecord, operationsOn } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'
import { vatCode } from './vat-code.ts'

const fields = {
  code: text('Code', { essential: true }),
  description: text('Description', { essential: true }),
  type: text('Type', { essential: true, exampleValues: ['RATE'] }),
  units: text('Units', {
    essential: true,
    exampleValues: ['DAILY'],
    codes: 'rate-units',
    help: 'What it is paid by: the hour, the day. A timesheet says how many.',
  }),
  hoursPerUnit: number('Hours per unit', {
    essential: true,
    hours: true,
    help: 'How many hours one of them has: 1 where it is paid by the hour, 7.5 for a day of 7.5 hours.',
  }),
  status: text('Status', {
    essential: true,
    exampleValues: ['ACTIVE'],
    preset: { value: 'ACTIVE' },
  }),
  includeTaxCalculation: flag('Taxable', { essential: true }),
  includeNICalculation: flag('Subject to NI', { essential: true }),
  includePensionCalculation: flag('Pensionable', { essential: true }),
  displayOnPayslip: flag('Show on the payslip', { essential: true }),
  includeAccrueHolidayPay: flag('Accrues holiday pay'),
  includeInCisCalculation: flag('In the CIS calculation'),
  includeInPayeCalculation: flag('In the PAYE calculation'),
  raiseInvoice: flag('Raise an invoice'),
  defaultVATCode: text('Default VAT code', {
    essential: true,
    picks: 'vat-code',
    help: 'Of the VAT codes that the service has.',
    note: 'The identifier of a VAT code.',
  }),
}

/** "includeInPayeCalculation appears as includeInPayeUmbrellaCalculation, and defaultVATCode is an object". */
export const paymentRateAnswer: RecordType = {
  displayName: 'a payment rate',
  documented: true,
  idNames: ['rateId', 'paymentRateId'],
  columns: ['code', 'description', 'id', 'units', 'hoursPerUnit', 'status', 'type'],
  fields: {
    id: text('ID'),
    incrementId: integer('Number'),
    ...without(fields, 'includeInPayeCalculation', 'defaultVATCode'),
    hoursPerUnit: text('Hours per unit', { help: 'numeric text', numeric: true }),
    includeInPayeUmbrellaCalculation: flag('In the PAYE calculation'),
    isStatutory: flag('Statutory', { nullable: true }),
    defaultVATCode: object('Default VAT code', vatCode.fields),
    author: text('Author', { help: 'user identifier' }),
    createdAt: timestamp('Created'),
    updatedAt: timestamp('Updated'),
  },
}

/** "Request body of Create new Payment Rate". */
export const paymentRate: RecordType = {
  displayName: 'a payment rate',
  documented: true,
  reference: 'code',
  // Every other field has a part in what is paid, and the document answers them all.
  valuable: Object.keys(without(fields, 'description', 'displayOnPayslip')),
  names: [['code'], ['description']],
  fields,
  answer: {
    type: paymentRateAnswer,
    names: [
      ['includeInPayeCalculation', 'includeInPayeUmbrellaCalculation'],
      ['', ''],
    ],
  },
  // "isStatutory: nullable boolean", "author: string (user identifier)".
  serviceOwned: ['isStatutory', 'author'],
}

/** Group "PaymentRate". */
export const paymentRates = operationsOn(
  {
    group: 'PaymentRate',
    path: '/svc/payment-rate',
    sent: () => paymentRate,
    answered: () => paymentRateAnswer,
  },
  {
    create: {
      title: 'Create new Payment Rate',
      response: oneRecord(() => paymentRateAnswer, 'data'),
      known: 'documented',
    },
    list: {
      title: 'list all payment rates',
      known: 'name',
      assumes: ['method', 'path', 'page and size apply', 'an item has the fields that create answers'],
    },
    get: {
      title: 'get payment rate by id',
      known: 'name',
      assumes: ['method', 'path', 'the fields that create answers'],
    },
    update: {
      title: 'Update Payment Rate',
      known: 'name',
      assumes: ['method', 'path', 'the body of Create new Payment Rate', 'the fields that create answers'],
    },
  },
)
