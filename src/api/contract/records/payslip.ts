import { anything, text } from '../fields/field.ts'
import type { RecordType } from './record-type.ts'

/** assumed: the fields seen for this kind of service. "Fields of … payslip …: not shown." */
export const payslip: RecordType = {
  displayName: 'a payslip',
  documented: false,
  columns: [
    'id',
    'taxYear',
    'taxPeriod',
    'subcontractorName',
    'agencyName',
    'timesheetValue',
    'margin',
    'gross',
  ],
  fields: {
    id: text('ID'),
    taxYear: anything('Tax year'),
    taxPeriod: anything('Tax period'),
    subcontractorName: text('Subcontractor'),
    agencyName: text('Agency'),
    timesheetValue: anything('Timesheet value'),
    margin: anything('Margin'),
    gross: anything('Gross'),
  },
}
