import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Context } from '../../context/context.ts'
import { changeSettings } from '../../credentials/change-settings.ts'
import { checkKey } from '../../credentials/key.ts'
import type { Settings } from '../../credentials/settings.ts'
import { Failure, usage } from '../../errors.ts'
import { safeText } from '../../render/text/safe-text.ts'

/** What is kept between the address that a person opens and the code that they bring back. */
export interface PkceSession {
  readonly verifier: string
  /** What the address carries and the redirect must bring back. A version before this one kept none. */
  readonly state?: string
  readonly clientId?: string
  readonly redirectUri?: string
}

/** Settings with the connections that are under way, by profile. */
type WithConnecting = Settings & { readonly connecting?: Readonly<Record<string, PkceSession>> }

/**
 * Begins a connection: a new verifier (RFC 7636, S256) is kept for the exchange, and its challenge and a state are
 * what the address carries. assumed: the parameters of RFC 6749. "Endpoint paths, parameters …: not shown."
 */
export async function beginPkceSession(
  context: Context,
  given: Omit<PkceSession, 'verifier' | 'state'>,
): Promise<Readonly<Record<string, string>>> {
  const verifier = generateRandomCodeVerifier()
  context.host.secrets.hide(verifier)
  const state = generateRandomState()
  await keep(context, { ...given, verifier, state })
  return {
    ...(given.clientId !== undefined && { client_id: given.clientId }),
    ...(given.redirectUri !== undefined && { redirect_uri: given.redirectUri }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
}

/** The connection that is under way; undefined when none is. */
export async function currentPkceSession(context: Context): Promise<PkceSession | undefined> {
  const { connecting = {} } = (await context.settings()) as WithConnecting
  const begun = connecting[(await context.profile()).name]
  if (begun) context.host.secrets.hide(begun.verifier)
  return begun
}

/** Forgets the connection: its verifier serves once. */
export function endPkceSession(context: Context): Promise<void> {
  return keep(context, undefined)
}

async function keep(context: Context, connecting: PkceSession | undefined): Promise<void> {
  const { name } = await context.profile()
  const warnings = await changeSettings(await context.directory(), (settings) => {
    const { [name]: _old, ...others } = (settings as WithConnecting).connecting ?? {}
    const changed: WithConnecting = {
      ...settings,
      connecting: { ...others, ...(connecting && { [name]: connecting }) },
    }
    return changed
  })
  for (const warning of warnings) context.warn(warning)
}

/** What a person brings back from the consent: the code, and whether its state could be compared. */
interface BroughtBack {
  readonly code: string
  readonly isCompared: boolean
}

/** What to type next, of a connection that is made by hand, with two commands. */
const beginByHand = 'To begin a new connection: payroll auth connect-url'

/**
 * The code in what was brought back: the whole address that the browser was sent to, or the code alone. The state of
 * an address must be the one that this connection began with: another one belongs to a connection that another person
 * began (RFC 6749, 10.12). Throws a Failure; nothing is sent.
 */
export function readBroughtBack(
  text: string,
  begun: Pick<PkceSession, 'state'> | undefined,
  hint = beginByHand,
): BroughtBack {
  const trimmed = text.trim()
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return { code: checkKey(text, 'The authorization code'), isCompared: false }
  }
  if (!URL.canParse(trimmed))
    throw usage('This is not a web address.', `Copy the whole address again. ${hint}`)
  const { searchParams } = new URL(trimmed)
  if (begun?.state === undefined) {
    throw usage('No connection was begun that this address could belong to.', hint)
  }
  if (searchParams.get('state') !== begun.state || searchParams.getAll('state').length > 1) {
    const message =
      'This address does not belong to the sign-in that you began (its state differs): it may come from another person.'
    throw new Failure('auth', message, { outcome: 'not-sent', hint })
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const words = [error, searchParams.get('error_description') ?? ''].filter(Boolean).join(': ')
    const message = `The consent was not given (${safeText(words).slice(0, 300)}).`
    throw new Failure('auth', message, { outcome: 'not-sent', hint })
  }
  const code = searchParams.get('code')
  if (code === null)
    throw usage(
      'The address has no code.',
      `Copy the address that the browser shows after you have decided. ${hint}`,
    )
  return { code: checkKey(code, 'The authorization code'), isCompared: true }
}
