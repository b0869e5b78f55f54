import { randomBytes } from 'node:crypto'
import type { Profile } from './profile.ts'
import { requireKey } from './require-access.ts'
import { credentialsIn } from './stored-credentials.ts'
import { changeKeys, readKeys, type SettingsPlace } from './stored-keys.ts'

/**
 * The secret that the fingerprints of a profile's marks are made with; undefined where none was made yet. It lies where the
 * key of the profile lies. A key command and the environment keep nothing: there it is the key itself, and after a change
 * of that the marks cannot be compared any more.
 *
 * @param access the profile with its key
 */
export async function markSecret(place: SettingsPlace, access: Profile): Promise<string | undefined> {
  if (keepsNothing(access)) return requireKey(access)
  return (await readKeys(place, access.name)).marks?.secret
}

/** The same; makes it and stores it where there is none. Throws as `changeKeys` does. */
export async function ensureMarkSecret(place: SettingsPlace, access: Profile): Promise<string> {
  if (keepsNothing(access)) return requireKey(access)
  const { name } = access
  let secret = ''
  await changeKeys(place, name, (settings) => {
    const store = credentialsIn(settings)
    const stored = store.get(name)
    if (typeof stored.marks?.secret === 'string') {
      // Another run made it meanwhile.
      secret = stored.marks.secret
      return settings
    }
    secret = randomBytes(32).toString('base64url')
    return store.set(name, { ...stored, marks: { secret } })
  })
  return secret
}

const keepsNothing = ({ kind, keyLocation }: Profile) =>
  kind === 'environment' || keyLocation?.in === 'command'
