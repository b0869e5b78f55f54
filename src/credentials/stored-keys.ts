import type { Environment } from '../environment.ts'
import { Failure } from '../errors.ts'
import { isOutsideStore, keyStores, type OutsideStoreId, type SecretStore } from './key-stores.ts'
import { systemKeyring } from './keyring.ts'
import { readSettings, type Settings } from './settings.ts'
import { liesElsewhere } from './settings-shape.ts'
import {
  credentialsIn,
  mapSecrets,
  type Secrets,
  type StoredCredentials,
  secretsOf,
} from './stored-credentials.ts'

/** How each of them is reached, for one profile. */
const secretStores: Readonly<Record<OutsideStoreId, (env: Environment, profile: string) => SecretStore>> = {
  keyring: systemKeyring,
}

/** Where the settings are, and the environment that a store is found by. */
export interface SettingsPlace {
  readonly directory: () => Promise<string>
  readonly env: Environment
}

/** The credentials of a profile, from wherever they lie. Throws an `auth` failure if their store does not give them. */
export async function readKeys(place: SettingsPlace, name: string): Promise<StoredCredentials<string>> {
  const found = await openedSettings(place, name)
  if (storeWithSecrets(found, name)) throw notThere(name, found)
  return withoutMissing(credentialsIn(found).get(name))
}

/** The same for a new sign-in: what is gone from its store is none. */
export async function findKeys(place: SettingsPlace, name: string): Promise<StoredCredentials<string>> {
  return withoutMissing(credentialsIn(await openedSettings(place, name)).get(name))
}

async function openedSettings(place: SettingsPlace, name: string): Promise<Settings> {
  const directory = await place.directory()
  const { settings } = await readSettings(directory)
  return withSecrets(settings, name, (store) => entryOf(place, directory, name, store))
}

/**
 * Changes the settings with the credentials of one profile in them, and puts these where the profile has them kept. A
 * key that moves from one place to another is gone from the first. Returns the warnings to show. Throws as
 * `changeSettings` does, and an `auth` failure if a store cannot be used: then nothing is changed. A profile that is
 * to leave a store that cannot be used leaves it without its key, which a warning says.
 */
export async function changeKeys(
  { directory: directoryOf, env }: SettingsPlace,
  name: string,
  change: (settings: Settings) => Settings,
): Promise<readonly string[]> {
  const directory = await directoryOf()
  const entry = (store: OutsideStoreId) => entryOf({ env }, directory, name, store)
  const lost: string[] = []
  let clear = async () => {}
  const { changeSettings } = await import('./change-settings.ts')
  const warnings = await changeSettings(directory, async (settings) => {
    const storeBefore = storeWithSecrets(settings, name)
    const before = await withSecrets(settings, name, entry).catch((error: unknown) => {
      if (!(error instanceof Failure) || chosenStore(change(settings), name) === storeBefore) throw error
      lost.push(leftBehind(name, error))
      return undefined
    })
    if (!before) return forgetElsewhere(change(settings), name)
    const wanted = change(before)
    if (wanted === before) return settings
    const changed = forgetMissing(wanted, before, name)
    const missingFrom = storeWithSecrets(wanted, name)
    if (missingFrom !== undefined && missingFrom !== chosenStore(wanted, name))
      lost.push(notThere(name, wanted).message)
    const after = await moveToStore(
      changed,
      name,
      entry,
      storeBefore && { store: storeBefore, settings: before },
    )
    if (storeBefore === undefined || storeWithSecrets(after, name) === storeBefore) return after
    // A key that is forgotten is forgotten there first; one that moved has to be where it belongs before it is removed.
    if (Object.keys(secretsOf(credentialsIn(after).get(name))).length === 0) await entry(storeBefore).remove()
    else clear = entry(storeBefore).remove
    return after
  })
  await clear()
  return [...warnings, ...lost]
}

/** Checks that a store can be used, before a profile is told to use it. */
export async function checkStore(
  { directory, env }: SettingsPlace,
  name: string,
  store: OutsideStoreId,
): Promise<void> {
  await entryOf({ env }, await directory(), name, store).read()
}

/** What a store keeps of one profile. */
interface SecretEntry {
  readonly read: () => Promise<string | undefined>
  readonly write: (secret: string) => Promise<void>
  readonly remove: () => Promise<void>
}

