import type { Context } from '../../context/context.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import type { StoredSecrets } from '../../credentials/settings.ts'

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
