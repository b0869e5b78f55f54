import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Client } from '../../../api/client.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { resolveProfile } from '../../../profile/resolve.ts'
import type { Options } from '../../kit/declare/options.ts'
import { requireWritable } from '../../kit/steps/confirm.ts'
import { readBroughtBack } from '../redirect-address.ts'
import { keepToken } from '../stored-token.ts'
import { askForAddress, completeAddress } from './authorization-address.ts'
import { type CallbackListener, type CallbackPlace, listenForCallback } from './callback-listener.ts'
import { clientApplication } from './client-application.ts'
import { exchangeCode } from './exchange-code.ts'
import { openBrowser } from './open-browser.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/**
 * Signs in by consent in the browser: shows its address, waits for the answer, exchanges the code for tokens and stores
 * them. Nothing is stored unless all of it succeeds. Throws a Failure that says which step did not.
 */
export async function signInByBrowser(
  context: Context,
  name: string,
  baseUrl: URL,
  options: Options,
): Promise<void> {
  await requireWritable(context)
  // At a terminal the questions read it.
  const input = createInterface({ input: context.interactive ? Readable.from([]) : context.host.stdin })
  const lines = input[Symbol.asyncIterator]()
  let listener: CallbackListener | undefined
  try {
    const application = await clientApplication(context, name, options, lines)
    const begun = { verifier: generateRandomCodeVerifier(), state: generateRandomState() }
    context.host.secrets.hide(begun.verifier)
    const judge = (address: string) => outcomeOf(address, begun.state)
    const place = placeToListen(options)
    listener = place && (await listenForCallback(place, judge))
    const redirectUri = options.redirectUri ?? listener?.redirectUri ?? ''
    const { clientId } = application
    const words = { effect: 'Nothing was stored.', hint: beginAgain(name, clientId) }
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state: begun.state,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    }
    const { client, authorizeUrl, hasKey } = await serviceOf(context, name, baseUrl)
    const page = authorizeUrl ?? (await askForAddress({ client, hasKey, name }, query))
    const address = completeAddress(page, query)
    await show(context, address)
    const { hint } = words
    const text = await waitForAnswer(context, { listener, lines, address, redirectUri, clientId, hint })
    const { code, isCompared } = readBroughtBack(text, begun, words)
    context.host.secrets.hide(code)
    if (!isCompared)
      context.note(
        'The state could not be checked: it is only in the whole address that the browser ended at.',
      )
    const body = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: begun.verifier,
      client_id: clientId,
      ...(application.clientSecret !== undefined && { client_secret: application.clientSecret }),
    }
    const tokens = await exchangeCode(client, body, hint)
    await keepToken(context, { name, baseUrl }, tokens, application)
  } finally {
    input.close()
    await listener?.close()
  }
}

/** Where to listen; undefined where the browser is sent to another computer, and only pasting remains. */
function placeToListen({ redirectUri, redirectPort }: Options): CallbackPlace | undefined {
  if (redirectUri === undefined) return { port: redirectPort ?? 0, path: '/callback' }
  if (redirectPort !== undefined) throw usage('--redirect-uri names the port: leave out --redirect-port.')
  if (!URL.canParse(redirectUri)) throw usage('--redirect-uri is not a web address.')
  const { protocol, hostname, port, pathname } = new URL(redirectUri)
  const isHere = protocol === 'http:' && hostname === '127.0.0.1'
  return isHere ? { port: Number(port || 80), path: pathname } : undefined
}

function outcomeOf(address: string, state: string): 'done' | 'denied' | 'failed' {
  const { searchParams } = new URL(address)
  if (searchParams.get('state') !== state) return 'failed'
  return searchParams.has('error') ? 'denied' : searchParams.has('code') ? 'done' : 'failed'
}

/** The service with the key of the profile, if there is one: before the first sign-in there may be none. */
async function serviceOf(
  context: Context,
  name: string,
  baseUrl: URL,
): Promise<{
  readonly client: Client
  readonly authorizeUrl: string | undefined
  readonly hasKey: boolean
}> {
  const { env } = context.host
  const known = await resolveProfile({
    flag: name,
    env: { ...env, PAYROLL_BASE_URL: undefined },
    settings: context.settings,
    terminal: false,
  })
  const { key, token, ...stored } = await context.withKey(known).catch((error: unknown) => {
    // What is gone from the keyring is what this sign-in is to replace.
    if (error instanceof Failure && error.code === 'auth') return known
    throw error
  })
  const apiKey = token ? token.apiKey : key
  const isMeant = stored.origin === baseUrl.origin || stored.source.key === 'environment'
  const profile = {
    ...stored,
    baseUrl: baseUrl.href.replace(/\/$/, ''),
    origin: baseUrl.origin,
    ...(apiKey !== undefined && isMeant && { key: apiKey }),
  }
  const client = await context.clientOf(profile, { withoutKey: true })
  return { client, authorizeUrl: stored.authorizeUrl, hasKey: 'key' in profile }
}

async function show(context: Context, url: URL): Promise<void> {
  const isOpened = context.interactive && (await openBrowser(url, context.host.env))
  const what = isOpened
    ? 'The browser was opened. If it shows nothing, open this address:'
    : 'Open this address:'
  // Even with --quiet: the sign-in cannot go on without it.
  context.host.stderr.write(`${what}\n\n  ${url.href}\n\n`)
}

const beginAgain = (name: string, clientId: string) =>
  `To begin a new sign-in: payroll auth login --browser --profile ${name} --client-id ${clientId}`
