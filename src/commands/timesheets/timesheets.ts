import type { Context } from '../../context/context.ts'
import { timesheetKind as kind } from '../../model/natural-key.ts'
import { operations } from '../../model/resources/operations.ts'
import { timesheetLine } from '../../model/resources/timesheet-line.ts'
import { personOn } from '../../model/whose.ts'
import { countryOptions } from '../cli/record-types.ts'
import type { Verb } from '../cli/verb.ts'
import { resource } from '../kit/resource.ts'

const { create, list, get, update } = operations.timesheets

const inWords = async (context: Context, codes: { readonly vat: boolean }) =>
  (await import('./rates.ts')).codesInLines(context, codes)

const common = resource({
  create: {
    operation: create,
    workKind: kind,
    keys: ['subcontractorRef'],
    copies: { operation: get, without: ['startDate', 'endDate', 'taxPeriodConfig'] },
    summary: 'Create a timesheet, with a form or from JSON',
    examples: [
      'payroll timesheets create --file week-32.json',
      'payroll timesheets create --dry-run < week-32.json',
    ],
  },
  list: {
    operation: list,
    whoseItem: personOn,
    sums: true,
    // A table has no room for the VAT.
    inWords: (context) => inWords(context, { vat: false }),
    summary: 'List timesheets: all, or those of one person',
    examples: [
      'payroll timesheets list SANDBOX-UK-01',
      'payroll timesheets list --limit 20',
      'payroll timesheets list --where "startDate>=2026-04-20"',
    ],
  },
  get: {
    operation: get,
    summary: 'Show one timesheet',
    examples: ['payroll timesheets get 51d0…'],
    afterwards: async (context, record) =>
      context.output.isRead ? (await inWords(context, { vat: true }))(record) : record,
  },
  export: {
    list,
    whoseItem: personOn,
    sheet: {
      type: timesheetLine,
      rows: async (context) => (await import('./rates.ts')).timesheetRows(context),
    },
    summary:
      'Export timesheets to a file: all, or those of one person; a sheet has a row for each rate of a timesheet',
    examples: ['payroll timesheets export --out timesheets.xlsx'],
  },
  update: {
    operation: update,
    get,
    summary: 'Change a timesheet: reads it, makes your changes, sends it back',
    examples: ['payroll timesheets update 51d0… --set "rates[0].units=37.5"'],
  },
  import: {
    operation: create,
    list,
    file: 'week-32.csv',
    kind,
    sheet: {
      type: timesheetLine,
      options: ['payDate'],
      rates: async (context) => (await import('./rates.ts')).namedRates(context),
      gather: async (context, source, about) =>
        (await import('./import.ts')).gatherTimesheets(context, source, about),
    },
    summary:
      "Create timesheets from a sheet with each person's week, hours and rates; safe to run again after an interruption",
    examples: ['payroll timesheets import week-32.csv --dry-run', 'payroll timesheets import week-32.csv'],
  },
})

const missing: Verb = {
  name: 'missing',
  summary: 'List who has no timesheet in a week, and how to reach them',
  options: ['weekEnding', ...countryOptions],
  // Without a country, people of all countries are listed.
  namesCountry: true,
  notes: [
    'Listed is who is paid by the hour, or worked in the four weeks before, has started and has not left. Without a country, the people of every country are looked at.',
  ],
  examples: [
    'payroll timesheets missing --week-ending "last sunday"',
    'payroll timesheets missing --week-ending yesterday --ireland --out missing.xlsx',
  ],
  answer: async () => {
    const { missingFields } = await import('./missing.ts')
    return { prints: 'json', shapes: [{ list: true, fields: missingFields }] }
  },
  async run(context, { options }) {
    const { listMissing } = await import('./missing.ts')
    await listMissing(context, options)
  },
}

export const timesheets = { ...common, verbs: [...common.verbs, missing] }
