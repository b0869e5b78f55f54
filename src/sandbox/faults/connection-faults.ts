import type { ServerResponse } from 'node:http'
import { type Answer, type Fault, isWrite, withBody } from './fault.ts'

/** Pause between two bytes of a slow answer, in milliseconds. */
const byteIntervalMs = 100
/** Time from the lost connection to the commit, in milliseconds. */
const commitDelayMs = 250
/** Time from half of a body to the reset, in milliseconds: a client that reads both at once sees a normal end. */
const resetDelayMs = 50

/** Faults of the connection. */
export const connectionFaults: readonly Fault[] = [
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
    name: 'close-before-commit',
    summary: 'closes the connection in good order without an answer; nothing is done',
    applied: 'no',
    act: ({ outgoing }) => close(outgoing),
  },
  {
    name: 'close-after-commit',
    summary: 'does what was asked, and closes the connection in good order without an answer',
    applied: 'yes',
    async act({ apply, outgoing }) {
      await apply()
      close(outgoing)
    },
  },
  {
    name: 'late-commit',
    summary: `resets the connection, and does what was asked ${commitDelayMs} ms later`,
    applied: 'later',
    on: isWrite,
    async act({ apply, outgoing, sleep }) {
      reset(outgoing)
      await sleep(commitDelayMs)
      await apply()
    },
  },
  {
    name: 'close-mid-body',
    summary: 'closes the connection in the middle of a body in chunks',
    applied: 'yes',
    act: async ({ apply, outgoing }) => half(outgoing, withBody(await apply()), () => close(outgoing)),
  },
  {
    name: 'reset-mid-body',
    summary: 'resets the connection in the middle of a body in chunks',
    applied: 'yes',
    act: async ({ apply, outgoing }) =>
      half(outgoing, withBody(await apply()), () => {
        setTimeout(() => reset(outgoing), resetDelayMs).unref()
      }),
  },
  {
    name: 'short-body',
    summary: 'sends half of the bytes of its Content-Length, and closes the connection',
    applied: 'yes',
    async act({ apply, outgoing }) {
      const answer = withBody(await apply())
      const length = { 'content-length': String(answer.body.byteLength) }
      half(outgoing, { ...answer, headers: { ...answer.headers, ...length } }, () => close(outgoing))
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
    name: 'stall-mid-body',
    summary: 'sends half of the body, and then nothing more',
    applied: 'yes',
    act: async ({ apply, outgoing }) => half(outgoing, withBody(await apply()), () => {}),
  },
  {
    name: 'slow',
    summary: `sends the body a byte at a time, one in ${byteIntervalMs} ms`,
    applied: 'yes',
    act: async ({ apply, outgoing }) => slowly(outgoing, withBody(await apply())),
  },
]

/** Sends RST, as when a process dies: everything in transit in either direction is lost. */
function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy()
}

/** Sends FIN. */
function close({ socket }: ServerResponse): void {
  socket?.end()
}

/** Sends the first half of a body, then calls `then`. */
function half(outgoing: ServerResponse, { status, headers, body }: Answer, then: () => void): void {
  outgoing.writeHead(status, headers).write(body.subarray(0, Math.ceil(body.byteLength / 2)), then)
}

function slowly(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, { ...headers, 'content-length': body.byteLength }).flushHeaders()
  let sent = 0
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, sent + 1))
    sent += 1
    if (sent === body.byteLength) outgoing.end()
  }, byteIntervalMs)
  outgoing.once('close', () => clearInterval(timer)).once('finish', () => clearInterval(timer))
}
