import { paymentRate, paymentRateAnswer } from '../records/payment-rate.ts'
import { type DeclaredOperation, oneRecord, pageOf } from './operation.ts'

/** Group "PaymentRate". */
export const paymentRates = {
  create: {
    title: 'Create new Payment Rate',
    group: 'PaymentRate',
    method: 'POST',
    path: '/svc/payment-rate',
    requestRecord: paymentRate,
    response: oneRecord(() => paymentRateAnswer, 'data'),
    known: 'documented',
  },
  list: {
    title: 'list all payment rates',
    group: 'PaymentRate',
    method: 'GET',
    path: '/svc/payment-rate',
    response: pageOf(() => paymentRateAnswer),
    known: 'name',
    assumes: ['method', 'path', 'page and size apply', 'an item has the fields that create answers'],
  },
  get: {
    title: 'get payment rate by id',
    group: 'PaymentRate',
    method: 'GET',
    path: '/svc/payment-rate/{id}',
    response: oneRecord(() => paymentRateAnswer),
    known: 'name',
    assumes: ['method', 'path', 'the fields that create answers'],
  },
  update: {
    title: 'Update Payment Rate',
    group: 'PaymentRate',
    method: 'PUT',
    path: '/svc/payment-rate/{id}',
    requestRecord: paymentRate,
    response: oneRecord(() => paymentRateAnswer),
    known: 'name',
    assumes: ['method', 'path', 'the body of Create new Payment Rate', 'the fields that create answers'],
  },
} satisfies Record<string, DeclaredOperation>
