import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { platform } from 'node:os'
import { win32 } from 'node:path'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Client } from '../../api/client.ts'
import { never } from '../../api/http/transport.ts'
import type { Context } from '../../context/context.ts'
import { checkBrowserAddress } from '../../credentials/base-url.ts'
import { checkKey } from '../../credentials/key.ts'
import { readSecrets } from '../../credentials/keys.ts'
import type { Access } from '../../credentials/profile.ts'
import { secretTextsOf } from '../../credentials/settings.ts'
import { type ClientApplication, clientParameters, mendOf, tokenOfAnswer } from '../../credentials/token.ts'
import type { Environment } from '../../environment.ts'
import { asFailure, Failure, isTemporary, joinHints, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { operations } from '../../model/resources/operations.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { neededEnvironment } from '../../secrets.ts'
import { formatDuration } from '../../text/duration.ts'
import type { Options } from '../cli/options.ts'
import { requireWritable } from '../kit/confirm.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import { type CallbackListener, type CallbackPlace, listenForCallback } from './callback.ts'
import { profileAt, storeSignIn } from './store-sign-in.ts'

/** A sign-in under way. `hint`: how to begin a new one. */
interface Begun {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly listener: CallbackListener | undefined
  readonly hint: string
}

/** Signs in by consent in the browser. Stores nothing unless all steps succeed; throws a Failure that names the one that did not. */
export async function signInByBrowser(
  context: Context,
  name: string,
  baseUrl: URL,
  options: Options,
): Promise<void> {
  await requireWritable(context)
  let listener: CallbackListener | undefined
  try {
    const application = await clientApplication(context, name, options)
    const { clientId } = application
    const [verifier, state] = [generateRandomCodeVerifier(), generateRandomState()]
    context.host.secrets.hide(verifier)
    const place = placeToListen(context, options)
    listener = place && (await listenForCallback(place, state))
    const redirectUri = options.redirectUri ?? listener?.redirectUri ?? ''
    const hint = `To begin a new sign-in: payroll auth login --browser --profile ${name} --client-id ${clientId}`
    const begun = { clientId, redirectUri, state, listener, hint }
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const { client, hasKey } = await serviceOf(context, name, baseUrl)
    const address = completeAddress(await askForAddress({ client, hasKey, name }, query), query)
    await showAddress(context, address)
    const code = codeIn(await waitForAnswer(context, begun), hint)
    context.host.secrets.hide(code)
    const body = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...clientParameters(application),
    }
    const tokens = await exchangeCode(client, body, hint)
    await storeTokens(context, name, baseUrl, tokens, application)
  } finally {
    await listener?.close()
  }
}

/** Where to listen; undefined where the browser is sent to another computer, and only pasting remains. */
function placeToListen({ interactive }: Context, { redirectUri }: Options): CallbackPlace | undefined {
  if (redirectUri === undefined) return { port: 0, path: '/callback' }
  if (!URL.canParse(redirectUri)) throw usage('--redirect-uri is not a web address.')
  const { protocol, hostname, port, pathname } = new URL(redirectUri)
  const isHere = protocol === 'http:' && hostname === '127.0.0.1'
  if (isHere) return { port: Number(port || 80), path: pathname }
  if (interactive) return undefined
  throw usage(
    'Without a terminal, the browser can only be sent back to this computer.',
    'Leave --redirect-uri out, or name http://127.0.0.1:<port>/<path>. A script signs in with a key: payroll auth login',
  )
}

/** The code in the address that the browser ended at. Throws a Failure where the person or the service has said no. */
function codeIn({ searchParams }: URL, hint: string): string {
  const code = searchParams.get('code')
  if (code !== null && !searchParams.has('error')) return checkKey(code, 'The authorization code')
  const words = ['error', 'error_description'].flatMap((name) => searchParams.get(name) || [])
  const why = safeText(words.join(': ')).slice(0, 300) || 'the address has no code'
  throw new Failure('auth', `The consent was not given (${why}).`, { outcome: 'not-sent', hint })
}

/** Stores the tokens of an answer. Throws a Failure if it has none. */
async function storeTokens(
  context: Context,
  name: string,
  baseUrl: URL,
  answer: JsonObject,
  application: ClientApplication,
): Promise<void> {
  const { secrets, now } = context.host
  const { origin } = baseUrl
  const account = randomBytes(8).toString('hex')
  const token = tokenOfAnswer(answer, { ...application, origin, account }, now())
  if (!token)
    throw new Failure('invalid-response', 'The answer has no usable access_token.', { outcome: 'applied' })
  for (const secret of secretTextsOf({ token })) secrets.hide(secret)
  const { key } = await storeSignIn(context, name, baseUrl, (before) => ({ ...before, token }))
  const keyNote = key ? ' Its API key stays stored too.' : ''
  context.note(
    `Stored the access token of ${name}. It is used from now on, and sent only to ${origin}.${keyNote}`,
  )
}

