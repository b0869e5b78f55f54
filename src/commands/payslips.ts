import { operations } from '../api/contract/operations.ts'
import { resource } from './kit/resource.ts'

export const payslips = resource({
  list: {
    operation: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    summary: 'List payslips',
    examples: ['payroll payslips list', 'payroll payslips list --legacy --json > payslips.json'],
  },
})
