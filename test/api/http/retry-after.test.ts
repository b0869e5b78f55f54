import { expect, test } from 'vitest'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import type { HttpResponse } from '../../../src/api/http/attempt.ts'
import { createRetryPolicy } from '../../../src/api/http/retry.ts'

const answered = (status: number, headers: Record<string, string> = {}): { response: HttpResponse } => ({
  response: { status, headers: new Headers(headers), body: { text: '{}', isJson: true, value: {} } },
})

test('a request that begins while the service wants to be left alone waits before it is sent', async () => {
  let now = 0
  const happened: string[] = []
  const goneOn: (() => void)[] = []
  const patience = createRetryPolicy({
    monotonicNow: () => now,
    random: () => 0.5,
    sleep: (ms) => {
      happened.push(`waits ${ms}`)
      return new Promise((resolve) => goneOn.push(resolve))
    },
  })
  const { list } = operations.vatCodes
  let tries = 0
  const first = patience.run(
    list,
    100_000,
    async () => {
      tries += 1
      happened.push(`first ${tries}`)
      return tries === 1 ? answered(429, { 'retry-after': '30' }) : answered(200)
    },
    () => {},
  )
  await new Promise((resolve) => setImmediate(resolve))
  now = 10_000
  const second = patience.run(
    list,
    100_000,
    async () => {
      happened.push('second')
      return answered(200)
    },
    () => {},
  )
  await new Promise((resolve) => setImmediate(resolve))
  expect(happened).toEqual(['first 1', 'waits 30000', 'waits 20000'])
  now = 30_000
  for (const goOn of goneOn) goOn()
  await Promise.all([first, second])
  expect(happened.slice(3).sort()).toEqual(['first 2', 'second'])
})
