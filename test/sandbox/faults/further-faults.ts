import { emptyAnswer, type Operation } from '../../../src/model/records/operation.ts'
import { allOperations } from '../../../src/model/resources/operations.ts'
import { type Fault, type FaultAnswer, replaceAnswer, sendAnswer } from '../../../src/sandbox/faults/fault.ts'
import { type FaultPlan, planFaults } from '../../../src/sandbox/faults/plan-faults.ts'
import { usualFaults } from '../../../src/sandbox/faults/usual-faults.ts'
import { consentPath } from '../../../src/sandbox/oauth/consent.ts'

/** The answer to what a person decides on the consent page. It is no operation of the service: a browser asks for it. */
export const consent: Operation = {
  id: 'consent',
  title: 'Consent page',
  group: 'Authorization',
  method: 'POST',
  path: consentPath,
  known: 'name',
  assumes: ['all of it'],
  response: emptyAnswer,
}

/** One that answers by itself: nothing is done. */
const instead = (name: string, summary: string, answer: (url: URL) => FaultAnswer): Fault => ({
  ...{ name, summary, applied: 'no' },
  act: ({ outgoing, url }) => sendAnswer(outgoing, answer(url)),
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

/** The same answer with another state, if it is a redirect to the client. */
function withOtherState(answer: FaultAnswer): FaultAnswer {
  const { location } = answer.headers
  if (location === undefined) return answer
  const url = new URL(location)
  url.searchParams.set('state', 'of-another-sign-in')
  return { ...answer, headers: { ...answer.headers, location: url.href } }
}

/** What a service can do wrong: what `sandbox serve` offers, and what only tests want to know. */
const faults: readonly Fault[] = [
  ...usualFaults,
  instead('redirect=307', 'answers 307 to another origin; nothing is done', (url) => ({
    ...{ status: 307, headers: { location: onOtherHost(url) }, body: Buffer.alloc(0) },
  })),
  instead('html', 'answers 200 and a web page, like a proxy that requires a sign-in; nothing is done', page),
  {
    ...{ name: 'no-body', summary: 'answers with the expected status and without its body', applied: 'yes' },
    on: ({ response }) => response.kind !== 'nothing',
    act: replaceAnswer(({ status }) => ({ status, headers: {}, body: Buffer.alloc(0) })),
  },
  {
    name: 'wrong-state',
    summary: 'sends the browser back from the consent page with another state than it came with',
    applied: 'yes',
    on: (operation) => operation === consent,
    usualScope: 'consent',
    async act({ apply, outgoing }) {
      sendAnswer(outgoing, withOtherState(await apply()))
    },
  },
]

/** A plan of any of them; `@consent` is the consent page of a sign-in. */
export const planAnyFaults = (
  specs: readonly string[],
  now: () => number,
  sleep?: FaultPlan['sleep'],
): FaultPlan => planFaults(specs, { now, sleep, faults, operations: [...allOperations, consent] })
