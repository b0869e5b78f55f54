import { operations } from '../api/contract/operations/operations.ts'
import type { ImportKind } from '../import/service.ts'
import { resource } from '../verbs/resource.ts'

const { create, list, get, update } = operations.timesheets

/** assumed: a person never has two timesheets for one assignment and the same days. */
const workedBy = ['subcontractorRef', 'assignmentRef', 'startDate', 'endDate']

const kind: ImportKind = {
  noun: 'timesheets',
  key: { request: workedBy, item: workedBy },
  identityFields: [],
  days: [2, 3],
}

export const timesheets = resource({
  create: {
    operation: create,
    overlaps: kind,
    keys: [{ request: 'subcontractorRef', item: 'subcontractorRef' }],
    copies: { operation: get, without: ['startDate', 'endDate', 'taxPeriodConfig'] },
    summary: 'Create a timesheet, with a form or from JSON',
    examples: [
      'payroll timesheets create --file week-32.json',
      'payroll timesheets create --dry-run < week-32.json',
    ],
  },
  list: {
    operation: list,
    summary: 'List timesheets',
    examples: [
      'payroll timesheets list --limit 20',
      'payroll timesheets list --where "startDate>=2026-04-20"',
    ],
  },
  get: { operation: get, summary: 'Show one timesheet', examples: ['payroll timesheets get 51d0…'] },
  export: {
    list,
    summary: 'Export all timesheets to a file',
    examples: ['payroll timesheets export --out timesheets.csv'],
  },
  update: {
    operation: update,
    reads: get,
    summary: 'Change a timesheet: reads it, makes your changes, sends it back',
    examples: ['payroll timesheets update 51d0… --set "rates[0].units=37.5"'],
  },
  import: {
    operation: create,
    list,
    kind,
    summary: 'Create or change one timesheet for each row of a file; safe to run again after an interruption',
    examples: ['payroll timesheets import week-32.csv --dry-run', 'payroll timesheets import week-32.csv'],
  },
})
