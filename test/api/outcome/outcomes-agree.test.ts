import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { appliedButNotPrinted, trackWrites } from '../../../src/context/write-tracker.ts'
import { Failure, type Outcome } from '../../../src/errors.ts'
import { operations } from '../../../src/model/resources/operations.ts'
import { closedPort } from '../http/ports.ts'
import { type Answer, answeringWith, clientOf, inTurn, rate } from '../http-cases.ts'

const cut = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-length': 99 })
  response.write('{"d', () => response.socket?.destroy())
}

const { create } = operations.paymentRates
const remove = operations.documents.delete

/** Sends one write, and gives what each of those who tell of it says of its outcome. */
async function told(baseUrl: string, operation = create) {
  const work = trackWrites()
  const client = clientOf(baseUrl, { onEvent: work.onEvent })
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
  test.each([
    ['a record', 'applied', [201, { data: rate, success: true }]],
    ...[201, 202, 400].map((status) => [`${status} that breaks off`, 'unknown', cut(status)] as const),
    ['201 without the record', 'unknown', [201]],
    ['the record of another', 'unknown', [201, { data: { ...rate, code: 'DAY' }, success: true }]],
    ['a web page with 200', 'unknown', [200, '<html>']],
    ...[302, 402, 406, 408, 409, 410, 412, 451, 500, 503].map(
      (code) => [`${code}`, 'unknown', [code]] as const,
    ),
    ...[400, 401, 403, 404, 405, 413, 422, 429].map((code) => [`${code}`, 'refused', [code]] as const),
    ['a connection that breaks', 'unknown', (response) => void response.socket?.resetAndDestroy()],
  ] as [string, Outcome, Answer][])('%s: %s', async (_, outcome, answer) => {
    const { baseUrl } = await answeringWith(answer)
    expect(await told(baseUrl)).toEqual(agreed(outcome))
  })

  test.each([{ success: false }, { error: 'taken' }])(
    '201 with %j may have been stored all the same, until its record is looked at',
    async (body) => {
      const { baseUrl } = await answeringWith([201, body])
      expect(await told(baseUrl)).toEqual({ end: 'refused', stopped: 'unknown', full: 'unknown' })
    },
  )

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
    const { baseUrl } = await answeringWith(inTurn([first], [then]))
    expect(await told(baseUrl, remove)).toEqual(agreed(outcome))
  })
})
