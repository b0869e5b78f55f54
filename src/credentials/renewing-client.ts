import { type CallEvent, type Client, type ClientOptions, createClient } from '../api/client.ts'
import { operations } from '../api/contract/operations/operations.ts'
import type { Authorization } from '../api/http/attempt.ts'
import { Failure } from '../errors.ts'
import { type RefreshHost, refreshToken } from './refresh-token.ts'
import { requireKey } from './require-access.ts'
import type { Profile } from './resolve.ts'
import { isOld, isOver } from './token-age.ts'

/** How long a refresh may take. In milliseconds. */
const longestRefreshMs = 30_000

interface RenewingHost extends Omit<RefreshHost, 'ask'> {
  readonly note: (text: string) => void
  /** Puts a key or a token into a header. */
  readonly present: (key: string) => Authorization
  /** A refresh is no write that the command was asked for: only --debug tells of it. */
  readonly onRefreshEvent: (event: CallEvent) => void
}

/** The client of a profile with an access token, which is refreshed when it is about to end and when it is refused. */
export function renewingClient(
  profile: Profile & { readonly origin: string },
  options: Omit<ClientOptions, 'authorization'>,
  { present, onRefreshEvent, ...host }: RenewingHost,
): Client {
  const { refuseWrites: _, hints: __, ...shared } = options
  const apiKey = profile.token?.apiKey
  const forTokens = createClient({
    ...shared,
    // assumed: a token request needs the key where there is one. A token that is over would prove nothing.
    authorization: async () => (apiKey === undefined ? undefined : present(apiKey)),
    timeoutMs: Math.min(options.timeoutMs, longestRefreshMs),
    onEvent: onRefreshEvent,
  })
  const keyFor = tokenSource(profile, {
    ...host,
    ask: (body) => forTokens.record(operations.auth.token, { body }),
  })
  return createClient({
    ...options,
    authorization: async (refused) => present(await keyFor(refused?.key)),
  })
}

/** What the service refuses sooner than this is not refused for its age. In milliseconds. */
const fresh = 10_000

/**
 * The access token for each request of a run. One that is about to end, or that the service has just refused, is
 * refreshed first; requests that are sent together wait for one refresh. Throws an `auth` failure where only a new
 * sign-in helps.
 */
function tokenSource(
  profile: Profile & { readonly origin: string },
  host: RefreshHost & { readonly note: (text: string) => void },
): (refused?: string) => Promise<string> {
  const { name, origin, token } = profile
  let current = { access: requireKey(profile, host.now()), ...token }
  let isRefreshable = token?.isRefreshable ?? false
  let renewal: Promise<string> | undefined
  let renewedAt = Number.NEGATIVE_INFINITY

  return async (refused) => {
    const isWanted = refused === undefined ? isOld(current, host.now()) : refused === current.access
    if (!isWanted) return current.access
    if (!isRefreshable)
      return refused ?? requireKey({ ...profile, token: { ...current, isRefreshable } }, host.now())
    if (refused !== undefined && host.now() - renewedAt < fresh) return current.access
    renewal ??= renew(refused).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function renew(refused: string | undefined): Promise<string> {
    try {
      const renewed = await refreshToken({ name, origin }, current.access, host)
      current = { ...renewed, isRefreshable }
      renewedAt = host.now()
    } catch (error) {
      if (!(error instanceof Failure) || refused !== undefined || isOver(current, host.now())) throw error
      // The token is still good for a while: the work goes on, and asks for nothing a second time.
      isRefreshable = false
      host.note(`${error.message} Until then it is used as it is.`)
    }
    return current.access
  }
}
