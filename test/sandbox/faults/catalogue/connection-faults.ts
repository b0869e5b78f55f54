import { isWrite } from '../../../../src/model/operations/operation.ts'
import { type Fault, withBody } from '../../../../src/sandbox/faults/fault.ts'
import { close, reset, sendHalf } from '../../../../src/sandbox/faults/usual-faults.ts'

/** Time from the lost connection to the commit, in milliseconds. */
const commitDelayMs = 250
/** Time from half of a body to the reset, in milliseconds: a client that reads both at once sees a normal end. */
const resetDelayMs = 50

/** Further faults of the connection. */
export const connectionFaults: readonly Fault[] = [
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
    name: 'reset-mid-body',
    summary: 'resets the connection in the middle of a body in chunks',
    applied: 'yes',
    act: async ({ apply, outgoing }) =>
      sendHalf(outgoing, withBody(await apply()), () => {
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
      sendHalf(outgoing, { ...answer, headers: { ...answer.headers, ...length } }, () => close(outgoing))
    },
  },
  {
    name: 'stall-mid-body',
    summary: 'sends half of the body, and then nothing more',
    applied: 'yes',
    act: async ({ apply, outgoing }) => sendHalf(outgoing, withBody(await apply()), () => {}),
  },
]
