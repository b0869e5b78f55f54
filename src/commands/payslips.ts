import { operations } from '../api/contract/operations.ts'
import { resource } from './kit/resource.ts'

export const payslips = resource({
  list: {
    operation: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    summary: 'List payslips',
    examples: ['payroll payslips list', 'payroll payslips list --legacy --json > payslips.json'],
  },
  export: {
    operation: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    summary: 'Write payslips to a file: CSV, NDJSON or a workbook',
    examples: [
      'payroll payslips export --out payslips.xlsx',
      'payroll payslips export --since-last nightly --expect-min 1 --quiet --out new-payslips.csv',
    ],
  },
})
