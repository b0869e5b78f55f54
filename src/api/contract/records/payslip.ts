import { anything, text } from '../fields/field.ts'
import type { RecordType } from './record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of … payslip …: not shown." */
export const payslip: RecordType = {
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
    subcontractorName: text('Subcontractor'),
    agencyName: text('Agency'),
    timesheetValue: anything('Timesheet value', { money: true }),
    margin: anything('Margin', { money: true }),
    gross: anything('Gross', { money: true }),
  },
}