function entryOf(
  { env }: Pick<SettingsPlace, 'env'>,
  directory: string,
  name: string,
  id: OutsideStoreId,
): SecretEntry {
  const store = secretStores[id](env, name)
  const account = `${name} in ${directory}`
  return {
    read: () => store.read(account),
    write: (secret) => store.write(account, secret),
    remove: async () => void (await store.remove(account)),
  }
}

/** The store that secrets of the profile are in, outside of the settings. */
function storeWithSecrets(settings: Settings, name: string): OutsideStoreId | undefined {
  return Object.values(secretsOf(credentialsIn(settings).get(name))).find(liesElsewhere)?.in
}

/** The store that the profile is to have its secrets in, outside of the settings. */
function chosenStore({ profiles }: Settings, name: string): OutsideStoreId | undefined {
  const id = profiles[name]?.keyStore
  return isOutsideStore(id) ? id : undefined
}

/** Without the credentials of which a secret is outside of the settings. */
function forgetElsewhere(settings: Settings, name: string): Settings {
  return credentialsIn(settings).set(name, withoutMissing(credentialsIn(settings).get(name)))
}

/** The credentials that have all of their secrets: not those of which one is still said to lie elsewhere. */
function withoutMissing(credentials: StoredCredentials): StoredCredentials<string> {
  const parts = Object.entries(credentials)
  return Object.fromEntries(parts.filter(([, part]) => !Object.values(part).some(liesElsewhere)))
}

/** What was gone from its store is forgotten with the next change of the credentials or of their place. */
function forgetMissing(settings: Settings, before: Settings, name: string): Settings {
  const store = storeWithSecrets(settings, name)
  if (store === undefined) return settings
  const [now, then] = [settings, before].map((each) => JSON.stringify(credentialsIn(each).get(name)))
  return now === then && store === chosenStore(settings, name) ? settings : forgetElsewhere(settings, name)
}

/** The settings with the secrets that a store keeps. What it should keep and does not is still said to lie there. */
async function withSecrets(
  settings: Settings,
  name: string,
  entry: (store: OutsideStoreId) => SecretEntry,
): Promise<Settings> {
  const store = storeWithSecrets(settings, name)
  if (store === undefined) return settings
  const stored = parseEntry(await entry(store).read())
  const credentials = credentialsIn(settings)
  const full = mapSecrets(credentials.get(name), (secret, each) =>
    liesElsewhere(secret) ? (stored?.[each] ?? secret) : secret,
  )
  // What only compares marks is made anew: nobody has to sign in for it.
  const { marks, ...others } = full
  return credentials.set(name, marks && !liesElsewhere(marks.secret) ? full : others)
}

/**
 * The settings without the secrets that the chosen store is to keep, once it keeps them.
 *
 * @param before the store that kept them, and the settings with what it kept
 */
async function moveToStore(
  settings: Settings,
  name: string,
  entry: (store: OutsideStoreId) => SecretEntry,
  before: { readonly store: OutsideStoreId; readonly settings: Settings } | undefined,
): Promise<Settings> {
  const store = chosenStore(settings, name)
  const credentials = credentialsIn(settings).get(name)
  const secrets = secretsOf(credentials)
  if (store === undefined || Object.keys(secrets).length === 0) return settings
  const text = JSON.stringify(secrets)
  const stored = before?.store === store ? secretsOf(credentialsIn(before.settings).get(name)) : undefined
  if (text !== JSON.stringify(stored)) await entry(store).write(text)
  return credentialsIn(settings).set(
    name,
    mapSecrets(credentials, () => ({ in: store })),
  )
}

function parseEntry(text: string | undefined): Secrets<string> | undefined {
  try {
    return JSON.parse(text ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** `settings`: what a store does not have is still said to lie there. */
function notThere(name: string, settings: Settings): Failure {
  const { journal: _, marks: _marks, ...signIn } = secretsOf(credentialsIn(settings).get(name))
  const [what, noun] = Object.values(signIn).some(liesElsewhere)
    ? (['key', 'auth'] as const)
    : (['password of the shared journal', 'journal'] as const)
  const store = storeWithSecrets(settings, name) ?? 'keyring'
  return new Failure('auth', `The ${what} of ${name} is not in ${keyStores[store].words} any more.`, {
    outcome: 'not-sent',
    hint: `${noun === 'auth' ? 'Sign in' : 'Give it'} again: payroll ${noun} login --profile ${name}`,
  })
}

const leftBehind = (name: string, { message }: Failure) =>
  `${message} The key of ${name} may still be there, and is not used any more.`
