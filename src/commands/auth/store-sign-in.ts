import type { Context } from '../../context/context.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import type { Secrets } from '../../credentials/settings.ts'

/**
 * Stores what a profile signs in with, and the address that it is for, in one write. The first profile becomes the default.
 * Returns what was stored of it before.
 *
 * @param signIn the secrets that take the place of the ones that it is given
 */
export async function storeSignIn(
  context: Context,
  name: string,
  baseUrl: URL,
  signIn: (before: Secrets) => Secrets,
): Promise<Secrets> {
  let before: Secrets = {}
  await context.changeProfile(name, (stored) => {
    before = stored.secrets
    const { keyCommand: _, ...profile } = stored.profile ?? {}
    return {
      profile: { ...profile, baseUrl: storedUrl(baseUrl) },
      secrets: signIn(before),
      default: stored.default ?? name,
    }
  })
  return before
}
