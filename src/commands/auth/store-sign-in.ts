import type { Context } from '../../context/context.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import { changeProfile } from '../../credentials/keys.ts'
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
  const place = { directory: context.directory, env: context.host.env }
  const warnings = await changeProfile(place, name, (stored) => {
    before = stored.secrets
    const { keyCommand: _, ...profile } = stored.profile ?? {}
    return {
      profile: { ...profile, baseUrl: storedUrl(baseUrl) },
      secrets: signIn(before),
      default: stored.default ?? name,
    }
  })
  for (const warning of warnings) context.warn(warning)
  return before
}
