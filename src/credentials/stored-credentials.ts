import type {
  Secret,
  Settings,
  StoredDatabasePassword,
  StoredKey,
  StoredMarkKey,
  StoredToken,
} from './settings-shape.ts'

/** What is stored for a profile. A token never replaces the key. With `string`: no secret of it lies elsewhere. */
export interface StoredCredentials<S extends Secret = Secret> {
  readonly key?: StoredKey<S>
  readonly token?: StoredToken<S>
  readonly journal?: StoredDatabasePassword<S>
  readonly marks?: StoredMarkKey<S>
}

/** The secrets of a profile, by the names that they have in the keyring of the system. */
export type Secrets<S extends Secret = Secret> = Partial<
  Record<'key' | 'access' | 'refresh' | 'clientSecret' | 'journal' | 'marks', S>
>

/** The credentials with another text instead of each secret. This is the one list of the secrets. */
export function mapSecrets<From extends Secret, To extends Secret>(
  { key, token, journal, marks }: StoredCredentials<From>,
  change: (secret: From, name: keyof Secrets) => To,
): StoredCredentials<To> {
  return {
    ...(key && { key: { ...key, key: change(key.key, 'key') } }),
    ...(token && { token: tokenWith(token, change) }),
    ...(journal && { journal: { ...journal, password: change(journal.password, 'journal') } }),
    ...(marks && { marks: { secret: change(marks.secret, 'marks') } }),
  }
}

function tokenWith<From extends Secret, To extends Secret>(
  { access, refresh, clientSecret, ...others }: StoredToken<From>,
  change: (secret: From, name: keyof Secrets) => To,
): StoredToken<To> {
  return {
    ...others,
    access: change(access, 'access'),
    ...(refresh !== undefined && { refresh: change(refresh, 'refresh') }),
    ...(clientSecret !== undefined && { clientSecret: change(clientSecret, 'clientSecret') }),
  }
}

/** The secrets that a profile has. */
export function secretsOf<S extends Secret>(credentials: StoredCredentials<S>): Secrets<S> {
  const secrets: Secrets<S> = {}
  mapSecrets(credentials, (secret, name) => {
    secrets[name] = secret
    return secret
  })
  return secrets
}

/** The stored credentials of all profiles. `set` and `remove` return the settings to write. */
interface CredentialsInSettings {
  /** Empty if nothing is stored for the profile. */
  get(name: string): StoredCredentials
  /** Replaces everything that is stored for the profile. */
  set(name: string, credentials: StoredCredentials): Settings
  /** Removes everything that is stored for the profile. */
  remove(name: string): Settings
  /** Removes the key and the token of the profile: the password of its shared journal stays, and the key of its marks. */
  signOut(name: string): Settings
  /** Removes the password of the shared journal of the profile. */
  forgetDatabasePassword(name: string): Settings
  /** The profiles with stored credentials. */
  list(): readonly string[]
}

/** The key store in the settings file. Only this file knows that keys and tokens are stored there. */
export function credentialsIn(settings: Settings): CredentialsInSettings {
  const { keys, tokens = {}, journals = {}, marks: markKeys = {} } = settings

  function signOut(name: string): Settings {
    const { [name]: _key, ...otherKeys } = keys
    const { [name]: _token, ...otherTokens } = tokens
    return { ...settings, keys: otherKeys, ...(settings.tokens && { tokens: otherTokens }) }
  }

  function forgetJournal(name: string): Settings {
    const { [name]: _journal, ...otherJournals } = journals
    return { ...settings, ...(settings.journals && { journals: otherJournals }) }
  }

  function forgetMarks(name: string): Settings {
    const { [name]: _marks, ...others } = markKeys
    return { ...settings, ...(settings.marks && { marks: others }) }
  }

  const remove = (name: string) =>
    credentialsIn(credentialsIn(forgetMarks(name)).signOut(name)).forgetDatabasePassword(name)

  return {
    get(name) {
      const [key, token] = [own(keys, name), own(tokens, name)]
      const [journal, marks] = [own(journals, name), own(markKeys, name)]
      return {
        ...(key && { key }),
        ...(token && { token }),
        ...(journal && { journal }),
        ...(marks && { marks }),
      }
    },
    set(name, { key, token, journal, marks }) {
      const others = remove(name)
      return {
        ...others,
        ...(key && { keys: { ...others.keys, [name]: key } }),
        ...(token && { tokens: { ...others.tokens, [name]: token } }),
        ...(journal && { journals: { ...others.journals, [name]: journal } }),
        ...(marks && { marks: { ...others.marks, [name]: marks } }),
      }
    },
    remove,
    signOut,
    forgetDatabasePassword: forgetJournal,
    list: () => [...new Set([keys, tokens, journals, markKeys].flatMap(Object.keys))],
  }
}

/** All secrets that the settings themselves hold. */
export function storedSecrets(settings: Settings): string[] {
  const store = credentialsIn(settings)
  return store
    .list()
    .flatMap((name) => Object.values(secretsOf(store.get(name))))
    .filter((secret) => typeof secret === 'string')
}

function own<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
