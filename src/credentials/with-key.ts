import { credentialOf } from './credential.ts'
import { checkKey } from './key.ts'
import { keyFromCommand } from './key-command.ts'
import { keyStore, secretsOf } from './key-store.ts'
import type { Profile } from './resolve.ts'
import { emptySettings } from './settings-shape.ts'
import { type KeyPlace, readKeys } from './stored-keys.ts'

/** The profile with its key, where that comes from a command or the keyring. Throws a Failure that says why it does not. */
export async function withKey(
  profile: Profile,
  place: KeyPlace & { readonly hide: (secret: string) => void },
): Promise<Profile> {
  const { name, origin, source, keyCommand, keyCommandTimeout } = profile
  if (keyCommand !== undefined && source.key === 'key command') {
    const key = await keyFromCommand(keyCommand, place.env, keyCommandTimeout)
    place.hide(key)
    return { ...profile, key }
  }
  const kept = await readKeys(place, name)
  for (const secret of Object.values(secretsOf(kept))) place.hide(secret)
  const settings = keyStore(emptySettings).set(name, kept)
  const { key, token } = credentialOf({ name, settings, origin, given: undefined, storedFirst: true })
  return {
    ...profile,
    ...(key !== undefined && { key: checkKey(key, `The key of ${name} in the keyring`) }),
    ...(token && { token }),
  }
}
