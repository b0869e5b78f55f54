import { operations } from '../api/contract/operations/operations.ts'
import { variantTargets } from './kit/declare/target.ts'
import { resource } from './kit/resource.ts'

const { create, list, get, update } = variantTargets(operations.candidates)

export const candidates = resource({
  create: {
    operation: create,
    find: {
      operation: list,
      key: { request: 'generalSetting.agencyRef', item: 'agencyRef' },
    },
    keys: [{ request: 'generalSetting.email', item: 'email' }],
    // The terms of the work. Of the person nothing: pay would go to somebody else's account.
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
        'payrollSetting.holidayPayOpeningBalance',
        'payrollSetting.expenseOpeningBalance',
      ],
    },
    summary: 'Create a candidate: asks at a terminal, else reads JSON',
    examples: [
      'payroll candidates create --ireland',
      'payroll candidates create --file starter.json --set payrollSetting.taxCode=1257L',
      'payroll candidates create --from 4f1c…    # the terms of that one: job, pay, pension, margin; nothing of the person',
      'jq .starter today.json | payroll candidates create --ireland --json',
      'payroll candidates create --file starter.json --dry-run',
    ],
  },
  list: {
    operation: list,
    summary: 'List candidates',
    examples: ['payroll candidates list --ireland', "payroll candidates list --json | jq -r '.[].email'"],
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
    summary: 'Write all candidates to a file, as they would be created',
    examples: [
      'payroll candidates export --ireland --out starters.xlsx',
      'payroll candidates export --excel --out starters.csv',
      'payroll candidates export --format ndjson > starters.ndjson',
    ],
  },
  update: {
    operation: update,
    reads: get,
    summary: 'Change a candidate: reads it, changes what you give, sends it whole',
    examples: [
      'payroll candidates update 4f1c… --set generalSetting.city=Leeds',
      'payroll candidates update 4f1c… --ireland --file change.json --dry-run',
    ],
  },
  import: {
    operation: create,
    list,
    kind: {
      noun: 'candidates',
      key: { request: ['generalSetting.agencyRef'], item: ['agencyRef'] },
      identityFields: [
        ['generalSetting.forename', 'forename'],
        ['generalSetting.surname', 'surname'],
        ['generalSetting.DOB', 'DOB'],
      ],
    },
    summary: 'Create every candidate of a file once, however often it is interrupted',
    examples: [
      'payroll candidates import starters.csv --dry-run',
      'payroll candidates import starters.csv --ireland',
      'payroll candidates import starters.csv --yes --quiet   # again after any interruption: it goes on',
    ],
  },
})
