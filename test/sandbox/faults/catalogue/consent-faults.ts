import { emptyResponse, type Operation } from '../../../../src/model/operations/operation.ts'
import { type Fault, type FaultAnswer, send } from '../../../../src/sandbox/faults/fault.ts'
import { consentPath } from '../../../../src/sandbox/oauth/consent.ts'

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

/** Faults of the address that the browser is sent back to. */
export const consentFaults: readonly Fault[] = [
  {
    name: 'wrong-state',
    summary: 'sends the browser back from the consent page with another state than it came with',
    applied: 'yes',
    on: (operation) => operation === consent,
    usualScope: 'consent',
    async act({ apply, outgoing }) {
      send(outgoing, withState(await apply(), 'of-another-sign-in'))
    },
  },
]

/** The same answer, if it is a redirect to the client. */
function withState(answer: FaultAnswer, state: string): FaultAnswer {
  const { location } = answer.headers
  if (location === undefined) return answer
  const url = new URL(location)
  url.searchParams.set('state', state)
  return { ...answer, headers: { ...answer.headers, location: url.href } }
}
