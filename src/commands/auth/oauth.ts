import type { Client } from '../../api/client.ts'
import { flag, integer, text, type ValuesOf } from '../../api/contract/fields/field.ts'
import { operations } from '../../api/contract/operations/operations.ts'
import type { Options } from '../../cli/options.ts'
import type { Shape, Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { checkKey } from '../../credentials/key.ts'
import type { StoredToken } from '../../credentials/settings.ts'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'
import { readSecret } from '../../verbs/read-secret.ts'
import {
  beginPkceSession,
  currentPkceSession,
  endPkceSession,
  type PkceSession,
  readBroughtBack,
} from './pkce-session.ts'
import { keepToken, type ProfileWithAddress, profileToStoreFor, storedToken } from './stored-token.ts'

const ofService: Shape = { about: 'As the service sends it.', fields: {}, open: true }

/** What is said of tokens that were stored, without a secret. */
const storedFields = {
  stored: flag('Stored'),
  profile: text('Profile'),
  expires_in: integer('Seconds for which the access token is valid', { nullable: true }),
  refreshable: flag('Renewed by itself'),
}

/** "Get url to connect the system". */
export const connectUrl: Verb = {
  name: 'connect-url',
  summary: 'Show the address to open in a browser to connect your system; auth token takes what comes back',
  options: ['clientId', 'redirectUri'],
  answer: { prints: 'json', shapes: [ofService] },
  examples: [
    'payroll auth connect-url',
    'payroll auth connect-url --client-id payroll-cli --redirect-uri http://127.0.0.1:8123/callback',
  ],
  async run(context, { options: { clientId, redirectUri } }) {
    const client = await clientForTokens(context)
    const query = await beginPkceSession(context, {
      ...(clientId !== undefined && { clientId }),
      ...(redirectUri !== undefined && { redirectUri }),
    })
    const { kind } = await context.profile()
    if (kind === 'sandbox')
      context.warn(
        'no browser can open this address: the sandbox inside payroll has no server. To practise with one: payroll sandbox serve',
      )
    await context.output.record((await client.record(operations.auth.connectUrl, { query })) ?? {})
  },
}

/** "Get OAuth client info for the consent screen". */
export const showClient: Verb = {
  name: 'client',
  summary: 'Show what the consent screen says about a client application',
  options: ['clientId'],
  answer: { prints: 'json', shapes: [ofService] },
  examples: ['payroll auth client --client-id payroll-cli'],
  async run(context, { options: { clientId } }) {
    if (clientId === undefined) throw usage('Which application? Name it with --client-id <id>.')
    const service = await clientForTokens(context)
    const query = { client_id: clientId }
    await context.output.record((await service.record(operations.oauth.clientInfo, { query })) ?? {})
  },
}

/** "Get access token": an authorization code, or a refresh token, for an access token. */
export const token: Verb = {
  name: 'token',
  writes: true,
  localEffect: 'stored',
  readsInput: 'secret',
  summary: 'Exchange an authorization code, or a refresh token, for an access token',
  notes: [
    'The code is read from standard input. Give the whole address that the browser was sent to: its state is checked, which is not possible with the code alone.',
    'With --store the access token and its refresh token are saved in the profile, and used instead of the key from then on.',
    '--refresh uses the stored refresh token when standard input has none.',
  ],
  options: ['refresh', 'clientId', 'redirectUri', 'store'],
  answer: { prints: 'json', shapes: [ofService, { with: '--store', fields: storedFields }] },
  examples: [
    'payroll auth token --store < address.txt',
    'payroll auth token --refresh --store',
    'payroll auth token --refresh --client-id payroll-cli < refresh-token.txt',
  ],
  async run(context, { options }) {
    const target = options.store ? await profileToStoreFor(context) : undefined
    const asked = options.refresh ? await refreshGrant(context, options) : await codeGrant(context, options)
    const service = await clientForTokens(context)
    const ask = (body: JsonObject) => service.record(operations.auth.token, { body })
    if (target && asked.stored) {
      const { refreshToken } = await import('../../credentials/refresh-token.ts')
      const { now, env, secrets } = context.host
      const refreshHost = { now, env, hide: secrets.hide, directory: context.directory, ask }
      return showStored(context, target.name, await refreshToken(target, asked.stored.access, refreshHost))
    }
    const answer = await ask(asked.body)
    if (asked.pkce) await endPkceSession(context)
    if (target) return store(context, target, answer, asked)
    // A service may answer with the very refresh token that it was sent.
    if (asked.refresh !== undefined) context.host.secrets.reveal(asked.refresh)
    context.writes.changedHere()
    await context.output.record(answer ?? {})
  },
}

async function store(
  context: Context,
  { name, baseUrl }: ProfileWithAddress,
  answer: JsonObject | undefined,
  { clientId, refresh }: Grant,
): Promise<void> {
  const place = { name, baseUrl: new URL(baseUrl) }
  const token = await keepToken(context, place, answer, { clientId, refresh })
  await showStored(context, name, token)
}

/** What was stored, without a secret. */
async function showStored(context: Context, name: string, token: StoredToken<string>): Promise<void> {
  context.writes.changedHere()
  const { expiresAt, obtainedAt, refresh } = token
  const stored: ValuesOf<typeof storedFields> = {
    stored: true,
    profile: name,
    expires_in:
      expiresAt === undefined || obtainedAt === undefined
        ? null
        : Math.round((expiresAt - obtainedAt) / 1000),
    refreshable: refresh !== undefined,
  }
  await context.output.record(stored)
}

interface Grant {
  readonly body: JsonObject
  readonly clientId?: string | undefined
  readonly refresh?: string
  /** The token that is refreshed as it is stored, where nothing else was given. */
  readonly stored?: StoredToken<string> | undefined
  /** The connection under way, which this ends. */
  readonly pkce?: PkceSession | undefined
}

/** assumed: the names of RFC 6749, 4.1.3. "Endpoint paths, parameters, token formats …: not shown." */
async function codeGrant(context: Context, options: Options): Promise<Grant> {
  const text = await readSecret(context, options, 'The address you were sent to, or its authorization code')
  const pkce = await currentPkceSession(context)
  const { code, isCompared } = readBroughtBack(text, pkce)
  context.host.secrets.hide(code)
  if (!isCompared && pkce)
    context.note(
      'The state could not be checked: it is only in the whole address that the browser was sent to.',
    )
  const { clientId, redirectUri } = { ...pkce, ...options }
  const body = {
    grant_type: 'authorization_code',
    code,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
    ...(pkce !== undefined && { code_verifier: pkce.verifier }),
  }
  return { body, clientId, pkce }
}

/** assumed: the names of RFC 6749, 6. */
async function refreshGrant(context: Context, options: Options): Promise<Grant> {
  const stored = await storedToken(context)
  const refresh = await refreshTokenFor(context, options, stored?.refresh)
  const clientId = options.clientId ?? stored?.clientId
  const body = {
    grant_type: 'refresh_token',
    refresh_token: refresh,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(options.redirectUri !== undefined && { redirect_uri: options.redirectUri }),
  }
  const isStored =
    refresh === stored?.refresh && options.clientId === undefined && options.redirectUri === undefined
  return { body, clientId, refresh, stored: isStored ? stored : undefined }
}

/** What standard input holds, else the stored one; a person at a terminal is not asked for it. */
async function refreshTokenFor(
  context: Context,
  options: Options,
  stored: string | undefined,
): Promise<string> {
  if (stored !== undefined && context.host.stdin.isTTY && !options.withToken) return stored
  const given = await readSecret(context, options, 'The refresh token')
  if (given.trim() !== '') return checkKey(given, 'The refresh token')
  if (stored !== undefined) return stored
  const { name } = await context.profile()
  throw usage(
    `No refresh token is stored for ${name}, and standard input has none.`,
    `To sign in: payroll auth login --browser --profile ${name}`,
  )
}

/** Calls with the API key where there is one: a token that has expired cannot ask for the next one. */
async function clientForTokens(context: Context): Promise<Client> {
  const { token, ...profile } = await context.access()
  const { apiKey } = token ?? {}
  return context.clientOf(apiKey === undefined ? profile : { ...profile, key: apiKey })
}
