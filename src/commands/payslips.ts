import { operations } from '../api/contract/operations/operations.ts'
import { resource } from '../verbs/resource.ts'

export const payslips = resource({
  list: {
    operation: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    summary: 'List payslips',
    examples: [
      'payroll payslips list',
      'payroll payslips list --where "taxPeriod=3" --out april.xlsx',
      'payroll payslips list --legacy --json > payslips.json',
    ],
  },
  export: {
    list: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    goesOn: true,
    summary: 'Export all payslips to a file, or only the new ones',
    examples: [
      'payroll payslips export --out payslips.xlsx',
      'payroll payslips export --since-last nightly --quiet --out new.csv',
      'payroll payslips export --since-last friday --expect-min 200 -o ndjson',
    ],
  },
})
