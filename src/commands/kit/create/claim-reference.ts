import type { Context } from '../../../context/context.ts'
import { servicePlace } from '../../../context/service-place.ts'
import { openSharedJournal } from '../../../context/shared-journal.ts'
import { defaults } from '../../../defaults.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import {
  type Claim,
  type ClaimOutcome,
  describeClaim,
  startClaim,
} from '../../../import/shared-journal/claim.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import type { ReadyCreation } from '../../cli/create-request.ts'

/** In milliseconds: as long as an import waits for a request whose answer was lost. */
const settleMs = defaults.settle * 1000

/** Sends a record under a claim of its reference in the shared journal. Throws, and sends nothing, if another has it. */
export async function sendClaimed<T extends JsonObject | undefined>(
  context: Context,
  { verb, operation, parameters, body }: ReadyCreation,
  lookup: string,
  send: (beforeSending?: () => void) => Promise<T>,
): Promise<T> {
  const name = verb.claims && readKey(body, verb.claims)
  if (name === undefined) return send()
  const { url } = (await context.client()).prepare(operation, { parameters, body })
  const place = servicePlace(await context.access(), url, operation.id)
  const shared = await openSharedJournal(context, { place, settleMs, file: '', connections: 1 })
  if (!shared) return send()
  const key = keyOf(name)
  const claim = async (attempt: number): Promise<number> => {
    const other = await shared.claim({ key, attempt, fingerprint: '' })
    if (!other) return attempt
    if (other.state === 'refused') return claim(other.attempt + 1)
    throw claimedByOther(name, other, lookup, shared.freeSql([key]))
  }
  const note = (outcome: ClaimOutcome) => shared.writeOutcome(key, outcome)
  try {
    const beforeSending = startClaim(settleMs, [context.host.monotonicNow, context.host.now])
    const attempt = await claim(1)
    try {
      const record = await send(beforeSending)
      const id = record?.id
      await note({ state: 'created', attempt, ...(typeof id === 'string' && { id }) })
      return record
    } catch (error) {
      const outcome = error instanceof Failure ? error.details.outcome : 'unknown'
      const isFree = outcome === 'refused' || outcome === 'not-sent'
      await note(isFree ? { state: 'refused', attempt: attempt - 1 } : { state: 'doubt', attempt })
      throw error
    } finally {
      if (shared.failure())
        context.warn(`the shared journal was lost, so it does not say yet what became of ${name}.`)
    }
  } finally {
    await shared.close()
  }
}

function claimedByOther(name: string, claim: Claim, lookup: string, freeSql: string): Failure {
  const says = `${describeClaim(claim, name)}.`
  if (claim.state === 'created')
    return new Failure('refused', says, {
      outcome: 'not-sent',
      hint: `To see it: ${lookup}. If it was deleted on purpose, the owner of the shared journal sets it free: ${freeSql}`,
    })
  if (claim.alive)
    return new Failure('locked', says, {
      outcome: 'not-sent',
      retryable: true,
      hint: 'Run it again when that run has ended.',
    })
  return new Failure('unknown', `${says} Nothing was sent now.`, {
    outcome: 'unknown',
    hint: `Look for it: ${lookup}. An import of a file with this record finds out what became of it, and creates it if it is not there.`,
  })
}
