import { operations } from '../../api/contract/operations.ts'
import type { JsonObject } from '../../api/contract/path.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../errors.ts'
import { checkKey } from '../../profile/key.ts'
import type { Options } from '../kit/options.ts'
import type { Verb } from '../kit/verb.ts'
import { beginConnecting, connectingNow, endConnecting } from './connecting.ts'
import { readSecret, storeKey } from './stored-key.ts'

/** "Get url to connect the system". */
export const connectUrl: Verb = {
  name: 'connect-url',
  summary: 'Show the address at which a person connects their system; auth token takes the code it leads to',
  options: ['clientId', 'redirectUri'],
  examples: [
    'payroll auth connect-url',
    'payroll auth connect-url --client-id payroll-cli --redirect-uri http://127.0.0.1:8123/callback',
  ],
  async run(context, { options: { clientId, redirectUri } }) {
    const client = await context.client()
    const query = await beginConnecting(context, {
      ...(clientId !== undefined && { clientId }),
      ...(redirectUri !== undefined && { redirectUri }),
    })
    const { kind } = await context.profile()
    if (kind === 'sandbox') context.warn('this address has a page only while payroll sandbox serve runs.')
    await context.output.record((await client.record(operations.auth.connectUrl, { query })) ?? {})
  },
}

/** "Get OAuth client info for the consent screen". */
export const client: Verb = {
  name: 'client',
  summary: 'Show what the consent screen says of a client application',
  options: ['clientId'],
  examples: ['payroll auth client --client-id payroll-cli'],
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
    'payroll auth token < code.txt',
    'payroll auth token --refresh --client-id payroll-cli --store < refresh-token.txt',
  ],
  async run(context, { options }) {
    const name = options.refresh ? 'refresh token' : 'authorization code'
    const secret = checkKey(await readSecret(context, options, `The ${name}`), `The ${name}`)
    const service = await context.client()
    const begun = options.refresh ? undefined : await connectingNow(context)
    const body = grant(secret, { ...begun, ...options }, begun?.verifier)
    const answer = await service.record(operations.auth.token, { body })
    if (begun) await endConnecting(context)
    if (!options.store) {
      // A service may answer with the very refresh token that it was sent.
      context.host.secrets.release(secret)
      return context.output.record(answer ?? {})
    }
    await store(context, answer)
  },
}

/** assumed: the names of RFC 6749. "Endpoint paths, parameters, token formats …: not shown." */
function grant(secret: string, { refresh, clientId, redirectUri }: Options, verifier?: string): JsonObject {
  return {
    grant_type: refresh ? 'refresh_token' : 'authorization_code',
    ...(refresh ? { refresh_token: secret } : { code: secret }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
    ...(verifier !== undefined && { code_verifier: verifier }),
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
  context.host.secrets.keep(accessToken)
  const profile = await context.profile()
  const { name, baseUrl } = profile
  if (profile.kind !== 'stored' || baseUrl === undefined)
    throw usage(`${name} is no stored profile; nothing was stored.`)
  await storeKey(context, name, new URL(baseUrl), accessToken)
  await context.output.record({ stored: true, profile: name, expires_in: answer?.expires_in ?? null })
}
