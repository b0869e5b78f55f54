import { keyStore } from '../../profile/keys/key-store.ts'
import type { Settings } from '../../profile/settings/settings.ts'

/** The secrets of a profile, as one entry of a keyring. The settings hold an empty text in the place of each. */
export interface Kept {
  readonly key?: string
  readonly access?: string
  readonly refresh?: string
  readonly clientSecret?: string
  /** The password of the shared journal. */
  readonly journal?: string
}

/** The entry of one profile. */
export interface KeyringEntry {
  readonly read: () => Promise<string | undefined>
  readonly write: (secret: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether something of the profile is in the keyring, and an empty text in its place. */
export function isKept(settings: Settings, name: string): boolean {
  const { key, token, journal } = keyStore(settings).get(name)
  return key?.key === '' || token?.access === '' || journal?.password === ''
}

/** Whether the profile has its credentials kept by the keyring. */
export const isInKeyring = ({ profiles }: Settings, name: string) => profiles[name]?.keyStore === 'keyring'

/** Without the credentials that were to be in the keyring. */
export function withoutKept(settings: Settings, name: string): Settings {
  const { key, token, journal } = keyStore(settings).get(name)
  return keyStore(settings).set(name, {
    ...(key && key.key !== '' && { key }),
    ...(token && token.access !== '' && { token }),
    ...(journal && journal.password !== '' && { journal }),
  })
}

/** What was gone from the keyring is forgotten with the next change of the credentials or of their place. */
export function withoutGone(settings: Settings, before: Settings, name: string): Settings {
  if (!isKept(settings, name)) return settings
  const [now, then] = [settings, before].map((each) => JSON.stringify(keyStore(each).get(name)))
  return now === then && isInKeyring(settings, name) ? settings : withoutKept(settings, name)
}

/** What the keyring is to keep. */
export function keptOf(settings: Settings, name: string): Kept {
  const { key, token, journal } = keyStore(settings).get(name)
  return {
    ...(key && { key: key.key }),
    ...(token && { access: token.access }),
    ...(token?.refresh !== undefined && { refresh: token.refresh }),
    ...(token?.clientSecret !== undefined && { clientSecret: token.clientSecret }),
    ...(journal && { journal: journal.password }),
  }
}

/** The settings with what the keyring keeps; what it should keep and does not is still empty. */
export async function opened(settings: Settings, name: string, entry: KeyringEntry): Promise<Settings> {
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
    ...(journal && { journal: { ...journal, password: fill(journal.password, kept?.journal) ?? '' } }),
  }
  return store.set(name, full)
}

/** The settings without what the keyring is to keep, once it keeps it. `before`: what it keeps already. */
export async function sealed(
  settings: Settings,
  name: string,
  entry: KeyringEntry,
  before: Kept | undefined,
): Promise<Settings> {
  const store = keyStore(settings)
  const { key, token, journal } = store.get(name)
  if (!isInKeyring(settings, name) || (!key && !token && !journal)) return settings
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
