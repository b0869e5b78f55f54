import type { ServerResponse } from 'node:http'
import {
  type Fault,
  type FaultAnswer,
  jsonResponse,
  replaceResponse,
  send,
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
    act: async ({ apply, outgoing }) => sendHalf(outgoing, withBody(await apply()), () => close(outgoing)),
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
  const answer = refusingAnswer(Number(digits))
  return {
    name,
    summary: `answers ${digits}`,
    applied: isDone ? 'yes' : 'no',
    act: isDone ? replaceResponse(() => answer) : ({ outgoing }) => send(outgoing, answer),
  }
}

/** The same shape as the sandbox's other refusals. */
export function refusingAnswer(status: number, headers: FaultAnswer['headers'] = {}): FaultAnswer {
  const error = { code: `FAULT_${status}`, message: 'The sandbox was told to fail' }
  return jsonResponse(status, { success: false, error }, headers)
}

/** Sends RST, as when a process dies: everything in transit in either direction is lost. */
export function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy()
}

/** Sends FIN. */
export function close({ socket }: ServerResponse): void {
  socket?.end()
}

/** Sends half of a body in chunks, and then ends as it is told. */
export function sendHalf(
  outgoing: ServerResponse,
  { status, headers, body }: FaultAnswer,
  then: () => void,
): void {
  outgoing.writeHead(status, headers).write(body.subarray(0, Math.ceil(body.byteLength / 2)), then)
}

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
