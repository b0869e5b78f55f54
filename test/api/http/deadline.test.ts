import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerJson } from '../../service.ts'
import { attempt, type CallName, reads, writes } from '../http-cases.ts'

type Stall = (response: ServerResponse) => void

const silent: Stall = () => {}
const headOf =
  (status: number): Stall =>
  (response) =>
    void response.writeHead(status, { 'content-length': 100 }).write('{"data":')
const headOnly =
  (status: number): Stall =>
  (response) =>
    response.writeHead(status).flushHeaders()

/** Never ends, and never falls silent either. */
function dripping(response: ServerResponse): void {
  response.writeHead(200)
  const drip = setInterval(() => response.write(' '), 50)
  onTestFinished(() => clearInterval(drip))
}

/**
 * Every call against every stall, each with a deadline of one second: ends with the code, and says so. They wait at the same
 * time, but the next one starts when the request of the one before has arrived, so that no deadline runs while others start.
 */
async function expectEnd(
  names: readonly CallName[],
  stalls: Readonly<Record<string, Stall>>,
  code: number,
  message: RegExp,
) {
  const runs: Promise<void>[] = []
  for (const [where, stall] of Object.entries(stalls)) {
    for (const name of names) {
      await new Promise<void>((arrived) => {
        const arriving: Stall = (response) => {
          stall(response)
          arrived()
        }
        runs.push(expectOne(name, `${name} ${where}`, arriving).finally(arrived))
      })
    }
  }
  await Promise.all(runs)

  async function expectOne(name: CallName, what: string, stall: Stall) {
    const started = performance.now()
    const { run } = await attempt(name, stall, '--timeout', '1')
    const ms = performance.now() - started
    expect([what, run.code, run.out]).toEqual([what, code, ''])
    expect(run.error().message, what).toMatch(message)
    expect(run.error(), what).toMatchObject({ outcome: code === 7 ? null : 'unknown', retryable: code === 7 })
    if (code === 7)
      expect(run.error().hint, what).toMatch(
        /more time: --timeout <seconds>.* a third, and all with --retry-for 0/,
      )
    expect(ms, what).toBeGreaterThan(300)
    expect(ms, what).toBeLessThan(25_000)
  }
}

describe('the deadline', () => {
  test('ends a read that stalls anywhere with 7', async () => {
    const stalls = { 'before the head': silent, 'after the head': headOnly(200), 'in the body': headOf(200) }
    const message = /^The service did not answer in time\.$/
    await expectEnd(reads, { ...stalls, 'while the body drips': dripping }, 7, message)
  })

  test('ends a write that stalls anywhere before it was answered with 2xx with 8', async () => {
    const stalls = {
      'before the head': silent,
      'after the head of a 500': headOnly(500),
      'in the body of a 500': headOf(500),
      'in the body of a 400': headOf(400),
    }
    // A delete that was not answered is tried again, and a busy machine may not even connect in what is left of the time.
    const message =
      /did not (answer|arrive) in time( \([45]00\))?\. .*It may or may not have been applied\.$|An earlier attempt \(timeout\) may have deleted it anyway\./
    await expectEnd([...writes, 'createUk'], stalls, 8, message)
  })

  test('leaves a write open whose answer of 2xx stalls before its end: the rest may say no', async () => {
    const stalls = { 'after the head': headOnly(201), 'in the body': headOf(201) }
    const message = /The whole answer did not arrive in time \(201\)\. .*It may or may not/
    await expectEnd(['post', 'delete', 'createUk', 'createIreland'], stalls, 8, message)
  })

  test('leaves an answer alone that comes in time', async () => {
    const answer: Stall = (response) =>
      void setTimeout(() => answerJson(response, 200, { data: { id: 'r1' } }), 300)
    const { run } = await attempt('one', answer, '--timeout', '2')
    expect(run.json()).toEqual({ id: 'r1' })
  })
})
