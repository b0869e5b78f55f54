import { expect, test, vi } from 'vitest'
import { statusFault, usualFaults } from '../../../src/sandbox/faults/faults.ts'
import { type Faulty, faulty, type Met } from './faulty-sandbox.ts'

const create = { method: 'POST', path: '/svc/payment-rate', body: { code: 'MADE' } }
const isDone = ({ database }: Faulty) => database.tables.paymentRates.all('').length === 1

/** How an answer ends, and its status: that of a fault by its name. */
function expected(name: string): Partial<Met> {
  const [, status] = /^status=(\d+)/.exec(name) ?? []
  if (status !== undefined) return { end: 'whole', status: Number(status) }
  if (name.startsWith('reset')) return { end: 'reset', status: 0 }
  return { end: 'open', status: 0 }
}

const statuses = ['status=400', 'status=503', 'status=504-after-commit'].flatMap(
  (name) => statusFault(name) ?? [],
)

test.each([...usualFaults, ...statuses])('the fault $name is met as told: $summary', async ({ name }) => {
  const served = await faulty(name)
  const patienceMs = expected(name).end === 'open' ? 400 : undefined
  const met = await served.send(create, patienceMs)
  expect({ end: met.end, status: met.status }).toEqual(expected(name))
  const applied = /after-commit|before-headers/.test(name)
  await vi.waitFor(() => expect(isDone(served)).toBe(applied), 5000)
})

test('what the service refuses is answered as ever, and not done, by a fault that answers otherwise', async () => {
  const { send } = await faulty('status=500-after-commit')
  const met = await send({ ...create, body: { code: 7 } })
  expect([met.status, JSON.parse(met.text).success]).toEqual([400, false])
})
