import { operations } from '../api/contract/operations/operations.ts'
import { resource } from './kit/resource.ts'

const { create, list, get, update } = operations.timesheets

/** assumed: nobody has two timesheets for one assignment and the same days. */
const workedBy = ['subcontractorRef', 'assignmentRef', 'startDate', 'endDate']

export const timesheets = resource({
  create: {
    operation: create,
    keys: [{ request: 'subcontractorRef', item: 'subcontractorRef' }],
    copies: { operation: get, without: ['startDate', 'endDate', 'taxPeriodConfig'] },
    summary: 'Create a timesheet: asks at a terminal, else reads JSON',
    examples: [
      'payroll timesheets create --file week-32.json',
      'payroll timesheets create --dry-run < week-32.json',
    ],
  },
  list: { operation: list, summary: 'List timesheets', examples: ['payroll timesheets list --limit 20'] },
  get: { operation: get, summary: 'Show one timesheet', examples: ['payroll timesheets get 51d0…'] },
  export: {
    list,
    summary: 'Write all timesheets to a file',
    examples: ['payroll timesheets export --out timesheets.csv'],
  },
  update: {
    operation: update,
    reads: get,
    summary: 'Change a timesheet: reads it, changes what you give, sends it whole',
    examples: ['payroll timesheets update 51d0… --set rates[0].units=37.5'],
  },
  import: {
    operation: create,
    list,
    kind: { noun: 'timesheets', key: { request: workedBy, item: workedBy }, identityFields: [] },
    summary: 'Create every timesheet of a file once, however often it is interrupted',
    examples: ['payroll timesheets import week-32.csv --dry-run', 'payroll timesheets import week-32.csv'],
  },
})
