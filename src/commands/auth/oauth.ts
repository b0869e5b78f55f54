import { operations } from '../../api/contract/operations.ts'
import type { JsonObject } from '../../api/contract/path.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../errors.ts'
import type { Options } from '../kit/options.ts'
import type { Verb } from '../kit/verb.ts'
import { readSecret, storeKey } from './stored-key.ts'

/** "Get url to connect the system". */
export const connectUrl: Verb = {
  name: 'connect-url',
  summary: 'Show the address at which a person connects their system',
  examples: ['payroll auth connect-url'],
  async run(context) {
    const client = await context.client()
    await context.output.record((await client.record(operations.auth.connectUrl)) ?? {})
  },
}

/** "Get OAuth client info for the consent screen". */
export const client: Verb = {
  name: 'client',
  summary: 'Show what the consent screen says of a client application',
  options: ['clientId'],
  examples: ['payroll auth client --client-id 5b1e…'],
  async run(context, { options: { clientId } }) {
    if (clientId === undefined) throw usage('Which application? Name it with --client-id <id>.')
    const service = await context.client()
    const query = { client_id: clientId }
    await context.output.record((await service.record(operations.oauth.clientInfo, { query })) ?? {})
  },
}

/** "Get access token": an authorization code, or a refresh token, for an access token. */
export const token: Verb = {
  name: 'token',
  summary: 'Exchange an authorization code, or a refresh token, from standard input for an access token',
  options: ['refresh', 'clientId', 'redirectUri', 'store'],
  examples: [
    'payroll auth token --client-id 5b1e… --redirect-uri http://127.0.0.1:8123/back < code.txt',
    'payroll auth token --refresh --client-id 5b1e… --store < refresh-token.txt',
  ],
  async run(context, { options }) {
    const secret = await readSecret(
      context,
      options,
      options.refresh ? 'Refresh token' : 'Authorization code',
    )
    const service = await context.client()
    const answer = await service.record(operations.auth.token, { body: grant(secret, options) })
    if (!options.store) return context.output.record(answer ?? {})
    await store(context, answer)
  },
}

/** assumed: the names of RFC 6749. "Endpoint paths, parameters, token formats …: not shown." */
function grant(secret: string, { refresh, clientId, redirectUri }: Options): JsonObject {
  return {
    grant_type: refresh ? 'refresh_token' : 'authorization_code',
    ...(refresh ? { refresh_token: secret } : { code: secret }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
  }
}

/** assumed: an access token is presented as the key is. "how an access token is presented …: not shown." */
async function store(context: Context, answer: JsonObject | undefined): Promise<void> {
  const accessToken = answer?.access_token
  if (typeof accessToken !== 'string') {
    throw new Failure('answer', 'The answer holds no access_token; nothing was stored.', {
      outcome: 'applied',
    })
  }
  const profile = await context.profile()
  const { name, baseUrl } = profile
  if (profile.kind !== 'stored' || baseUrl === undefined)
    throw usage(`${name} is no stored profile; nothing was stored.`)
  await storeKey(context, name, new URL(baseUrl), accessToken)
  await context.output.record({ stored: true, profile: name, expires_in: answer?.expires_in ?? null })
}
