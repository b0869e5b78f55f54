import type { Environment } from '../environment.ts'
import { Failure } from '../errors.ts'
import { keyStore, type StoredCredentials, secretsOf } from './key-store.ts'
import {
  forgetMissing,
  isInKeyring,
  type Keyring,
  type KeyringEntry,
  keepsKeyInKeyring,
  moveToKeyring,
  readFromKeyring,
  systemKeyring,
  withoutKeyringSecrets,
  withoutMissing,
} from './keyring.ts'
import { changeSettings, readSettings, type Settings } from './settings.ts'
import { liesInKeyring } from './settings-shape.ts'

/** Where the settings are, and the environment that a keyring is found by. */
export interface KeyPlace {
  readonly directory: () => Promise<string>
  readonly env: Environment
}

/** The credentials of a profile, from wherever they lie. Throws an `auth` failure if the keyring does not give them. */
export async function readKeys(place: KeyPlace, name: string): Promise<StoredCredentials<string>> {
  const found = await openedSettings(place, name)
  if (keepsKeyInKeyring(found, name)) throw notThere(name, found)
  return withoutMissing(keyStore(found).get(name))
}

/** The same for a new sign-in: what is gone from the keyring is none. */
export async function findKeys(place: KeyPlace, name: string): Promise<StoredCredentials<string>> {
  return withoutMissing(keyStore(await openedSettings(place, name)).get(name))
}

async function openedSettings(place: KeyPlace, name: string): Promise<Settings> {
  const directory = await place.directory()
  const { settings } = await readSettings(directory)
  return readFromKeyring(settings, name, entryOf(place, directory, name))
}

/**
 * Changes the settings with the credentials of one profile in them, and puts these where the profile has them kept. A
 * key that moves from one place to another is gone from the first. Returns the warnings to show. Throws as
 * `changeSettings` does, and an `auth` failure if the keyring cannot be used: then nothing is changed. A profile that is
 * to leave a keyring that cannot be used leaves it without its key, which a warning says.
 */
export async function changeKeys(
  { directory: directoryOf, env }: KeyPlace,
  name: string,
  change: (settings: Settings) => Settings,
): Promise<readonly string[]> {
  const directory = await directoryOf()
  const entry = entryOf({ env }, directory, name)
  const lost: string[] = []
  let clear = async () => {}
  const warnings = await changeSettings(directory, async (settings) => {
    const wasKept = keepsKeyInKeyring(settings, name)
    const before = await readFromKeyring(settings, name, entry).catch((error: unknown) => {
      if (!(error instanceof Failure) || isInKeyring(change(settings), name)) throw error
      lost.push(leftBehind(name, error))
      return undefined
    })
    if (!before) return withoutKeyringSecrets(change(settings), name)
    const wanted = change(before)
    if (wanted === before) return settings
    const changed = forgetMissing(wanted, before, name)
    if (keepsKeyInKeyring(wanted, name) && !isInKeyring(wanted, name))
      lost.push(notThere(name, wanted).message)
    const after = await moveToKeyring(
      changed,
      name,
      entry,
      wasKept ? secretsOf(keyStore(before).get(name)) : undefined,
    )
    if (!wasKept || keepsKeyInKeyring(after, name)) return after
    // A key that is forgotten is forgotten there first; one that moved has to be in the file before it is removed.
    if (Object.keys(secretsOf(keyStore(after).get(name))).length === 0) await entry.remove()
    else clear = entry.remove
    return after
  })
  await clear()
  return [...warnings, ...lost]
}

/** Checks that the keyring can be used, before a profile is told to use it. */
export async function checkKeyring({ directory, env }: KeyPlace, name: string): Promise<void> {
  await entryOf({ env }, await directory(), name).read()
}

function entryOf({ env }: Pick<KeyPlace, 'env'>, directory: string, name: string): KeyringEntry {
  const keyring: Keyring = systemKeyring(env, name)
  const account = `${name} in ${directory}`
  return {
    read: () => keyring.read(account),
    write: (secret) => keyring.write(account, secret),
    remove: async () => void (await keyring.remove(account)),
  }
}

/** `settings`: what the keyring does not have is still said to lie there. */
function notThere(name: string, settings: Settings): Failure {
  const { journal: _, ...signIn } = secretsOf(keyStore(settings).get(name))
  const [what, noun] = Object.values(signIn).some(liesInKeyring)
    ? (['key', 'auth'] as const)
    : (['password of the shared journal', 'journal'] as const)
  return new Failure('auth', `The ${what} of ${name} is not in the system keyring any more.`, {
    outcome: 'not-sent',
    hint: `${noun === 'auth' ? 'Sign in' : 'Give it'} again: payroll ${noun} login --profile ${name}`,
  })
}

const leftBehind = (name: string, { message }: Failure) =>
  `${message} The key of ${name} may still be there, and is not used any more.`
