import type { CallRequest } from '../../api/client.ts'
import type { Context } from '../../context/context.ts'
import { checkKey } from '../../credentials/key.ts'
import { usage } from '../../errors.ts'
import type { Operation } from '../../model/records/operation.ts'
import { operations } from '../../model/resources/operations.ts'
import type { Options } from '../cli/options.ts'
import type { Resource, Shape, Verb } from '../cli/verb.ts'
import { readSecret } from '../kit/read-secret.ts'
import { warnOfEnvironment } from '../kit/warn-of-environment.ts'
import { login } from './login.ts'
import { status } from './status.ts'

const ofService: Shape = { about: 'As the service sends it.', fields: {}, open: true }

/** The parameters of RFC 6749 that options give. assumed: "Endpoint paths, parameters …: not shown." */
const clientParameters = ({ clientId, redirectUri }: Options) => ({
  ...(clientId !== undefined && { client_id: clientId }),
  ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
})

/** "Get url to connect the system". */
const connectUrl: Verb = {
  name: 'connect-url',
  summary: 'Show the address to open in a browser to connect your system. To sign in: auth login --browser',
  options: ['clientId', 'redirectUri'],
  answer: { prints: 'json', shapes: [ofService] },
  examples: [
    'payroll auth connect-url',
    'payroll auth connect-url --client-id payroll-cli --redirect-uri http://127.0.0.1:8123/callback',
  ],
  async run(context, { options }) {
    await printAnswer(context, operations.auth.connectUrl, { query: clientParameters(options) })
  },
}

/** "Get OAuth client info for the consent screen". */
const showClient: Verb = {
  name: 'client',
  summary: 'Show what the consent screen says about a client application',
  options: ['clientId'],
  answer: { prints: 'json', shapes: [ofService] },
  examples: ['payroll auth client --client-id payroll-cli'],
  async run(context, { options: { clientId } }) {
    if (clientId === undefined) throw usage('Which application? Name it with --client-id <id>.')
    await printAnswer(context, operations.oauth.clientInfo, { query: { client_id: clientId } })
  },
}

/** "Get access token": an authorization code, or a refresh token, for an access token. */
const token: Verb = {
  name: 'token',
  writes: true,
  readsInput: 'secret',
  summary: 'Exchange an authorization code, or a refresh token, for an access token, and print the answer',
  notes: [
    'The code, or the whole address that the browser was sent to, is read from standard input; with --refresh it is a refresh token.',
    'Nothing is stored. To sign in, with PKCE and a check of the state parameter: payroll auth login --browser, which also refreshes its tokens.',
  ],
  options: ['refresh', 'clientId', 'redirectUri'],
  answer: { prints: 'json', shapes: [ofService] },
  examples: [
    'payroll auth token --client-id payroll-cli < address.txt',
    'payroll auth token --refresh --client-id payroll-cli < refresh-token.txt',
  ],
  async run(context, { options }) {
    const name = options.refresh ? 'The refresh token' : 'The authorization code'
    const secret = await readSecret(context, options, name, (text) =>
      checkKey(options.refresh ? text.trim() : authorizationCodeIn(text.trim()), name),
    )
    const grant = options.refresh
      ? { grant_type: 'refresh_token', refresh_token: secret }
      : { grant_type: 'authorization_code', code: secret }
    // The answer may contain the refresh token that was sent, and is to be printed whole.
    if (options.refresh) context.host.secrets.reveal(secret)
    await printAnswer(context, operations.auth.token, { body: { ...grant, ...clientParameters(options) } })
  },
}

/** The code in a pasted text: the whole address that the browser was sent to, or the code alone. */
function authorizationCodeIn(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text
  const code = URL.canParse(text) ? new URL(text).searchParams.get('code') : null
  if (code !== null) return code
  throw usage('This address has no code.', 'Copy the whole address that the browser was sent to.')
}

/** Asks with the API key where there is one, because an expired token cannot ask for the next one. */
async function printAnswer(context: Context, operation: Operation, request: CallRequest): Promise<void> {
  const { token, apiKey, ...access } = await context.access()
  const client = await context.clientOf(token && apiKey !== undefined ? { ...access, key: apiKey } : access)
  const { record = {} } = await client.call(operation, request)
  await context.output.record(record)
}

const logout: Verb = {
  name: 'logout',
  isLocal: true,
  deletes: true,
  localEffect: 'removed',
  summary: 'Remove the stored key of a profile, and its access token and refresh token',
  answer: { prints: 'nothing' },
  examples: ['payroll auth logout --profile production'],
  async run(context) {
    const { name } = await context.profile()
    let places: readonly string[] = []
    await context.changeProfile(name, (stored) => {
      const { key, token, ...others } = stored.secrets
      places = [...(key ? ['key'] : []), ...(token ? ['access token'] : [])]
      if (places.length === 0) throw usage(`No key is stored for ${name}.`)
      return { ...stored, secrets: others }
    })
    context.note(
      `Removed the ${places.join(' and the ')} of ${name} from this computer. What was removed still works at the service until it is revoked there.`,
    )
    await warnOfEnvironment(context, name)
  },
}

export const auth: Resource = { verbs: [login, status, logout, connectUrl, token, showClient] }
