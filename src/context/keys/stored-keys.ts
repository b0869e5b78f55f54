import { Failure } from '../../errors.ts'
import { keyStore, type StoredCredentials } from '../../profile/key-store.ts'
import { changeSettings, readSettings, type Settings } from '../../profile/settings.ts'
import { type Keyring, systemKeyring } from './keyring.ts'

/** Where the settings are, and the environment that a keyring is found by. */
export interface KeyPlace {
  readonly directory: () => Promise<string>
  readonly env: NodeJS.ProcessEnv
}

/** The secrets of a profile, as one entry of a keyring. The settings hold an empty text in the place of each. */
interface Kept {
  readonly key?: string
  readonly access?: string
  readonly refresh?: string
  readonly clientSecret?: string
  /** The password of the shared journal. */
  readonly journal?: string
}

/** The credentials of a profile, from wherever they lie. Throws an `auth` failure if the keyring does not give them. */
export async function readKeys(place: KeyPlace, name: string): Promise<StoredCredentials> {
  const directory = await place.directory()
  const { settings } = await readSettings(directory)
  return keyStore(await opened(settings, name, entryOf(place, directory, name))).get(name)
}

/**
 * Changes the settings with the credentials of one profile in them, and puts these where the profile has them kept. A
 * key that moves from one place to another is gone from the first. Returns the warnings to show. Throws as
 * `changeSettings` does, and an `auth` failure if the keyring cannot be used: then nothing is changed.
 */
export async function changeKeys(
  { directory: directoryOf, env }: KeyPlace,
  name: string,
  change: (settings: Settings) => Settings,
): Promise<readonly string[]> {
  const directory = await directoryOf()
  const entry = entryOf({ env }, directory, name)
  let clear = async () => {}
  const warnings = await changeSettings(directory, async (settings) => {
    const wasKept = isKept(settings, name)
    const before = await opened(settings, name, entry)
    const changed = change(before)
    if (changed === before) return settings
    const after = await sealed(changed, name, entry, wasKept ? keptOf(before, name) : undefined)
    if (!wasKept || isKept(after, name)) return after
    // A key that is forgotten is forgotten there first; one that moved has to be in the file before it is removed.
    if (Object.keys(keptOf(after, name)).length === 0) await entry.remove()
    else clear = entry.remove
    return after
  })
  await clear()
  return warnings
}

/** Checks that the keyring can be used, before a profile is told to use it. */
export async function checkKeyring({ directory, env }: KeyPlace, name: string): Promise<void> {
  await entryOf({ env }, await directory(), name).read()
}

interface KeyringEntry {
  readonly read: () => Promise<string | undefined>
  readonly write: (secret: string) => Promise<void>
  readonly remove: () => Promise<void>
}

function entryOf({ env }: Pick<KeyPlace, 'env'>, directory: string, name: string): KeyringEntry {
  const keyring: Keyring = systemKeyring(env)
  const account = `${name} in ${directory}`
  return {
    read: () => keyring.read(account),
    write: (secret) => keyring.write(account, secret),
    remove: async () => void (await keyring.remove(account)),
  }
}

function isKept(settings: Settings, name: string): boolean {
  const { key, token, journal } = keyStore(settings).get(name)
  return key?.key === '' || token?.access === '' || journal?.password === ''
}

function keptOf(settings: Settings, name: string): Kept {
  const { key, token, journal } = keyStore(settings).get(name)
  return {
    ...(key && { key: key.key }),
    ...(token && { access: token.access }),
    ...(token?.refresh !== undefined && { refresh: token.refresh }),
    ...(token?.clientSecret !== undefined && { clientSecret: token.clientSecret }),
    ...(journal && { journal: journal.password }),
  }
}

async function opened(settings: Settings, name: string, entry: KeyringEntry): Promise<Settings> {
  if (!isKept(settings, name)) return settings
  const kept = parse(await entry.read())
  const store = keyStore(settings)
  const { key, token, journal } = store.get(name)
  const fill = (before: string | undefined, found: string | undefined) =>
    before === '' ? (found ?? '') : before
  const { refresh, clientSecret } = token ?? {}
  const full = {
    ...(key && { key: { ...key, key: fill(key.key, kept?.key) ?? '' } }),
    ...(token && {
      token: {
        ...token,
        access: fill(token.access, kept?.access) ?? '',
        ...(refresh !== undefined && { refresh: fill(refresh, kept?.refresh) ?? '' }),
        ...(clientSecret !== undefined && { clientSecret: fill(clientSecret, kept?.clientSecret) ?? '' }),
      },
    }),
    ...(journal && {
      journal: { ...journal, password: fill(journal.password, kept?.journal) ?? '' },
    }),
  }
  if (full.key?.key === '' || full.token?.access === '') throw notThere(name)
  if (full.journal?.password === '') throw notThere(name, 'password of the shared journal', 'journal')
  return store.set(name, full)
}

async function sealed(
  settings: Settings,
  name: string,
  entry: KeyringEntry,
  before: Kept | undefined,
): Promise<Settings> {
  const store = keyStore(settings)
  const { key, token, journal } = store.get(name)
  if (settings.profiles[name]?.keyStore !== 'keyring' || (!key && !token && !journal)) return settings
  const text = JSON.stringify(keptOf(settings, name))
  if (text !== JSON.stringify(before)) await entry.write(text)
  return store.set(name, {
    ...(key && { key: { ...key, key: '' } }),
    ...(token && {
      token: {
        ...token,
        access: '',
        ...(token.refresh !== undefined && { refresh: '' }),
        ...(token.clientSecret !== undefined && { clientSecret: '' }),
      },
    }),
    ...(journal && { journal: { ...journal, password: '' } }),
  })
}

function parse(text: string | undefined): Kept | undefined {
  try {
    return JSON.parse(text ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function notThere(name: string, what = 'key', noun = 'auth'): Failure {
  return new Failure(
    'auth',
    `The ${what} of ${name} is not in the system keyring any more. Nothing was sent.`,
    {
      outcome: 'not-sent',
      hint: `Sign in again: payroll ${noun} logout --profile ${name}, then payroll ${noun} login --profile ${name}`,
    },
  )
}
