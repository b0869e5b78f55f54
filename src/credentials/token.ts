import { type CallEvent, type Client, type ClientOptions, createClient } from '../api/client.ts'
import type { Authorization } from '../api/http/attempt.ts'
import { asFailure, Failure, isTemporary, onFailure } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { withLock } from '../files/local/lock.ts'
import { operations } from '../model/resources/operations.ts'
import { asClause } from '../text/words.ts'
import { accountOfKey } from './key.ts'
import { changeProfile, readSecrets, type SettingsPlace } from './keys.ts'
import { type Access, isOld, requireKey, signInAgain } from './profile.ts'
import { type StoredToken, secretTextsOf } from './settings.ts'

interface RefreshHost extends SettingsPlace {
  readonly now: () => number
  readonly hide: (secret: string) => void
  readonly ask: (body: JsonObject) => Promise<JsonObject | undefined>
  /** A run that is stopped ends after this: the service may give the next token once. */
  readonly finishFirst: (work: Promise<unknown>) => void
}

/** The client application, as a token request says it. */
export interface ClientApplication {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

type SignedIn = Access & { readonly origin: string }

/** In milliseconds. Longer than a request may take: other runs wait, and read what the first one was given. */
const lockTimeoutMs = 60_000

/**
 * Refreshes the stored token, one run after another. What another run got meanwhile is used without a request, and so
 * is a newer sign-in where ours is refused. Throws an `auth` failure where only a new sign-in helps.
 */
function refreshToken(place: SignedIn, old: string, host: RefreshHost): Promise<StoredToken> {
  const { name, origin } = place
  return withLock(`the access token of ${name} for ${origin}`, refresh, { waitMs: lockTimeoutMs })

  async function refresh(): Promise<StoredToken> {
    const token = await readStored()
    if (!token) throw signInAgain(name, 'was removed meanwhile')
    if (token.access !== old && !isOld(token, host.now())) return token
    if (token.refresh === undefined) throw signInAgain(name, 'has expired and cannot be refreshed')
    await assertStorable()
    const request = ask(token, token.refresh)
    host.finishFirst(request)
    return request
  }

  async function ask(token: StoredToken, refreshToken: string): Promise<StoredToken> {
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, ...clientParameters(token) }
    const answer = await host.ask(grant).catch(asFailure)
    if (answer instanceof Failure) return afterRefusal(token, answer)
    const account = token.account ?? accountOfKey(token.access)
    const newToken = tokenOfAnswer(answer, { ...token, account }, host.now())
    if (!newToken)
      throw refreshFailure(place, new Failure('unknown', 'The answer has no usable access_token.'))
    for (const secret of secretTextsOf({ token: newToken })) host.hide(secret)
    await replace(token, newToken)
    return newToken
  }

  /** Stores what is stored already: the service may give the next token once, and it must not be lost on a full disk. */
  async function assertStorable(): Promise<void> {
    await changeProfile(host, name, (now) => ({ ...now })).catch(
      onFailure(({ code, message, details }) => {
        throw new Failure(
          code,
          `The access token of ${name} was not refreshed: there is no place for it. ${message}`,
          details,
        )
      }),
    )
  }

  /** Another run, on another computer perhaps, may have signed in while this one was refused. */
  async function afterRefusal(token: StoredToken, failure: Failure): Promise<StoredToken> {
    const isDead = failure.details.outcome === 'refused' && /\binvalid_grant\b/.test(failure.message)
    if (isDead) await replace(token, { ...token, refresh: undefined })
    const newer = await readStored()
    if (newer && newer.access !== token.access && !isOld(newer, host.now())) return newer
    throw isDead
      ? signInAgain(name, `could not be refreshed: ${asClause(failure.message)}`)
      : refreshFailure(place, failure)
  }

  async function readStored(): Promise<StoredToken | undefined> {
    const { token } = await readSecrets(host, name)
    for (const secret of secretTextsOf({ token })) host.hide(secret)
    return token?.origin === origin ? token : undefined
  }

  /** Stores a token. A newer sign-in, or a logout, stays as it is. */
  async function replace(before: StoredToken, token: StoredToken): Promise<void> {
    await changeProfile(host, name, (now) =>
      now.secrets.token?.refresh === before.refresh ? { ...now, secrets: { ...now.secrets, token } } : now,
    )
  }
}

/** assumed: the names of RFC 6749, 2.3.1. */
export const clientParameters = ({ clientId, clientSecret }: ClientApplication) => ({
  ...(clientId !== undefined && { client_id: clientId }),
  ...(clientSecret !== undefined && { client_secret: clientSecret }),
})

