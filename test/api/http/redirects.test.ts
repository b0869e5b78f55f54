import { expect, test } from 'vitest'
import { answering } from '../../service.ts'
import { attempt, rate, reads, writes } from '../http-cases.ts'

const statuses = [300, 301, 302, 303, 307, 308]

test.each(statuses)('a redirect with %i to another host is not followed, by any call', async (status) => {
  const other = await answering(200, { data: rate, totalDocs: 1 })
  for (const call of [...reads, ...writes]) {
    const location = `${other.baseUrl}/stolen?from=here`
    const { run, received } = await attempt(call, [status, undefined, { location }])
    expect(run.code).toBe(reads.some((read) => read === call) ? 10 : 8)
    expect(run.error().message).toContain(other.baseUrl)
    expect(run.error().message).not.toContain('stolen')
    expect(received).toHaveLength(1)
  }
  expect(other.received).toEqual([])
})

test.each(statuses)('a redirect with %i to the same host is not followed either', async (status) => {
  for (const location of ['/svc/elsewhere', '?page=2', 'elsewhere']) {
    for (const [call, code] of [
      ['one', 10],
      ['post', 8],
    ] as const) {
      const { run, received } = await attempt(call, [status, undefined, { location }])
      expect([run.code, received.length]).toEqual([code, 1])
    }
  }
})

test('304 is no redirect, and an answer of nothing no web page', async () => {
  for (const [status, says] of [
    [304, 'The service gave an answer that payroll does not understand (304).'],
    [204, 'The answer is empty.'],
  ] as const) {
    const { run } = await attempt('one', [status])
    expect([run.code, run.error().message]).toEqual([10, says])
  }
})

test.each(['', 'http://', 'javascript:alert(1)', 'file:///etc/passwd', '//'])(
  'a redirect to nowhere, %j, is told without its target',
  async (location) => {
    const { run } = await attempt('one', [302, undefined, { location }])
    expect(run.code).toBe(10)
    expect(run.error().message).toBe(
      'The service tried to redirect the request; redirects are not followed (302).',
    )
  },
)
