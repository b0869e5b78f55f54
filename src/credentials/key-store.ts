import type { Settings, StoredJournalPassword, StoredKey, StoredToken } from './settings-shape.ts'

/** What is stored for a profile. A token never replaces the key. */
export interface StoredCredentials {
  readonly key?: StoredKey
  readonly token?: StoredToken
  readonly journal?: StoredJournalPassword
}

/** The stored credentials of all profiles. `set` and `remove` return the settings to write. */
export interface KeyStore {
  /** Empty if nothing is stored for the profile. */
  get(name: string): StoredCredentials
  /** Replaces everything that is stored for the profile. */
  set(name: string, credentials: StoredCredentials): Settings
  /** Removes everything that is stored for the profile. */
  remove(name: string): Settings
  /** Removes the key and the token of the profile: the password of its shared journal stays. */
  signOut(name: string): Settings
  /** Removes the password of the shared journal of the profile. */
  forgetJournal(name: string): Settings
  /** The profiles with stored credentials. */
  list(): readonly string[]
}

/** The key store in the settings file. Only this file knows that keys and tokens are stored there. */
export function keyStore(settings: Settings): KeyStore {
  const { keys, tokens = {}, journals = {} } = settings

  function signOut(name: string): Settings {
    const { [name]: _key, ...otherKeys } = keys
    const { [name]: _token, ...otherTokens } = tokens
    return { ...settings, keys: otherKeys, ...(settings.tokens && { tokens: otherTokens }) }
  }

  function forgetJournal(name: string): Settings {
    const { [name]: _journal, ...otherJournals } = journals
    return { ...settings, ...(settings.journals && { journals: otherJournals }) }
  }

  const remove = (name: string) => keyStore(signOut(name)).forgetJournal(name)

  return {
    get(name) {
      const [key, token, journal] = [own(keys, name), own(tokens, name), own(journals, name)]
      return { ...(key && { key }), ...(token && { token }), ...(journal && { journal }) }
    },
    set(name, { key, token, journal }) {
      const others = remove(name)
      return {
        ...others,
        ...(key && { keys: { ...others.keys, [name]: key } }),
        ...(token && { tokens: { ...others.tokens, [name]: token } }),
        ...(journal && { journals: { ...others.journals, [name]: journal } }),
      }
    },
    remove,
    signOut,
    forgetJournal,
    list: () => [...new Set([keys, tokens, journals].flatMap(Object.keys))],
  }
}

/** All secrets in the store. */
export function storedSecrets(settings: Settings): string[] {
  const store = keyStore(settings)
  return store.list().flatMap((name) => {
    const { key, token, journal } = store.get(name)
    const all = [key?.key, token?.access, token?.refresh, token?.clientSecret, journal?.password]
    return all.filter((secret) => secret !== undefined)
  })
}

function own<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
