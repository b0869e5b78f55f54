import { credentialOf } from './credential.ts'
import { checkKey } from './key.ts'
import { keyFromCommand } from './key-command.ts'
import { type KeyStoreId, keyStores, type OutsideStoreId, storeOfSource } from './key-stores.ts'
import type { Profile } from './profile.ts'
import { emptySettings } from './settings-shape.ts'
import { credentialsIn, secretsOf } from './stored-credentials.ts'
import { readKeys, type SettingsPlace } from './stored-keys.ts'

interface Place extends SettingsPlace {
  readonly hide: (secret: string) => void
}

/** How a key is read from each store, when a request is to be sent. */
const readers: Readonly<Record<KeyStoreId, (profile: Profile, place: Place) => Promise<Profile>>> = {
  file: async (profile) => profile,
  keyring: (profile, place) => fromOutside(profile, place, 'keyring'),
  command: fromCommand,
}

/** The profile with its key, wherever that lies. Throws a Failure that says why the store does not give it. */
export async function withKey(profile: Profile, place: Place): Promise<Profile> {
  const store = storeOfSource(profile.source.key)
  return store === undefined ? profile : readers[store](profile, place)
}

async function fromCommand(profile: Profile, { env, hide }: Place): Promise<Profile> {
  const { keyLocation } = profile
  if (keyLocation?.in !== 'command') return profile
  const key = await keyFromCommand(keyLocation.command, env, keyLocation.timeoutSeconds)
  hide(key)
  return { ...profile, key }
}

async function fromOutside(profile: Profile, place: Place, store: OutsideStoreId): Promise<Profile> {
  const { name, origin } = profile
  const stored = await readKeys(place, name)
  for (const secret of Object.values(secretsOf(stored))) place.hide(secret)
  const settings = credentialsIn(emptySettings).set(name, stored)
  const { key, token } = credentialOf({ name, settings, origin, given: undefined, storedFirst: true })
  return {
    ...profile,
    ...(key !== undefined && { key: checkKey(key, `The key of ${name} in ${keyStores[store].words}`) }),
    ...(token && { token }),
  }
}
