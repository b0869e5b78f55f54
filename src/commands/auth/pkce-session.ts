import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Context } from '../../context/context.ts'
import { changeSettings, type Settings } from '../../profile/settings/settings.ts'

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
