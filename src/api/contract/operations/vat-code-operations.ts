import { vatCode } from '../records/vat-code.ts'
import { type Described, page } from './operation.ts'

/** Group "VAT Codes". */
export const vatCodes = {
  list: {
    title: 'Get list of default VAT Codes',
    group: 'VAT Codes',
    method: 'GET',
    path: '/svc/vat-code',
    answers: page(vatCode),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'an item is a VAT code as in a payment rate'],
  },
} satisfies Record<string, Described>
