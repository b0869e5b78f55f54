import { operations } from '../api/contract/operations/operations.ts'
import { resource } from './kit/resource.ts'

const { create, list, get, update } = operations.paymentRates

export const paymentRates = resource({
  create: {
    operation: create,
    keys: [{ request: 'code', item: 'code' }],
    copies: { operation: get, without: ['code'] },
    summary: 'Create a payment rate: asks at a terminal, else reads JSON',
    examples: ['payroll payment-rates create', 'payroll payment-rates create --file rate.json'],
  },
  list: {
    operation: list,
    summary: 'List payment rates',
    examples: ['payroll payment-rates list', "payroll payment-rates list --json | jq -r '.[].code'"],
  },
  get: { operation: get, summary: 'Show one payment rate', examples: ['payroll payment-rates get 7c2e…'] },
  export: {
    list,
    create,
    summary: 'Write all payment rates to a file, as they would be created',
    examples: ['payroll payment-rates export --out rates.csv'],
  },
  update: {
    operation: update,
    reads: get,
    summary: 'Change a payment rate: reads it, changes what you give, sends it whole',
    examples: ['payroll payment-rates update 7c2e… --set description="Night shift"'],
  },
})
