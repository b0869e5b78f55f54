import { Failure } from '../errors.ts'
import { withLock } from '../files/lock.ts'
import type { JsonObject } from '../json/path.ts'
import { accountOf } from './key.ts'
import type { StoredToken } from './settings.ts'
import { credentialsIn } from './stored-credentials.ts'
import { changeKeys, readKeys, type SettingsPlace } from './stored-keys.ts'
import { isOld } from './token-age.ts'

/** What a refresh needs of the run. */
export interface RefreshHost extends SettingsPlace {
  readonly now: () => number
  readonly hide: (secret: string) => void
  /** Sends a token request once, and gives the answer. */
  readonly ask: (body: JsonObject) => Promise<JsonObject | undefined>
}

/** What a token request says of the client application. */
export interface ClientApplication {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/** Whose token, and where it may go. */
interface TokenPlace {
  readonly name: string
  readonly origin: string
}

/** Longer than a request may take: the others need only wait and read what the first was given. In milliseconds. */
const lockTimeoutMs = 60_000

/**
 * Refreshes the stored token of a profile, alone on this computer, and returns the one to use from now on. If another
 * run has refreshed it meanwhile, that one is used and nothing is sent. A refresh token is sent once: that it is under
 * way is on the disk before, so that neither a lost answer nor a killed run has it sent again, which a service that
 * rotates its tokens takes for a theft.
 *
 * @param old the access token that is over or was refused
 * @throws an `auth` failure where only a new sign-in helps
 */
export function refreshToken(
  place: TokenPlace,
  old: string,
  host: RefreshHost,
): Promise<StoredToken<string>> {
  const refresh = async () => {
    const token = await storedToken(host, place)
    if (!token) throw signInAgain(place, 'was removed meanwhile')
    hideAll(token, host)
    if (token.access !== old && !isOld(token, host.now())) return token
    if (token.refreshing !== undefined) throw lostAnswer(place)
    if (token.refresh === undefined) throw signInAgain(place, 'has ended and cannot be refreshed')
    return send({ ...token, refresh: token.refresh })
  }
  return withLock(`the access token of ${place.name} for ${place.origin}`, refresh, { waitMs: lockTimeoutMs })

  async function send(token: StoredToken<string> & { refresh: string }): Promise<StoredToken<string>> {
    const { refresh, clientId, clientSecret } = token
    const change = (after: StoredToken<string>) => replaceToken(host, place.name, refresh, after)
    await change({ ...token, refreshing: host.now() })
    let answer: JsonObject | undefined
    try {
      answer = await host.ask(refreshBody(refresh, { clientId, clientSecret }))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { outcome } = error.details
      // A service may have used it up before it failed.
      if (outcome !== 'not-sent' && outcome !== 'refused') throw lostAnswer(place)
      const isDead = outcome === 'refused' && /\binvalid_grant\b/.test(error.message)
      const { refresh: _, ...withoutRefresh } = token
      await change(isDead ? withoutRefresh : token)
      // Another run, on another computer perhaps, may have signed in while this one was refused.
      const stored = await storedToken(host, place)
      if (stored && stored.access !== token.access && !isOld(stored, host.now())) {
        hideAll(stored, host)
        return stored
      }
      throw isDead ? refusedForGood(place, error) : notRenewed(place, error)
    }
    const account = token.account ?? accountOf(token.access)
    const { origin } = place
    const owner = { origin, clientId, clientSecret, refresh, account }
    const renewed = tokenOfAnswer(answer, owner, host.now())
    if (!renewed) throw lostAnswer(place)
    hideAll(renewed, host)
    await change(renewed)
    return renewed
  }
}

/** assumed: the names of RFC 6749, 6 and 2.3.1. */
function refreshBody(refresh: string, { clientId, clientSecret }: ClientApplication): JsonObject {
  return {
    grant_type: 'refresh_token',
    refresh_token: refresh,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
}

async function storedToken(
  keys: SettingsPlace,
  { name, origin }: TokenPlace,
): Promise<StoredToken<string> | undefined> {
  const { token } = await readKeys(keys, name)
  return token?.origin === origin ? token : undefined
}

/** Replaces the token whose refresh token this is: a newer sign-in, or a logout, stays as it is. */
async function replaceToken(keys: SettingsPlace, name: string, refresh: string, after: StoredToken<string>) {
  await changeKeys(keys, name, (settings) => {
    const store = credentialsIn(settings)
    const stored = store.get(name)
    return stored.token?.refresh === refresh ? store.set(name, { ...stored, token: after }) : settings
  })
}

function hideAll(
  { access, refresh = '', clientSecret = '' }: StoredToken<string>,
  { hide }: RefreshHost,
): void {
  for (const secret of [access, refresh, clientSecret]) hide(secret)
}

const lostAnswer = (place: TokenPlace) =>
  signInAgain(
    place,
    'was being renewed when the answer was lost. Its refresh token may be used up, and is not sent a second time',
  )

/** The service does not take the refresh token any more. */
function refusedForGood(place: TokenPlace, { message }: Failure): Failure {
  const why = message.replace('The service', 'the service').replace(/\.$/, '')
  return signInAgain(place, `was not renewed: ${why}`)
}

/** Why this refresh did not work, where the next one may. */
function notRenewed({ name }: TokenPlace, { code, message, details }: Failure): Failure {
  const hint =
    details.hint ??
    `Check the client application, or sign in again: payroll auth login --browser --profile ${name}`
  return new Failure(
    code === 'temporary' ? code : 'auth',
    `The access token of ${name} could not be renewed. ${message}`,
    { ...details, hint },
  )
}

function signInAgain({ name }: TokenPlace, what: string): Failure {
  const message = `The access token of ${name} ${what}.`
  const hint = `Sign in again: payroll auth login --browser --profile ${name}`
  return new Failure('auth', message, { outcome: 'not-sent', hint })
}

/** What belongs to a token besides the answer of the service. */
interface TokenOwner {
  readonly origin: string
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The refresh token that was used: it stays good where the answer holds no new one (RFC 6749, 6). */
  readonly refresh?: string | undefined
  /** Tells one sign-in from another; see `StoredToken`. */
  readonly account: string
}

/**
 * The token in an answer, as it is stored; undefined if the answer has none. assumed: the names of RFC 6749, 5.1.
 * "Token formats, lifetimes and scopes of this flow …: not shown."
 *
 * @param now milliseconds since 1970
 */
export function tokenOfAnswer(
  answer: JsonObject | undefined,
  { origin, clientId, clientSecret, refresh: used, account }: TokenOwner,
  now: number,
): StoredToken<string> | undefined {
  const { access_token, refresh_token, expires_in } = answer ?? {}
  // What a header cannot hold is no token.
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(access_token)) return undefined
  const refresh = typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : used
  const expiresAt = Math.round(now + Number(expires_in ?? Number.NaN) * 1000)
  return {
    origin,
    access: access_token,
    ...(refresh !== undefined && { refresh }),
    obtainedAt: now,
    ...(Number.isSafeInteger(expiresAt) && { expiresAt }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    account,
  }
}
