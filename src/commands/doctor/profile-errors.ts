import { Failure } from '../../errors.ts'
import { checkBaseUrl } from '../../profile/base-url.ts'
import { checkKey } from '../../profile/keys/key.ts'
import { keyStore } from '../../profile/keys/key-store.ts'
import { namedProfile, resolveProfile } from '../../profile/resolve.ts'
import type { Settings } from '../../profile/settings/settings.ts'
import { attempted } from './doctor-check.ts'

interface Given {
  readonly flag: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly terminal: boolean
}

/** What keeps a profile from being used; of each matter what is wrong with it. */
export interface ProfileErrors {
  /** Its name, or why there is no such profile. */
  readonly profile: string | Failure
  readonly address?: Failure | undefined
  readonly key?: Failure | undefined
}

/**
 * Which of its values keep a profile from being used: a command stops at the first. Undefined where all of them are
 * sound, and so it is the choice of the profile that is wrong.
 */
export async function profileErrorsIn(
  { flag, env, terminal }: Given,
  stored: Settings,
): Promise<ProfileErrors | undefined> {
  const named = namedProfile(flag, env)?.name
  const name = named ?? (env.PAYROLL_BASE_URL ? 'environment' : stored.default)
  if (name === undefined) return undefined
  const address =
    (await fault(env.PAYROLL_BASE_URL, (text) => checkBaseUrl(text, 'PAYROLL_BASE_URL'))) ??
    (await fault(stored.profiles[name]?.baseUrl, (text) => checkBaseUrl(text, `The base URL of ${name}`)))
  const held = keyStore(stored).get(name)
  const key =
    (await fault(env.PAYROLL_API_KEY, (text) => checkKey(text, 'PAYROLL_API_KEY'))) ??
    (await fault(held.key?.key, (text) => checkKey(text, `The stored key of ${name}`))) ??
    (await fault(held.token?.access, (text) => checkKey(text, `The stored access token of ${name}`)))
  if (!address && !key) return undefined
  return { profile: (await unknown(named, terminal, stored)) ?? name, address, key }
}

/** Why a name cannot be the name of a profile. */
async function unknown(
  named: string | undefined,
  terminal: boolean,
  stored: Settings,
): Promise<Failure | undefined> {
  if (named === undefined || Object.hasOwn(stored.profiles, named)) return undefined
  const found = await attempted(() =>
    resolveProfile({ flag: named, env: {}, terminal, settings: async () => stored }),
  )
  return found instanceof Failure ? found : undefined
}

async function fault(
  value: string | undefined,
  check: (text: string) => unknown,
): Promise<Failure | undefined> {
  // An empty variable counts as unset.
  if (!value) return undefined
  const checked = await attempted(() => check(value))
  return checked instanceof Failure ? checked : undefined
}
