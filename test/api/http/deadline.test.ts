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

/** Every call against every stall at once, each with a deadline of one second. */
async function stalled(names: readonly CallName[], stalls: Readonly<Record<string, Stall>>) {
  const pairs = Object.entries(stalls).flatMap(([where, stall]) =>
    names.map((name) => ({ name, where, stall })),
  )
  return Promise.all(
    pairs.map(async ({ name, where, stall }) => {
      const started = performance.now()
      const { run } = await attempt(name, stall, '--timeout', '1')
      return { run, ms: performance.now() - started, what: `${name} ${where}` }
    }),
  )
}

describe('the deadline', () => {
  test('ends a read that stalls anywhere with 7', async () => {
    const ended = await stalled(reads, {
      'before the head': silent,
      'after the head': headOnly(200),
      'in the body': headOf(200),
      'while the body drips': dripping,
    })
    for (const { run, ms, what } of ended) {
      expect(run.code, what).toBe(7)
      expect(run.out, what).toBe('')
      expect(run.error(), what).toMatchObject({ outcome: null, retryable: true })
      expect(run.error().message).toBe('The service did not answer in time.')
      expect(ms, what).toBeGreaterThan(300)
      expect(ms, what).toBeLessThan(25_000)
    }
  })

  test('ends a write that stalls anywhere before it was answered with 2xx with 8', async () => {
    const ended = await stalled([...writes, 'createUk'], {
      'before the head': silent,
      'after the head of a 500': headOnly(500),
      'in the body of a 500': headOf(500),
      'in the body of a 400': headOf(400),
    })
    for (const { run, ms, what } of ended) {
      expect(run.code, what).toBe(8)
      expect(run.out, what).toBe('')
      expect(run.error(), what).toMatchObject({ outcome: 'unknown', retryable: false })
      expect(run.error().message).toMatch(
        /did not (answer|arrive) in time( \([45]00\))?\. It may or may not have been applied\./,
      )
      expect(ms, what).toBeLessThan(25_000)
    }
  })

  test('leaves a write open whose answer of 2xx stalls before its end: the rest may say no', async () => {
    const ended = await stalled(['post', 'delete', 'createUk', 'createIreland'], {
      'after the head': headOnly(201),
      'in the body': headOf(201),
    })
    for (const { run, what } of ended) {
      expect([what, run.code, run.out]).toEqual([what, 8, ''])
      expect(run.error().message).toContain(
        'The whole answer did not arrive in time (201). It may or may not',
      )
    }
  })

  test('leaves an answer alone that comes in time', async () => {
    const { run } = await attempt(
      'one',
      (response) => void setTimeout(() => answerJson(response, 200, { data: { id: 'r1' } }), 300),
      '--timeout',
      '2',
    )
    expect(run.json()).toEqual({ id: 'r1' })
  })
})
