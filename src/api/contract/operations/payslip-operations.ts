import { payslip } from '../records/payslip.ts'
import { type DeclaredOperation, pageOf } from './operation.ts'

/** Group "Payslips": "a list operation labelled v2 and a legacy-shape operation labelled v1". */
export const payslips = {
  list: {
    title: 'Get list of payslips (v2)',
    group: 'Payslips',
    method: 'GET',
    path: '/svc/v2/payslips',
    response: pageOf(() => payslip),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
  listLegacy: {
    title: 'Get Payslips (v1, legacy shape)',
    group: 'Payslips',
    method: 'GET',
    path: '/svc/v1/payslips',
    response: pageOf(() => payslip),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'fields'],
  },
} satisfies Record<string, DeclaredOperation>
