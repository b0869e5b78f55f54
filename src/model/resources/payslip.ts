import { anything, text } from '../fields/field.ts'
import { type DeclaredOperation, pageShape } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of … payslip …: not shown." */
const payslip: RecordType = {
  displayName: 'a payslip',
  documented: false,
  columns: [
    'subcontractorName',
    'taxYear',
    'taxPeriod',
    'gross',
    'margin',
    'timesheetValue',
    'id',
    'agencyName',
  ],
  fields: {
    id: text('ID'),
    taxYear: anything('Tax year'),
    taxPeriod: anything('Tax period'),
    subcontractorName: text('Person'),
    agencyName: text('Agency'),
    timesheetValue: anything('Timesheet value', { money: true }),
    margin: anything('Margin', { money: true }),
    gross: anything('Gross', { money: true }),
  },
}

/** Group "Payslips": "a list operation labelled v2 and a legacy-shape operation labelled v1". */
export const payslips = {
  list: {
    title: 'Get list of payslips (v2)',
    group: 'Payslips',
    method: 'GET',
    path: '/svc/v2/payslips',
    response: pageShape(() => payslip),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  listLegacy: {
    title: 'Get Payslips (v1, legacy shape)',
    group: 'Payslips',
    method: 'GET',
    path: '/svc/v1/payslips',
    response: pageShape(() => payslip),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>
