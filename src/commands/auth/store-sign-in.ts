import type { Context } from '../../context/context.ts'
import { withGivenRoutes } from '../../context/routes-in-force.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import type { Profile } from '../../credentials/profile.ts'
import { resolveProfile } from '../../credentials/resolve.ts'
import { type StoredSecrets, withChanges } from '../../credentials/settings.ts'

/** The profile as a sign-in leaves it: its certificates are for its new address already. */
export async function profileAt({ host, settings }: Context, name: string, baseUrl: URL): Promise<Profile> {
  const env = { ...host.env, PAYROLL_BASE_URL: undefined }
  const signedIn = async () => withChanges(await settings(), name, { baseUrl: storedUrl(baseUrl) })
  const profile = await resolveProfile({ flag: name, env, settings: signedIn, terminal: false })
  return withGivenRoutes(profile, env)
}

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
