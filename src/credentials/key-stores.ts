/**
 * Every place where a profile can have its key. Another one is an entry here; the compiler then asks how a key is read from
 * there (`src/credentials/with-key.ts`), how the place is shown (`src/commands/auth/status.ts`), and, where it keeps secrets,
 * how it is reached (`src/credentials/stored-keys.ts`).
 */
export const keyStores = {
  file: {
    keeps: 'in the settings',
    option: 'file (the default)',
    source: 'stored',
    words: 'stored',
    isReadAtStart: true,
  },
  keyring: {
    keeps: 'elsewhere',
    option: 'keyring, that of the system',
    source: 'keyring',
    words: 'the system keyring',
    isReadAtStart: false,
  },
  command: {
    keeps: 'nothing',
    option: undefined,
    source: 'key command',
    words: 'the key command',
    isReadAtStart: false,
  },
} as const satisfies Readonly<Record<string, KeyStore>>

interface KeyStore {
  /** Where it keeps the secrets that are stored for a profile; `nothing`: it makes the key each time. */
  readonly keeps: 'in the settings' | 'elsewhere' | 'nothing'
  /** What the help of `profiles set --key-store` says; undefined where another option chooses it. */
  readonly option: string | undefined
  /** As `from.key` and `keyFrom` name it. */
  readonly source: string
  /** As a person reads it. */
  readonly words: string
  /** Whether the key is known with the settings; else it is asked for when a request is to be sent. */
  readonly isReadAtStart: boolean
}

export type KeyStoreId = keyof typeof keyStores

/** The stores that keep secrets outside of the settings. */
export type OutsideStoreId = {
  [Id in KeyStoreId]: (typeof keyStores)[Id]['keeps'] extends 'elsewhere' ? Id : never
}[KeyStoreId]

/** A store that keeps secrets outside of the settings. Throws an `auth` failure where it cannot be used. */
export interface SecretStore {
  /** Undefined if nothing is kept under this name. */
  read(name: string): Promise<string | undefined>
  write(name: string, secret: string): Promise<void>
  /** Whether there was one. */
  remove(name: string): Promise<boolean>
}

/** Where the key of a profile comes from, if it is in a store. */
export type KeySource = (typeof keyStores)[KeyStoreId]['source']

const ids = Object.keys(keyStores) as KeyStoreId[]

/** What `profiles set --key-store` takes. */
export const storesToChoose = ids.filter((id) => keyStores[id].option !== undefined)

/** The store that a key came from, or will come from; undefined for a key of the environment, and for none. */
export function storeOfSource(source: string): KeyStoreId | undefined {
  return ids.find((id) => keyStores[id].source === source)
}

export function isOutsideStore(id: unknown): id is OutsideStoreId {
  return ids.some((each) => each === id && keyStores[each].keeps === 'elsewhere')
}

/** Where the key of a profile lies. */
export type KeyLocation =
  | { readonly in: Exclude<KeyStoreId, 'command'> }
  | { readonly in: 'command'; readonly command: string; readonly timeoutSeconds: number | undefined }

/** What the settings of a profile say of its key. A command comes before a store. */
export function keyLocationOf({
  keyStore,
  keyCommand,
  keyCommandTimeout,
}: {
  readonly keyStore?: string
  readonly keyCommand?: string
  readonly keyCommandTimeout?: number
}): KeyLocation {
  if (keyCommand !== undefined)
    return { in: 'command', command: keyCommand, timeoutSeconds: keyCommandTimeout }
  return { in: isOutsideStore(keyStore) ? keyStore : 'file' }
}
