import { defaultCountry } from '../../model/countries/countries.ts'
import { candidateKind } from '../../model/natural-key.ts'
import { candidateTargets, countryOptionsOf } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
import { resource } from '../kit/resource.ts'

const { create, list, get, update } = candidateTargets

const common = resource({
  create: {
    operation: create,
    find: true,
    unique: true,
    keys: ['generalSetting.email'],
    // Only the terms of the work: with bank details, pay would go to another person's account.
    copies: {
      operation: get,
      sections: ['job', 'pension', 'holiday', 'margin', 'account'],
      without: [
        'generalSetting.dateOfJoining',
        'generalSetting.payrollCalculationStart',
        'generalSetting.payrollCalculationEnd',
        'generalSetting.registrationStatus',
        'generalSetting.loginId',
        'generalSetting.pensionSetting.optState',
        'generalSetting.pensionSetting.memberId',
        'generalSetting.pensionSetting.outsideUKWorker',
        'generalSetting.pensionSetting.lastAssessmentOn',
        'generalSetting.pensionSetting.dateOnClassifiedOn',
        'generalSetting.pensionSetting.ejhDate',
        'generalSetting.pensionSetting.postponementEndDate',
        'generalSetting.pensionSetting.membershipStartDate',
        'generalSetting.pensionSetting.optInDate',
        'generalSetting.pensionSetting.optOutDate',
        'payrollSetting.paymentModel',
        'payrollSetting.holidayPayOpeningBalance',
        'payrollSetting.expenseOpeningBalance',
      ],
    },
    summary: 'Create a candidate, with a form or from JSON',
    examples: [
      'payroll candidates create --ireland',
      'payroll candidates create --file starter.json --set payrollSetting.taxCode=1257L',
      'payroll candidates create --from 4f1c…    # copies job, pay, pension and margin; no personal details',
      'jq .starter today.json | payroll candidates create --ireland --json',
      'payroll candidates create --file starter.json --unique    # not if the reference is taken',
      'payroll candidates create --file starter.json --dry-run',
    ],
  },
  list: {
    operation: list,
    sums: true,
    summary: 'List candidates',
    examples: [
      'payroll candidates list --ireland',
      'payroll candidates list --where "dateOfJoining>=2026-04-06" --sort surname',
      'payroll candidates list --json | jq -r ".[].email"',
    ],
  },
  get: {
    operation: get,
    summary: 'Show one candidate',
    examples: ['payroll candidates get 4f1c… --ireland', 'payroll candidates get 4f1c… --reveal'],
  },
  export: {
    list,
    create,
    get,
    summary: 'Export all candidates to a file that can be imported again',
    examples: [
      'payroll candidates export --ireland --out starters.xlsx',
      'payroll candidates export --excel --out starters.csv',
      'payroll candidates export -o ndjson > starters.ndjson',
    ],
  },
  update: {
    operation: update,
    get,
    unique: true,
    summary: 'Change a candidate: reads it, makes your changes, sends it back',
    examples: [
      'payroll candidates update SANDBOX-UK-01    # opens a form, and shows old and new',
      'payroll candidates update SANDBOX-UK-01 --set "tax code=0T" --set "hourly rate=13.10"',
      'payroll candidates update 4f1c… --ireland --file change.json --dry-run',
    ],
  },
  import: {
    operation: create,
    list,
    file: 'starters.csv',
    kind: candidateKind,
    summary: 'Create or change one candidate for each row of a file; safe to run again after an interruption',
    examples: [
      'payroll candidates import starters.csv --dry-run',
      'payroll candidates import starters.csv --ireland',
      'payroll candidates import starters.csv --ready-only --results results.xlsx',
      'payroll candidates import staff.csv --update --plan plan.xlsx --dry-run   # what would change, old and new',
      'payroll candidates import starters.csv --yes --quiet   # after an interruption, run it again: it continues',
    ],
  },
})

const find: Verb = {
  name: 'find',
  summary:
    'Find people in every country by name, reference, NI or PPS number, e-mail, telephone, postcode or job',
  examples: ['payroll candidates find sample', 'payroll candidates find ni shampla --json | jq -r ".[].id"'],
  arguments: [
    {
      name: 'text',
      summary:
        'a part of a name, job, reference, e-mail, telephone number or postcode, or the beginning of an id',
      variadic: true,
    },
  ],
  options: countryOptionsOf(list),
  // Without a country, all of them are searched.
  optionTexts: { [defaultCountry.id]: `for people paid ${defaultCountry.inPlace}` },
  answer: async () => ({ prints: 'json', shapes: [(await import('./find.ts')).foundShape] }),
  run: async (context, { arguments: { text = '' }, options }) =>
    (await import('./find.ts')).findPeople(context, text, options),
}

export const candidates = { ...common, verbs: common.verbs.toSpliced(2, 0, find) }
