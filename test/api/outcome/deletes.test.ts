import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { closedPort, environmentOf, listening } from '../http/ports.ts'
import { type Answer, answeringWith, calls, inTurn } from '../http-cases.ts'

type Step = number | 'reset'

/** By id, so that the deletion is the first request: no list is read before it. */
const deletion = ['--json', ...calls.delete.argv]

/** Runs a deletion against a service that answers one step after the other, and then the last one always. */
async function deleting(...steps: readonly [Step, ...Step[]]) {
  const [first, ...others] = steps.map(
    (step): Answer => (step === 'reset' ? (response) => void response.socket?.resetAndDestroy() : [step]),
  )
  const { env, received } = await answeringWith(inTurn(first as Answer, ...others))
  return { run: await payroll(deletion, { env }), received }
}

const inDoubt = {
  code: 'unknown',
  exitCode: 8,
  outcome: 'unknown',
  retryable: false,
  hint: 'To check whether it still exists: payroll documents get d1 --employee e1',
}

describe('a deletion that may have been carried out by an earlier attempt', () => {
  const later = [400, 401, 403, 405, 409, 422, 429]
  test.each((['reset', 500, 503] as const).flatMap((first) => later.map((then) => [first, then] as const)))(
    '%s, and is then answered %i, is in doubt',
    async (first, then) => {
      const { run, received } = await deleting(first, then)
      expect([run.code, run.out]).toEqual([8, ''])
      expect(received.length).toBeGreaterThan(1)
      expect(run.error()).toMatchObject({ ...inDoubt, status: then })
      expect(run.error().message).toContain(`An earlier attempt (${first}) may have deleted it anyway.`)
      expect(run.error().message).not.toContain('Nothing was')
    },
  )

  test('is in doubt where the service is not reached again', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      server.close()
      response.socket?.resetAndDestroy()
    })
    const env = environmentOf(`http://127.0.0.1:${await listening(server)}`)
    const run = await payroll(deletion, { env })
    expect([run.code, requests]).toEqual([8, 1])
    expect(run.error()).toMatchObject(inDoubt)
    expect(run.error().message).toMatch(/^No connection to .*: nothing listens there\. An earlier attempt/)
  })

  test.each<[[Step, ...Step[]], number | null]>([
    // What it is answered earlier says no, and later is lost.
    [[429, 'reset'], null],
    [[500, 429, 401], 401],
    // Of three answers, two are the same.
    [[409, 500, 409], 409],
  ])('stays in doubt however many tries lie between: %j', async (steps, status) => {
    const { run } = await deleting(...steps)
    expect(run.error()).toMatchObject({ ...inDoubt, status })
  })

  test.each<[Step, ...Step[]]>([
    [500, 404],
    ['reset', 404],
    [409, 404],
    [500, 429, 404],
    ['reset', 429, 404],
  ])('was carried out where it is gone then, however many tries lie between: %s, %s', async (...steps) => {
    const { run, received } = await deleting(...steps)
    expect([run.code, received.length]).toEqual([0, steps.length])
  })
})

describe('a deletion of which nothing may have been carried out', () => {
  test.each<[[Step, ...Step[]], number]>([
    [[401], 4],
    [[404], 5],
    [[429, 404], 5],
    [[429, 401], 4],
  ])('%j ends with %i', async (steps, code) => {
    const { run } = await deleting(...steps)
    expect([run.code, run.error().outcome]).toEqual([code, 'refused'])
  })

  test('is not found where it never left before, and was no deletion', async () => {
    const port = await closedPort()
    const server = createServer((_, response) => response.writeHead(404).end())
    onTestFinished(() => void server.close())
    const run = await payroll(deletion, {
      env: environmentOf(`http://127.0.0.1:${port}`),
      onPause: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    })
    expect([run.code, run.error().outcome, run.pauses.length]).toEqual([5, 'refused', 1])
  })
})
