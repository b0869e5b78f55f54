import type { Settings, StoredKey, StoredToken } from './settings-shape.ts'

/** What is stored of a profile that may go to a service. A token stands beside a key, never over one. */
export interface StoredCredentials {
  readonly key?: StoredKey
  readonly token?: StoredToken
}

/** The credentials of all profiles, in the place where they are kept. What changes them gives the settings to write. */
export interface KeyStore {
  /** Empty where nothing is stored for the profile. */
  get(name: string): StoredCredentials
  /** Keeps these for the profile, replacing all that was stored for it. */
  set(name: string, credentials: StoredCredentials): Settings
  /** Keeps nothing for the profile. */
  remove(name: string): Settings
  /** The profiles for which anything is stored. */
  list(): readonly string[]
}

/** The store within the settings file. No other file knows that keys and tokens are kept there. */
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
    return [key?.key, token?.access, token?.refresh].filter((secret) => secret !== undefined)
  })
}

function own<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
