import type { Client } from '../../../api/client.ts'
import { operations } from '../../../api/contract/operations/operations.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'

/**
 * Exchanges the code, once. What the service refuses, or does not answer whole, is no sign-in: exit 4.
 *
 * @param hint how to begin a new sign-in
 */
export async function exchangeCode(client: Client, body: JsonObject, hint: string): Promise<JsonObject> {
  let answer: JsonObject | undefined
  try {
    answer = await client.record(operations.auth.token, { body })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { outcome, status } = error.details
    const message = error.message.replace(
      / (Nothing was (sent|applied)|It may or may not have been applied)\./g,
      '',
    )
    const code = outcome === 'not-sent' || error.code === 'temporary' ? error.code : 'auth'
    const lost = outcome === 'unknown' ? ' The code may be used up.' : ''
    const check = status === 401 ? 'Check the id and the secret of the client application. ' : ''
    throw new Failure(code, `The code was not exchanged. ${message}${lost} Nothing was stored.`, {
      ...error.details,
      hint: check + hint,
    })
  }
  if (answer) return answer
  const message =
    'The code was not exchanged. The answer of the service did not arrive whole, or not in time. The code may be used up. Nothing was stored.'
  throw new Failure('auth', message, { outcome: 'unknown', hint })
}
