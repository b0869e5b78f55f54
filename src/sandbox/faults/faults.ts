import type { ServerResponse } from 'node:http'

/** One way in which a service, or a proxy in front of it, can fail. */
export interface Fault {
  readonly name: string
  /** One sentence: what a client meets. */
  readonly summary: string
  readonly act: (exchange: Exchange) => void | Promise<void>
}

/** One request that meets a fault, and what can be done with it. */
interface Exchange {
  /** Runs the handler without sending its answer. */
  readonly apply: () => Promise<FaultAnswer>
  readonly outgoing: ServerResponse
}

/** An answer that has not been sent. */
export interface FaultAnswer {
  readonly status: number
  /** Lower-case names. No content-length: `sendAnswer` adds it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The faults for somebody who tries a script against the sandbox, besides a status: a wait, a cut connection, a lost answer. */
export const usualFaults: readonly Fault[] = [
  {
    name: 'reset-before-commit',
    summary: 'resets the connection; nothing is done',
    act: ({ outgoing }) => reset(outgoing),
  },
  {
    name: 'reset-after-commit',
    summary: 'does what was asked, and resets the connection instead of answering',
    async act({ apply, outgoing }) {
      await apply()
      reset(outgoing)
    },
  },
  {
    name: 'stall-before-commit',
    summary: 'never answers; nothing is done',
    act() {},
  },
  {
    name: 'stall-before-headers',
    summary: 'does what was asked, and never answers',
    act: async ({ apply }) => void (await apply()),
  },
]

/** `status=503`: it refuses. `status=503-after-commit`: it does what was asked, as behind a gateway that timed out. */
export function statusFault(name: string): Fault | undefined {
  const [, digits, isDone] = /^status=([45]\d\d)(-after-commit)?$/.exec(name) ?? []
  if (digits === undefined) return undefined
  // The same shape as the sandbox's other refusals.
  const error = { code: `FAULT_${digits}`, message: 'The sandbox was told to fail' }
  const answer: FaultAnswer = {
    status: Number(digits),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ success: false, error })),
  }
  return {
    name,
    summary: `answers ${digits}`,
    act: isDone ? replaceAnswer(() => answer) : ({ outgoing }) => sendAnswer(outgoing, answer),
  }
}

/** Runs the handler and changes its answer before sending it. Refusals are sent unchanged. */
export function replaceAnswer(change: (answer: FaultAnswer) => FaultAnswer): Fault['act'] {
  return async ({ apply, outgoing }) => {
    const answer = await apply()
    sendAnswer(outgoing, answer.status < 300 ? change(answer) : answer)
  }
}

/** Sends an answer unchanged. 204 has no body and no length (RFC 9110). */
export function sendAnswer(outgoing: ServerResponse, { status, headers, body }: FaultAnswer): void {
  const length = status !== 204 && { 'content-length': body.byteLength }
  outgoing.writeHead(status, { ...headers, ...length }).end(body)
}

/** Sends RST, as when a process dies: everything in transit in either direction is lost. */
const reset = ({ socket }: ServerResponse) => void socket?.resetAndDestroy()
