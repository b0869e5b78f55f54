import {
  type Fault,
  type FaultAnswer,
  replaceAnswer,
  sendAnswer,
  usualFaults,
} from '../../../src/sandbox/faults/faults.ts'
import { planFaults } from '../../../src/sandbox/faults/plan-faults.ts'

/** One that answers by itself: nothing is done. `address`: that of the request. */
const instead = (name: string, summary: string, answer: (address: URL) => FaultAnswer): Fault => ({
  ...{ name, summary },
  act: ({ outgoing }) =>
    sendAnswer(outgoing, answer(new URL(outgoing.req.url ?? '', `http://${outgoing.req.headers.host}`))),
})

const page = (): FaultAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>'),
})

/** The address with the sandbox's other host name, so that it notices a client that follows the redirect. */
function onOtherHost(url: URL): string {
  const other = new URL(url)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.href
}

/** What a service can do wrong: what `sandbox serve` offers, and what only tests want to know. */
const faults: readonly Fault[] = [
  ...usualFaults,
  instead('redirect=307', 'answers 307 to another origin; nothing is done', (url) => ({
    ...{ status: 307, headers: { location: onOtherHost(url) }, body: Buffer.alloc(0) },
  })),
  instead('html', 'answers 200 and a web page, like a proxy that requires a sign-in; nothing is done', page),
  {
    ...{ name: 'no-body', summary: 'answers with the expected status and without its body' },
    act: replaceAnswer(({ status }) => ({ status, headers: {}, body: Buffer.alloc(0) })),
  },
]

/** A plan of any of them. */
export const planAnyFaults = (specs: readonly string[]) => planFaults(specs, faults)
