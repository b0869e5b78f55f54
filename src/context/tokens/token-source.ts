import { Failure } from '../../errors.ts'
import { isOld, isOver } from '../../profile/keys/token-age.ts'
import { requireKey } from '../../profile/require-access.ts'
import type { Profile } from '../../profile/resolve.ts'
import { type RefreshHost, refreshToken } from './refresh-token.ts'

/** What the service refuses sooner than this is not refused for its age. In milliseconds. */
const fresh = 10_000

/**
 * The access token for each request of a run. One that is about to end, or that the service has just refused, is
 * refreshed first; requests that are sent together wait for one refresh. Throws an `auth` failure where only a new
 * sign-in helps.
 */
export function tokenSource(
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
