import type { Settings, StoredKey, StoredToken } from './settings-shape.ts'

/** The stored key and token of a profile. A token never replaces the key. */
export interface StoredCredentials {
  readonly key?: StoredKey
  readonly token?: StoredToken
}

/** The stored credentials of all profiles. `set` and `remove` return the settings to write. */
export interface KeyStore {
  /** Empty if nothing is stored for the profile. */
  get(name: string): StoredCredentials
  /** Replaces everything that is stored for the profile. */
  set(name: string, credentials: StoredCredentials): Settings
  /** Removes everything that is stored for the profile. */
  remove(name: string): Settings
  /** The profiles with stored credentials. */
  list(): readonly string[]
}

/** The key store in the settings file. Only this file knows that keys and tokens are stored there. */
export function keyStore(settings: Settings): KeyStore {
  const { keys, tokens = {} } = settings

  function remove(name: string): Settings {
    const { [name]: _key, ...otherKeys } = keys
    const { [name]: _token, ...otherTokens } = tokens
    return { ...settings, keys: otherKeys, ...(settings.tokens && { tokens: otherTokens }) }
  }

  return {
    get(name) {
      const [key, token] = [own(keys, name), own(tokens, name)]
      return { ...(key && { key }), ...(token && { token }) }
    },
    set(name, { key, token }) {
      const others = remove(name)
      return {
        ...others,
        ...(key && { keys: { ...others.keys, [name]: key } }),
        ...(token && { tokens: { ...others.tokens, [name]: token } }),
      }
    },
    remove,
    list: () => [...new Set([...Object.keys(keys), ...Object.keys(tokens)])],
  }
}

/** All secrets in the store. */
export function storedSecrets(settings: Settings): string[] {
  const store = keyStore(settings)
  return store.list().flatMap((name) => {
    const { key, token } = store.get(name)
    return [key?.key, token?.access, token?.refresh, token?.clientSecret].filter(
      (secret) => secret !== undefined,
    )
  })
}

function own<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
