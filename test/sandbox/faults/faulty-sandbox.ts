import { onTestFinished } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { planFaults } from '../../../src/sandbox/faults/plan-faults.ts'
import { serveSandbox } from '../../../src/sandbox/serve.ts'
import { freshSandbox } from '../fresh-sandbox.ts'
import { type Asked, ask } from './ask-fault.ts'

const authorization = { authorization: sandboxKey }

/** A sandbox of this test behind its faults, and how to ask it with the key. */
export async function faulty(...specs: string[]) {
  const sandbox = await freshSandbox()
  const faults = planFaults(specs, sandbox.now)
  const { baseUrl, close } = await serveSandbox({ app: sandbox.app, port: 0, faults })
  onTestFinished(close)
  const send = (asked: Asked, patienceMs?: number) =>
    ask(baseUrl, { ...asked, headers: { ...authorization, ...asked.headers } }, patienceMs)
  return { ...sandbox, baseUrl, close, send }
}

export type Faulty = Awaited<ReturnType<typeof faulty>>
