import type { Client } from '../../../api/client.ts'
import { operations } from '../../../api/contract/operations/operations.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'
import { checkBrowserAddress } from '../../../profile/browser-address.ts'

/** The parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export type AuthorizationQuery = Readonly<Record<string, string>>

/**
 * Asks the service for the address of its consent page. Throws a Failure; one that says so where the service gives it
 * only with a key.
 */
export async function askForAddress(
  { client, hasKey, name }: { readonly client: Client; readonly hasKey: boolean; readonly name: string },
  query: AuthorizationQuery,
): Promise<string> {
  const answer = await client.record(operations.auth.connectUrl, { query }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.status !== 401 || hasKey) throw error
    const message = `The service gives the address of its consent page only with a key (401), and none is stored for ${name}. Nothing was stored.`
    const hint = `To store the key first: payroll auth login --key --profile ${name}. Or, if you know the page: payroll profiles set ${name} --authorize-url https://…`
    throw new Failure('auth', message, { ...error.details, hint })
  })
  return addressInAnswer(answer)
}

/**
 * The address for the browser in the answer of "Get url to connect the system". assumed: it is the member `url`, or
 * else the first that is an address. "Endpoint paths, parameters …: not shown."
 */
function addressInAnswer(answer: JsonObject | undefined): string {
  const { url, ...others } = answer ?? {}
  const found = [url, ...Object.values(others)].find(
    (each): each is string => typeof each === 'string' && /^https?:\/\//i.test(each),
  )
  if (found !== undefined) return found
  throw new Failure(
    'invalid-response',
    'The answer of auth.connectUrl holds no address. Nothing was stored.',
    {
      hint: 'If you know the address of the consent page: payroll profiles set <name> --authorize-url https://…',
    },
  )
}

/**
 * The address with what it lacks of the request. Throws a Failure for one that a browser must not be sent to, and for
 * one with another state or challenge than ours: its answer could not be told from that of another person.
 */
export function completeAddress(address: string, query: AuthorizationQuery): URL {
  const url = checkBrowserAddress(address, 'The address of the consent page')
  for (const [name, value] of Object.entries(query)) {
    const there = url.searchParams.getAll(name)
    if (there.length === 0) url.searchParams.set(name, value)
    else if (there.length > 1 || (mustBeOurs.includes(name) && there[0] !== value)) {
      throw new Failure('auth', `The address of the consent page has another ${name} than this sign-in.`, {
        hint: 'To name the page yourself: payroll profiles set <name> --authorize-url https://…',
      })
    }
  }
  return url
}

const mustBeOurs: readonly string[] = ['state', 'code_challenge', 'code_challenge_method', 'redirect_uri']
