import { vatCode } from '../records/vat-code.ts'
import { type DeclaredOperation, pageOf } from './operation.ts'

/** Group "VAT Codes". */
export const vatCodes = {
  list: {
    title: 'Get list of default VAT Codes',
    group: 'VAT Codes',
    method: 'GET',
    path: '/svc/vat-code',
    response: pageOf(() => vatCode),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'an item is a VAT code as in a payment rate'],
  },
} satisfies Record<string, DeclaredOperation>
