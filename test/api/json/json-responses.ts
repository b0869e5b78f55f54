import { expect } from 'vitest'
import { attempt, type CallName } from '../http-cases.ts'

/** What has no business on a terminal: control and format characters, separators of lines, halves of pairs. */
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

async function answered(call: CallName, status: number, text: string | Uint8Array) {
  const { run, received } = await attempt(call, (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  expect(run.err.replaceAll('\n', '')).not.toMatch(control)
  expect(run.err).not.toMatch(/^\s+at .*:\d+\)?$/m)
  return { run, received }
}

/** No JSON: neither a record nor a page of a list, and no part of it is an answer. */
export async function isRefused(text: string | Uint8Array): Promise<void> {
  for (const call of ['one', 'list'] as const) {
    const { run } = await answered(call, 200, text)
    expect([call, run.code, run.out]).toEqual([call, 10, ''])
    expect(run.error().message).toMatch(/^[A-Z][^{}[\]]*\.$/)
  }
}

/** JSON of any content: an answer where it can be one, and otherwise nothing of it is. */
export async function isRead(text: string | Uint8Array): Promise<void> {
  for (const call of ['one', 'list'] as const) {
    const { run } = await answered(call, 200, text)
    expect([0, 10]).toContain(run.code)
    if (run.code === 0) expect(() => run.json()).not.toThrow()
    else expect(run.out).toBe('')
  }
}

const writes = [
  ['post', 201],
  ['createUk', 201],
  ['createIreland', 201],
  ['put', 200],
] as const

/**
 * What cannot be read whole, or is words, may say anything: nobody knows whether the write was applied, until the record
 * itself shows it.
 */
export async function isOpen(text: string | Uint8Array): Promise<void> {
  for (const [call, status] of writes) {
    const { run, received } = await answered(call, status, text)
    expect([call, run.code, received.length, run.out]).toEqual([call, 8, 1, ''])
    expect(run.error().outcome).toBe('unknown')
  }
  const { run, received } = await answered('putApplied', 200, text)
  expect([run.code, received.length, run.json().description]).toEqual([0, 1, 'Nights'])
}

/** A write ends with a yes or in doubt, with nothing in between. */
export async function isSettled(text: string | Uint8Array): Promise<void> {
  for (const [call, status] of writes) {
    const { run, received } = await answered(call, status, text)
    expect(received).toHaveLength(1)
    expect([0, 8]).toContain(run.code)
    if (run.code === 0) expect(() => run.json()).not.toThrow()
    else expect([run.out, run.error().outcome]).toEqual(['', 'unknown'])
  }
}
