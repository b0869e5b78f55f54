import { expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { answering } from '../service.ts'

test('every request says who asks: version, system and Node, and no key', async () => {
  const { env, received } = await answering(200, { data: [], totalDocs: 0 })
  await payroll(['vat-codes', 'list'], { env, platform: 'linux', node: '20.19.4' })
  await payroll(['payment-rates', 'create', '--set', 'code=NIGHT', '--yes'], { env })
  await payroll(['api', 'GET', '/svc/anything'], { env })
  expect(received.length).toBeGreaterThan(2)
  for (const { headers } of received)
    expect(headers['user-agent']).toMatch(/^payroll\/0\.0\.0-test \(\w+; Node [\d.]+\)$/)
  expect(received[0]?.headers['user-agent']).toBe('payroll/0.0.0-test (linux; Node 20.19.4)')
})
