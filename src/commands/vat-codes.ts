import { operations } from '../model/resources/operations.ts'
import { resource } from './kit/resource.ts'

/** Group "VAT Codes". */
export const vatCodes = resource({
  list: {
    operation: operations.vatCodes.list,
    summary: 'List the default VAT codes',
    examples: ['payroll vat-codes list', 'payroll vat-codes list --json | jq -r ".[].id"'],
  },
})
