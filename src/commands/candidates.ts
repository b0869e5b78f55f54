import { operations } from '../api/contract/operations.ts'
import { resource } from './kit/resource.ts'

const { create, list, get, update, createIreland, listIreland, getIreland, updateIreland } =
  operations.candidates

export const candidates = resource({
  create: {
    operation: { uk: create, ireland: createIreland },
    find: {
      operation: { uk: list, ireland: listIreland },
      key: { request: 'generalSetting.agencyRef', item: 'agencyRef' },
    },
    summary: 'Create a candidate: asks at a terminal, else reads JSON',
    examples: [
      'payroll candidates create --ireland',
      'payroll candidates create --file starter.json --set payrollSetting.taxCode=1257L',
      'jq .starter today.json | payroll candidates create --ireland --json',
      'payroll candidates create --file starter.json --dry-run',
    ],
  },
  list: {
    operation: { uk: list, ireland: listIreland },
    summary: 'List candidates',
    examples: ['payroll candidates list --ireland', "payroll candidates list --json | jq -r '.[].email'"],
  },
  get: {
    operation: { uk: get, ireland: getIreland },
    summary: 'Show one candidate',
    examples: ['payroll candidates get 4f1c… --ireland', 'payroll candidates get 4f1c… --reveal'],
  },
  update: {
    operation: { uk: update, ireland: updateIreland },
    reads: { uk: get, ireland: getIreland },
    summary: 'Change a candidate: reads it, changes what you give, sends it whole',
    examples: [
      'payroll candidates update 4f1c… --set generalSetting.city=Leeds',
      'payroll candidates update 4f1c… --ireland --file change.json --dry-run',
    ],
  },
  export: {
    list: { uk: list, ireland: listIreland },
    create: { uk: create, ireland: createIreland },
    get: { uk: get, ireland: getIreland },
    summary: 'Write all candidates to a file, as they would be created',
    examples: [
      'payroll candidates export --ireland --out starters.xlsx',
      'payroll candidates export --excel --out starters.csv',
      'payroll candidates export --format ndjson > starters.ndjson',
    ],
  },
})