/** A client with the key of the profile, if it has one: before the first sign-in it may have none. */
async function serviceOf(context: Context, name: string, baseUrl: URL) {
  const resolved = await profileAt(context, name, baseUrl)
  const { token, apiKey, key, ...profile } = await context
    .withKey(resolved)
    .catch((error: unknown): Access => {
      // A key that is gone from the keyring is replaced by this sign-in.
      if (error instanceof Failure && error.code === 'auth') return { ...resolved, keyFrom: 'none' }
      throw error
    })
  const keyInUse = token ? apiKey : key
  const client = await context.clientOf({ ...profile, key: keyInUse }, { withoutKey: true })
  return { client, hasKey: keyInUse !== undefined }
}

async function showAddress(context: Context, url: URL): Promise<void> {
  const isOpened = context.interactive && (await openBrowser(url, context.host.env))
  const what = isOpened
    ? 'The browser was opened. If it shows nothing, open this address:'
    : 'Open this address:'
  // With --quiet too: the sign-in cannot go on without it.
  context.host.stderr.write(`${what}\n\n  ${url.href}\n\n`)
}

/** The parameters of an authorization request (RFC 6749, 4.1.1; RFC 7636, 4.3). */
type AuthorizationQuery = Readonly<Record<string, string>>

/** Asks the service for its consent page. Throws a Failure with what to do where it gives that only with a key. */
async function askForAddress(
  { client, hasKey, name }: { readonly client: Client; readonly hasKey: boolean; readonly name: string },
  query: AuthorizationQuery,
): Promise<string> {
  const { record } = await client.call(operations.auth.connectUrl, { query }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.status !== 401 || hasKey) throw error
    const message = `The service gives the address of its consent page only with a key (401), and none is stored for ${name}.`
    const hint = `To store the key first: payroll auth login --key --profile ${name}`
    throw error.with({ code: 'auth', message, hint })
  })
  // "Endpoint paths, parameters …: not shown." Whatever the service calls it, it is the one web address that is not ours.
  // A scope such as openid:profile can be read as an address too.
  const texts = Object.values(record ?? {}).filter((value) => typeof value === 'string')
  const addresses = texts.filter((text) => URL.canParse(text) && text !== query.redirect_uri)
  const ofWeb = addresses.filter((text) => /^https?:/i.test(text))
  const [address, ...others] = ofWeb.length > 0 ? ofWeb : addresses
  if (address !== undefined && others.length === 0) return address
  throw new Failure('invalid-response', 'The answer of auth.connectUrl does not say which page to open.', {
    hint: `To see it: payroll auth connect-url --profile ${name}. To sign in with a key: payroll auth login --key --profile ${name}`,
  })
}

/**
 * Adds the parameters of this sign-in. Throws for an address with another state or challenge: its answer
 * could be another person's.
 */
function completeAddress(address: string, query: AuthorizationQuery): URL {
  const url = checkBrowserAddress(address, 'The address of the consent page')
  for (const [parameter, value] of Object.entries(query)) {
    const there = url.searchParams.getAll(parameter)
    if (there.length === 0) url.searchParams.set(parameter, value)
    else if (there.length > 1 || (mustBeOurs.includes(parameter) && there[0] !== value)) {
      throw new Failure('auth', `The address of the consent page has another ${parameter} than this sign-in.`)
    }
  }
  return url
}

const mustBeOurs: readonly string[] = ['state', 'code_challenge', 'code_challenge_method', 'redirect_uri']

/** The client application: from an option, the last sign-in, or asked for. Its secret never comes from an option. */
async function clientApplication(
  context: Context,
  name: string,
  options: Options,
): Promise<ClientApplication & { readonly clientId: string }> {
  const { env, secrets } = context.host
  const { token } = await readSecrets(context.place, name)
  const configuredId = options.clientId ?? token?.clientId
  const clientId = configuredId === undefined ? await askForId(context) : checkId(configuredId)
  const storedSecret = token?.clientId === clientId ? token.clientSecret : undefined
  const secret = env.PAYROLL_CLIENT_SECRET || storedSecret
  const message = 'Client secret (not shown; leave it empty if there is none)'
  const clientSecret =
    secret || configuredId !== undefined
      ? checkSecret(secret ?? '')
      : await (await openPrompts(context)).read({ message, hidden: true, read: checkSecret })
  if (clientSecret === '') return { clientId }
  secrets.hide(clientSecret)
  return { clientId, clientSecret }
}

