import { isObject, type Json, type JsonObject } from '../../../src/files/json/path.ts'
import { emptyResponse, type Operation } from '../../../src/model/operations/operation.ts'
import { allOperations } from '../../../src/model/operations/operations.ts'
import {
  type Fault,
  type FaultAnswer,
  jsonResponse,
  replaceResponse,
  sendAnswer,
} from '../../../src/sandbox/faults/fault.ts'
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
  response: emptyResponse,
}

/** Gives an answer without a body the smallest successful one, so that there is something to break. */
function withBody(answer: FaultAnswer): FaultAnswer {
  if (answer.body.byteLength > 0) return answer
  return jsonResponse(answer.status === 204 ? 200 : answer.status, { success: true }, answer.headers)
}

/** One that answers by itself: nothing is done. */
const instead = (name: string, summary: string, answer: (url: URL) => FaultAnswer): Fault => ({
  ...{ name, summary, applied: 'no' },
  act: ({ outgoing, url }) => sendAnswer(outgoing, answer(url)),
})

/** One that does what was asked, and changes the answer. */
const afterwards = (name: string, summary: string, change: (answer: FaultAnswer) => FaultAnswer): Fault => ({
  ...{ name, summary, applied: 'yes' },
  act: replaceResponse(change),
})

const page = (): FaultAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>'),
})

/** Puts bytes behind the opening brace of an answer. */
const inserted = (bytes: Buffer) => (answer: FaultAnswer) => {
  const whole = withBody(answer)
  return { ...whole, body: Buffer.concat([whole.body.subarray(0, 1), bytes, whole.body.subarray(1)]) }
}

/** The address with the sandbox's other host name, so that it notices a client that follows the redirect. */
function onOtherHost(url: URL): string {
  const other = new URL(url)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.href
}

function withObjectsForIds({ status, headers, body }: FaultAnswer): FaultAnswer {
  const json = JSON.parse(body.toString() || '{}') as JsonObject
  const changed = (record: Json) =>
    isObject(record) ? { ...record, id: { value: record.id ?? null } } : record
  const data = Array.isArray(json.data) ? json.data.map(changed) : changed(json.data ?? {})
  return jsonResponse(status, { ...json, data }, headers)
}

/** The same answer with another state, if it is a redirect to the client. */
function withOtherState(answer: FaultAnswer): FaultAnswer {
  const { location } = answer.headers
  if (location === undefined) return answer
  const url = new URL(location)
  url.searchParams.set('state', 'of-another-sign-in')
  return { ...answer, headers: { ...answer.headers, location: url.href } }
}

/** An answer that breaks off. */
export const brokenAnswer: Fault = {
  name: 'close-mid-body',
  summary: 'closes the connection in the middle of a body in chunks',
  applied: 'yes',
  async act({ apply, outgoing }) {
    const { status, headers, body } = withBody(await apply())
    const half = body.subarray(0, Math.ceil(body.byteLength / 2))
    outgoing.writeHead(status, headers).write(half, () => outgoing.socket?.end())
  },
}

/** What a service can do wrong: what `sandbox serve` offers, and what only tests want to know. */
const faults: readonly Fault[] = [
  ...usualFaults,
  brokenAnswer,
  instead('redirect=307', 'answers 307 to another origin; nothing is done', (url) => ({
    ...{ status: 307, headers: { location: onOtherHost(url) }, body: Buffer.alloc(0) },
  })),
  instead('html', 'answers 200 and a web page, like a proxy that requires a sign-in; nothing is done', page),
  afterwards('html-after-commit', 'does what was asked, and answers 200 and a web page', page),
  instead('success-false', 'answers 200 and success: false; nothing is done', () =>
    jsonResponse(200, { success: false, error: { code: 'FAULT', message: 'The sandbox was told to fail' } }),
  ),
  afterwards('bad-json', 'answers with NaN in its JSON', inserted(Buffer.from('"fault":NaN,'))),
  afterwards('wrong-type', 'gives every record an object for an id', withObjectsForIds),
  {
    ...afterwards('no-body', 'answers with the expected status and without its body', ({ status }) => ({
      ...{ status, headers: {}, body: Buffer.alloc(0) },
    })),
    on: ({ response }) => response.kind !== 'nothing',
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
