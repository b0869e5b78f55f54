import { operations } from '../../model/resources/operations.ts'
import { resource } from '../kit/resource.ts'

const { create, list, get, update } = operations.paymentRates

export const paymentRates = resource({
  create: {
    operation: create,
    unique: true,
    copies: { operation: get, without: ['code'] },
    summary: 'Create a payment rate, with a form or from JSON',
    examples: ['payroll payment-rates create', 'payroll payment-rates create --file rate.json'],
  },
  list: {
    operation: list,
    summary: 'List payment rates',
    examples: ['payroll payment-rates list', 'payroll payment-rates list --json | jq -r ".[].code"'],
  },
  get: { operation: get, summary: 'Show one payment rate', examples: ['payroll payment-rates get 7c2e…'] },
  export: {
    list,
    create,
    summary: 'Export all payment rates to a file',
    examples: ['payroll payment-rates export --out rates.csv'],
  },
  update: {
    operation: update,
    get,
    unique: true,
    summary: 'Change a payment rate: reads it, makes your changes, sends it back',
    examples: ['payroll payment-rates update 7c2e… --set description="Night shift"'],
  },
  import: {
    operation: create,
    list,
    file: 'rates.csv',
    kind: {
      noun: 'payment rates',
      key: { request: ['code'], item: ['code'] },
      identityFields: [],
    },
    sheet: {
      gather: async (context, source, about) =>
        (await import('./import.ts')).findVatCodes(context, source, about),
    },
    summary:
      'Create or change one payment rate for each row of a file; safe to run again after an interruption',
    examples: [
      'payroll payment-rates import rates.csv --dry-run',
      'payroll payment-rates import rates.csv --update --plan plan.xlsx --dry-run',
    ],
  },
})