const checkId = (text: string) => checkKey(text, 'The id of the client application')
const checkSecret = (text: string) => (text === '' ? '' : checkKey(text, 'The client secret'))

async function askForId(context: Context): Promise<string> {
  if (!context.interactive) {
    throw usage('Which client application asks for consent?', 'Name it with --client-id <id>.')
  }
  const ask = await openPrompts(context)
  return ask.read({
    message: 'Id of the client application that is registered with the service (in the sandbox: payroll-cli)',
    read(typed) {
      if (typed.trim() === '') throw usage('The people who run the service give it to you.')
      return checkId(typed.trim())
    },
  })
}

/** Exchanges the code, once: a refusal and a lost answer are exit 4. `hint`: how to begin a new sign-in. */
async function exchangeCode(client: Client, body: JsonObject, hint: string): Promise<JsonObject> {
  const answer = await client.call(operations.auth.token, { body }).catch(asFailure)
  if (!(answer instanceof Failure) && answer.record) return answer.record
  const failure =
    answer instanceof Failure
      ? answer
      : new Failure('unknown', 'The answer did not arrive whole.', { outcome: 'unknown' })
  const code = failure.details.outcome === 'not-sent' || isTemporary(failure.code) ? failure.code : 'auth'
  const used = failure.details.outcome === 'unknown' ? ' The code may be used up.' : ''
  // It comes before a new sign-in, which would end like this one.
  const mend = mendOf(failure) ?? 'Check the id and the secret of the client application.'
  const message = `The code was not exchanged. ${failure.message}${used}`
  throw failure.with({ code, message, hint: joinHints(mend, hint) })
}

/** Opens the browser, without a shell; false where none started. `url` holds no secret: other users see the words of a process. */
async function openBrowser(url: URL, env: Environment): Promise<boolean> {
  const [program, ...args] = openerOf(env)
  if (program === undefined) return false
  try {
    const child = spawn(program, [...args, url.href], {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: neededEnvironment(env),
    })
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    return false
  }
}

function openerOf(env: Environment): readonly string[] {
  const { BROWSER } = env
  if (BROWSER === 'none') return []
  if (BROWSER) return [BROWSER]
  switch (platform()) {
    case 'darwin':
      return ['open']
    case 'win32':
      return [
        win32.join(neededEnvironment(env).SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe'),
        'url.dll,FileProtocolHandler',
      ]
    default:
      // Without a screen it would start a browser in the terminal, or wait for one.
      return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : []
  }
}

const waitTimeoutMs = 180_000

/** The answer that comes by itself or is pasted, whichever is first. Throws an `auth` failure when the time is over. */
async function waitForAnswer(
  context: Context,
  { listener, clientId, redirectUri, state, hint }: Begun,
): Promise<URL> {
  const waitMs = context.options.timeout === undefined ? waitTimeoutMs : context.options.timeout * 1000
  const over = new AbortController()
  const tooLate = new Failure('auth', `No answer came from the browser within ${formatDuration(waitMs)}.`, {
    outcome: 'not-sent',
    retryable: true,
    // A service that knows neither says so in the browser only (RFC 6749, 4.1.2.1).
    hint: `If the browser showed an error: the service must know the client application ${clientId} and its redirect address ${redirectUri}. ${hint}`,
  })
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(tooLate), waitMs).unref()
  })
  const paste = readPasted(context, over.signal, state)
  try {
    return await Promise.race([late, listener?.answered ?? never, paste])
  } finally {
    over.abort()
    // The terminal is given back before anything else is written.
    if (context.interactive) await paste.catch(() => {})
  }
}

/** The address that is pasted at the terminal. Another state is of the sign-in of another person (RFC 6749, 10.12). Without one it never resolves. */
async function readPasted(context: Context, over: AbortSignal, state: string): Promise<URL> {
  if (!context.interactive) return never
  const { signal, interrupted } = context.interruption
  const ended = new Promise<never>((_, reject) => {
    over.addEventListener('abort', () => reject(new Error('answered by another way')))
  })
  const host = { signal: AbortSignal.any([signal, over]), interrupted: Promise.race([interrupted, ended]) }
  host.interrupted.catch(() => {})
  const ask = await openPrompts(context, host)
  return ask.read({
    message: 'Waiting for the browser. Or paste here the address that it ended at',
    read(typed) {
      const text = typed.trim()
      const address = URL.canParse(text) ? new URL(text) : undefined
      if (!address?.searchParams.has('code') && !address?.searchParams.has('error'))
        throw usage(
          'There is no code in it. Paste the whole address that the browser shows after you have decided.',
        )
      if (address.searchParams.get('state') === state) return address
      throw usage(
        'This address does not belong to the sign-in that you started (its state parameter is different): it may come from another person.',
      )
    },
  })
}