/** The failure of a command whose token could not be refreshed: nothing of the command itself was sent. */
function refreshFailure({ name }: SignedIn, failure: Failure): Failure {
  const { code, details } = failure
  const signIn = `sign in again: payroll auth login --browser --profile ${name}`
  const base = {
    message: `The access token of ${name} could not be refreshed. ${failure.message}`,
    outcome: 'not-sent',
  } as const
  // A certificate or a proxy stands in the way of any other request, too.
  if (details.outcome === 'not-sent') return failure.with(base)
  const isOpen = details.outcome === 'unknown' || details.outcome === 'applied'
  if (isOpen || code === 'unknown' || isTemporary(code)) {
    const hint = `Run the same command again. If it ends like this again, ${signIn}`
    return failure.with({ ...base, code: 'temporary', retryable: true, hint })
  }
  const hint = mendOf(failure) ?? `Check the client application, or ${signIn}`
  return failure.with({ ...base, code: 'auth', hint })
}

/** What mends a token request that has failed for no reason of the sign-in: it was not sent, or its path is wrong. */
export const mendOf = ({ details: { outcome, status, hint } }: Failure): string | undefined =>
  outcome === 'not-sent' || status === 404 || status === 405 ? hint : undefined

interface TokenOwner extends ClientApplication {
  readonly origin: string
  /** The refresh token that was used: it stays good where the answer holds no new one (RFC 6749, 6). */
  readonly refresh?: string | undefined
  /** Tells one sign-in from another; see `Secrets`. */
  readonly account: string
}

/** assumed: the names of RFC 6749, 5.1. "Token formats, lifetimes and scopes of this flow …: not shown." */
export function tokenOfAnswer(
  answer: JsonObject | undefined,
  { origin, clientId, clientSecret, refresh: used, account }: TokenOwner,
  now: number,
): StoredToken | undefined {
  const { access_token, refresh_token, expires_in } = answer ?? {}
  // A text that a header cannot hold is not a token.
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(access_token)) return undefined
  const refresh = (typeof refresh_token === 'string' && refresh_token) || used
  const expiresAt = Math.round(now + Number(expires_in ?? Number.NaN) * 1000)
  return {
    origin,
    access: access_token,
    refresh,
    // An end that is past already says nothing: the service refuses a token that is over.
    expiresAt: Number.isSafeInteger(expiresAt) && expiresAt > now ? expiresAt : undefined,
    clientId,
    clientSecret,
    account,
  }
}

const longestRefreshMs = 30_000

interface RenewingHost extends Omit<RefreshHost, 'ask'> {
  readonly present: (key: string) => Authorization
  /** Only --debug shows a refresh: it is not a write of the command. */
  readonly onRefreshEvent: (event: CallEvent) => void
}

/** The client of a profile with an access token, which is refreshed when it is about to end and when it is refused. */
export function renewingClient(
  access: SignedIn,
  options: Omit<ClientOptions, 'authorization'>,
  { present, onRefreshEvent, ...host }: RenewingHost,
): Client {
  const { refuseWrites: _, ...shared } = options
  const { apiKey } = access
  const forTokens = createClient({
    ...shared,
    // assumed: a token request needs the key where there is one.
    authorization: async () => (apiKey === undefined ? undefined : present(apiKey)),
    timeoutMs: Math.min(options.timeoutMs, longestRefreshMs),
    onEvent: onRefreshEvent,
  })
  const keyFor = tokenSource(access, {
    ...host,
    ask: async (body) => (await forTokens.call(operations.auth.token, { body })).record,
  })
  return createClient({
    ...options,
    authorization: async (refusedKey) => present(await keyFor(refusedKey?.key)),
  })
}

/**
 * The access token for each request. One that is about to end or was just refused is refreshed first, once
 * for all that wait. Throws an `auth` failure where only a new sign-in helps.
 */
function tokenSource(access: SignedIn, host: RefreshHost): (refused?: string) => Promise<string> {
  let current: Pick<StoredToken, 'access' | 'refresh' | 'expiresAt'> = {
    ...access.token,
    access: requireKey(access, host.now()),
  }
  let refreshing: Promise<StoredToken> | undefined

  return async (refusedToken) => {
    const isWanted = refusedToken === undefined ? isOld(current, host.now()) : refusedToken === current.access
    if (!isWanted || current.refresh === undefined) return current.access
    refreshing ??= refreshToken(access, current.access, host).finally(() => {
      refreshing = undefined
    })
    current = await refreshing
    return current.access
  }
}
