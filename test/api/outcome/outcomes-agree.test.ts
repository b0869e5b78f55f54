import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { createTransport } from '../../../src/api/http/transport.ts'
import { appliedButNotPrinted, trackWrites } from '../../../src/context/write-tracker.ts'
import { authorizationOf, presentKey } from '../../../src/credentials/authorization.ts'
import { Failure, type Outcome } from '../../../src/errors.ts'
import { answerJson, service } from '../../service.ts'
import { closedPort } from '../http/ports.ts'
import { rate } from '../http-cases.ts'

type Answer = (response: ServerResponse) => void

const cut =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': 99 })
    response.write('{"d', () => response.socket?.destroy())
  }

const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end()

const json =
  (body: unknown): Answer =>
  (response) =>
    answerJson(response, 201, body)

const { create } = operations.paymentRates
const remove = operations.documents.delete

/** Sends one write, and gives what each of those who tell of it says of its outcome. */
async function told(baseUrl: string, operation = create) {
  const work = trackWrites()
  const client = createClient({
    baseUrl,
    prefix: 'svc',
    corrections: {},
    authorization: async () => presentKey(authorizationOf({}), 'CANARYkey0000'),
    fetch: createTransport(baseUrl),
    monotonicNow: () => performance.now(),
    sleep: async () => {},
    random: () => 0.5,
    timeoutMs: 5_000,
    onEvent: work.onEvent,
  })
  const request =
    operation === create ? { body: { code: 'NIGHT' } } : { parameters: { id: 'd1', employeeId: 'e1' } }
  const end = await client.call(operation, request).catch((error: unknown) => error)
  const full = Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' })
  const failure = appliedButNotPrinted(full, work)
  return {
    end: end instanceof Failure ? end.details.outcome : 'applied',
    stopped: work.describeInterruption().details.outcome,
    // Where nothing was applied, a full disk is all that there is to tell.
    full: failure instanceof Failure ? failure.details.outcome : 'nothing',
  }
}

const agreed = (outcome: Outcome) => ({
  end: outcome,
  stopped: outcome,
  full: outcome === 'applied' || outcome === 'unknown' ? outcome : 'nothing',
})

describe('the end of a run, a signal after the answer and a full disk say the same of a write', () => {
  test.each<[string, Outcome, Answer]>([
    ['a record', 'applied', json({ data: rate, success: true })],
    ['201 that breaks off in its body', 'unknown', cut(201)],
    ['202 that breaks off in its body', 'unknown', cut(202)],
    ['400 that breaks off in its body', 'unknown', cut(400)],
    ['success: false', 'refused', json({ success: false })],
    ['an error with 201', 'refused', json({ error: 'taken' })],
    ['201 without the record', 'unknown', status(201)],
    ['the record of another', 'unknown', json({ data: { ...rate, code: 'DAY' }, success: true })],
    ['a web page with 200', 'unknown', (response) => void response.writeHead(200).end('<html>')],
    ...[302, 402, 406, 408, 409, 410, 451, 500, 503].map((code): [string, Outcome, Answer] => [
      String(code),
      'unknown',
      status(code),
    ]),
    ...[400, 401, 403, 404, 405, 413, 422, 429].map((code): [string, Outcome, Answer] => [
      String(code),
      'refused',
      status(code),
    ]),
    ['a connection that breaks', 'unknown', (response) => response.socket?.resetAndDestroy()],
  ])('%s: %s', async (_, outcome, answer) => {
    const { baseUrl } = await service((_request, response) => answer(response))
    expect(await told(baseUrl)).toEqual(agreed(outcome))
  })

  test('a connection that is refused: nothing was sent', async () => {
    expect(await told(`http://127.0.0.1:${await closedPort()}`)).toEqual(agreed('not-sent'))
  })

  test.each<[number, number, Outcome]>([
    [500, 404, 'applied'],
    [500, 204, 'applied'],
    [500, 401, 'unknown'],
    [429, 401, 'refused'],
    [429, 204, 'applied'],
  ])('a deletion that is answered %i, and then %i: %s', async (first, then, outcome) => {
    let tries = 0
    const { baseUrl } = await service((_, response) => {
      tries += 1
      response.writeHead(tries === 1 ? first : then).end()
    })
    expect(await told(baseUrl, remove)).toEqual(agreed(outcome))
  })
})
