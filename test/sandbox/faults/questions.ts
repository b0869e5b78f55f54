import type { Operation } from '../../../src/model/operations/operation.ts'
import { operations } from '../../../src/model/operations/operations.ts'
import type { Database } from '../../../src/sandbox/database/database.ts'
import type { Asked } from './faulty-sandbox.ts'

const since = Date.UTC(2026, 3, 6)
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const [employee, document] = [id(9001), id(9002)]

/** What is there before anything is asked: 45 payment rates, and a worker with a document. */
export function addRecords({ tables, transaction }: Database): void {
  transaction(() => {
    for (let n = 1; n <= 45; n++) tables.paymentRates.insert('', { code: `RATE-${n}` }, since, id(n))
    tables.candidates.insert('uk', {}, since, employee)
    tables.documents.insert(employee, { name: 'note.txt' }, since, document)
  })
}

/** A question of each kind, and whether the service has done what it asks. */
export interface Question extends Asked {
  readonly operation: Operation
  readonly done?: (database: Database) => boolean
}

const hasCode = ({ tables }: Database, code: string) =>
  tables.paymentRates.all('').some(({ body }) => body.code === code)

export const questions: Readonly<Record<string, Question>> = {
  one: { operation: operations.paymentRates.get, method: 'GET', path: `/svc/payment-rate/${id(1)}` },
  page: { operation: operations.paymentRates.list, method: 'GET', path: '/svc/payment-rate?page=2&size=10' },
  create: {
    operation: operations.paymentRates.create,
    method: 'POST',
    path: '/svc/payment-rate',
    body: { code: 'MADE' },
    done: (database) => hasCode(database, 'MADE'),
  },
  createUk: {
    operation: operations.candidates.create,
    method: 'POST',
    path: '/svc/candidates',
    body: {},
    done: ({ tables }) => tables.candidates.count('uk') === 2,
  },
  createIreland: {
    operation: operations.candidates.createIreland,
    method: 'POST',
    path: '/svc/candidates/ireland',
    body: {},
    done: ({ tables }) => tables.candidates.count('ireland') === 1,
  },
  update: {
    operation: operations.paymentRates.update,
    method: 'PUT',
    path: `/svc/payment-rate/${id(2)}`,
    body: { code: 'CHANGED' },
    done: (database) => hasCode(database, 'CHANGED'),
  },
  delete: {
    operation: operations.documents.delete,
    method: 'DELETE',
    path: `/svc/employees/${employee}/documents/${document}`,
    done: ({ tables }) => tables.documents.count(employee) === 0,
  },
}
