import type { ServerResponse } from 'node:http'
import { type Fault, jsonAnswer, replaceAnswer, sendAnswer } from './fault.ts'

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
]

/** `status=503`: it refuses. `status=503-after-commit`: it does what was asked, as behind a gateway that timed out. */
export function statusFault(name: string): Fault | undefined {
  const [, digits, isDone] = /^status=([45]\d\d)(-after-commit)?$/.exec(name) ?? []
  if (digits === undefined) return undefined
  // The same shape as the sandbox's other refusals.
  const error = { code: `FAULT_${digits}`, message: 'The sandbox was told to fail' }
  const answer = jsonAnswer(Number(digits), { success: false, error })
  return {
    name,
    summary: `answers ${digits}`,
    applied: isDone ? 'yes' : 'no',
    act: isDone ? replaceAnswer(() => answer) : ({ outgoing }) => sendAnswer(outgoing, answer),
  }
}

/** Sends RST, as when a process dies: everything in transit in either direction is lost. */
const reset = ({ socket }: ServerResponse) => void socket?.resetAndDestroy()
