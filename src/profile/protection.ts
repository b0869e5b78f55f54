import { Failure } from '../errors.ts'
import { settingsDirectory } from '../files/private-directory.ts'
import { keyStore } from './keys/key-store.ts'
import type { Settings, StoredProfile } from './settings/settings-shape.ts'

/**
 * Why a write to the address in PAYROLL_BASE_URL must be confirmed, as the start of a sentence; undefined if not. The
 * origin of a protected profile is always protected. When the settings cannot be read, every address is protected.
 */
export async function protectionAt(
  origin: string,
  env: NodeJS.ProcessEnv,
  settings: () => Promise<Settings>,
  known: (name: string, settings: Settings) => StoredProfile,
): Promise<string | undefined> {
  let stored: Settings
  try {
    stored = await settings()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return hasPlace(env) ? `The settings cannot be read, which may protect ${origin}` : undefined
  }
  const name = profileAt(origin, stored, (each) => known(each, stored).protected === true, known)
  return name === undefined ? undefined : `${origin} is the address of ${name}, which is protected`
}

/** The first of these profiles whose address, or whose key, is of this origin. */
export function profileAt(
  origin: string,
  stored: Settings,
  isMeant: (name: string) => boolean,
  known: (name: string, settings: Settings) => StoredProfile,
): string | undefined {
  const keys = keyStore(stored)
  const names = new Set([...Object.keys(stored.profiles), ...keys.list()])
  return [...names].find(
    (each) =>
      isMeant(each) && [originOf(known(each, stored).baseUrl), keys.get(each).key?.origin].includes(origin),
  )
}

/** Whether there can be settings: without a home directory there are none, so no address is protected. */
function hasPlace(env: NodeJS.ProcessEnv): boolean {
  if (env.PAYROLL_CONFIG_DIR) return true
  try {
    return settingsDirectory(env) !== ''
  } catch {
    return false
  }
}

function originOf(baseUrl: string | undefined): string | undefined {
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined
}
