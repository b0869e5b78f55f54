import type { ServerResponse } from 'node:http'
import {
  type Fault,
  type FaultAnswer,
  jsonResponse,
  replaceResponse,
  sendAnswer,
  withBody,
  writeHead,
} from './fault.ts'

/** Pause between two bytes of a slow answer, in milliseconds. */
const byteIntervalMs = 100

/** The faults for somebody who tries a script against the sandbox, besides a status: a wait, a cut connection, a lost answer. */
export const usualFaults: readonly Fault[] = [
  {
    name: 'reset-before-commit',
    summary: 'resets the connection; nothing is done',
    applied: 'no',
    act: ({ outgoing }) => reset(outgoing),
  },
  {
    name: 'reset-after-commit',
    summary: 'does what was asked, and resets the connection instead of answering',
    applied: 'yes',
    async act({ apply, outgoing }) {
      await apply()
      reset(outgoing)
    },
  },
  {
    name: 'close-mid-body',
    summary: 'closes the connection in the middle of a body in chunks',
    applied: 'yes',
    async act({ apply, outgoing }) {
      const { status, headers, body } = withBody(await apply())
      const half = body.subarray(0, Math.ceil(body.byteLength / 2))
      outgoing.writeHead(status, headers).write(half, () => outgoing.socket?.end())
    },
  },
  {
    name: 'stall-before-commit',
    summary: 'never answers; nothing is done',
    applied: 'no',
    act() {},
  },
  {
    name: 'stall-before-headers',
    summary: 'does what was asked, and never answers',
    applied: 'yes',
    act: async ({ apply }) => void (await apply()),
  },
  {
    name: 'slow',
    summary: `sends the body a byte at a time, one in ${byteIntervalMs} ms`,
    applied: 'yes',
    act: async ({ apply, outgoing }) => sendSlowly(outgoing, await apply()),
  },
]

/** `status=503`: it refuses. `status=503-after-commit`: it does what was asked, as behind a gateway that timed out. */
export function statusFault(name: string): Fault | undefined {
  const [, digits, isDone] = /^status=([45]\d\d)(-after-commit)?$/.exec(name) ?? []
  if (digits === undefined) return undefined
  // The same shape as the sandbox's other refusals.
  const error = { code: `FAULT_${digits}`, message: 'The sandbox was told to fail' }
  const answer = jsonResponse(Number(digits), { success: false, error })
  return {
    name,
    summary: `answers ${digits}`,
    applied: isDone ? 'yes' : 'no',
    act: isDone ? replaceResponse(() => answer) : ({ outgoing }) => sendAnswer(outgoing, answer),
  }
}

/** Sends RST, as when a process dies: everything in transit in either direction is lost. */
const reset = ({ socket }: ServerResponse) => void socket?.resetAndDestroy()

function sendSlowly(outgoing: ServerResponse, answer: FaultAnswer): void {
  const { body } = answer
  writeHead(outgoing, answer).flushHeaders()
  let sent = 0
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, sent + 1))
    sent += 1
    if (sent >= body.byteLength) outgoing.end()
  }, byteIntervalMs)
  outgoing.once('close', () => clearInterval(timer)).once('finish', () => clearInterval(timer))
}
