import { operations } from '../api/contract/operations/operations.ts'
import { resource } from '../verbs/resource.ts'

export const vatCodes = resource({
  list: {
    operation: operations.vatCodes.list,
    summary: 'List the default VAT codes',
    examples: ['payroll vat-codes list', 'payroll vat-codes list --json | jq -r ".[].id"'],
  },
})
