import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { closedPort, environmentOf, listening } from '../http/ports.ts'

type Step = number | 'reset'

/** By id, so that the deletion is the first request: no list is read before it. */
const deletion = ['--json', 'documents', 'delete', 'd1', '--id', '--employee', 'id:e1', '--yes']

/** Runs a deletion against a service that answers one step after the other, and then the last one always. */
async function deleting(...steps: readonly Step[]) {
  const received: string[] = []
  const server = served((request, response) => {
    received.push(request.method ?? '')
    const step = steps[Math.min(received.length, steps.length) - 1]
    if (step === 'reset' || step === undefined) response.socket?.resetAndDestroy()
    else response.writeHead(step).end()
  })
  const env = environmentOf(`http://127.0.0.1:${await listening(server)}`)
  const run = await payroll(deletion, { env })
  return { run, received }
}

function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

const inDoubt = {
  code: 'unknown',
  exitCode: 8,
  outcome: 'unknown',
  retryable: false,
  hint: 'To check whether it still exists: payroll documents get d1 --employee e1',
}

describe('a deletion that may have been carried out by an earlier attempt', () => {
  test.each<[Step, Step]>(
    (['reset', 500, 503] as const).flatMap((first) =>
      ([400, 401, 403, 405, 409, 422, 429] as const).map((then): [Step, Step] => [first, then]),
    ),
  )('%s, and is then answered %i, is in doubt', async (first, then) => {
    const { run, received } = await deleting(first, then)
    expect([run.code, run.out]).toEqual([8, ''])
    expect(received.length).toBeGreaterThan(1)
    expect(run.error()).toMatchObject({ ...inDoubt, status: then })
    expect(run.error().message).toContain(`An earlier attempt (${first}) may have deleted it anyway.`)
    expect(run.error().message).not.toContain('Nothing was')
  })

  test('is in doubt where the service is not reached again', async () => {
    let requests = 0
    const server = served((_, response) => {
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

  test('a deletion that may have been carried out by an earlier attempt and whose earlier answer says no is in doubt where the later one is lost', async () => {
    const { run } = await deleting(429, 'reset')
    expect(run.error()).toMatchObject(inDoubt)
  })

  test('was carried out where it is gone then, however many tries lie between', async () => {
    for (const steps of [
      [500, 404],
      ['reset', 404],
      [409, 404],
      [500, 429, 404],
      ['reset', 429, 404],
    ] as const) {
      const { run, received } = await deleting(...steps)
      expect([steps, run.code]).toEqual([steps, 0])
      expect(received).toHaveLength(steps.length)
    }
  })

  test('stays in doubt however many tries lie between', async () => {
    const { run } = await deleting(500, 429, 401)
    expect(run.error()).toMatchObject({ ...inDoubt, status: 401 })
    // Of three answers, two are the same.
    const twice = await deleting(409, 500, 409)
    expect(twice.run.error()).toMatchObject({ ...inDoubt, status: 409 })
  })
})

describe('a deletion of which nothing may have been carried out', () => {
  test.each<[Step[], number, string]>([
    [[401], 4, 'refused'],
    [[404], 5, 'refused'],
    [[429, 404], 5, 'refused'],
    [[429, 401], 4, 'refused'],
  ])('%j ends with %i', async (steps, code, outcome) => {
    const { run } = await deleting(...steps)
    expect([run.code, run.error().outcome]).toEqual([code, outcome])
  })

  test('is not found where it never left before, and was no deletion', async () => {
    const port = await closedPort()
    const server = served((_, response) => response.writeHead(404).end())
    const env = environmentOf(`http://127.0.0.1:${port}`)
    const run = await payroll(deletion, {
      env,
      onPause: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    })
    expect([run.code, run.error().outcome, run.pauses.length]).toEqual([5, 'refused', 1])
  })
})
