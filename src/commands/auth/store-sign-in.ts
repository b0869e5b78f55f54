import type { Context } from '../../context/context.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import { type StoredSecrets, withChanges } from '../../credentials/settings.ts'

/** The settings as a sign-in leaves them: the certificates of the profile are for its new address already. */
export const settingsAt = (context: Context, name: string, baseUrl: URL) => async () =>
  withChanges(await context.settings(), name, { baseUrl: storedUrl(baseUrl) })

/** Stores a sign-in and the address in one write; the first profile becomes the default. Returns what was stored before. */
export async function storeSignIn(
  context: Context,
  name: string,
  baseUrl: URL,
  signIn: (before: StoredSecrets) => StoredSecrets,
): Promise<StoredSecrets> {
  let before: StoredSecrets = {}
  await context.changeProfile(name, (stored) => {
    before = stored.secrets
    return {
      profile: { ...stored.profile, baseUrl: storedUrl(baseUrl) },
      secrets: signIn(before),
      default: stored.default ?? name,
    }
  })
  return before
}
