import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import process from 'node:process'
import type { Environment } from '../environment.ts'
import { Failure, usage } from '../errors.ts'
import { neededEnvironment } from '../secrets/guard-streams.ts'
import { keyStore, mapSecrets, type Secrets, type StoredCredentials, secretsOf } from './key-store.ts'
import type { Settings } from './settings.ts'
import { inKeyring, liesInKeyring } from './settings-shape.ts'

/** How long the keyring may take for one call. In milliseconds. */
const timeoutMs = 3000

/**
 * The keyring of the system: the Secret Service, the keychain of macOS, the credentials of Windows. Each call is made by
 * a process of its own, which can be ended: a bus that does not answer would keep this one waiting for ever. Throws an
 * `auth` failure that says why the keyring cannot be used; nothing else takes its place.
 */
export interface Keyring {
  /** Undefined if nothing is kept under this name. */
  read(name: string): Promise<string | undefined>
  write(name: string, secret: string): Promise<void>
  /** Whether there was one. */
  remove(name: string): Promise<boolean>
}

/** @param profile whose keys it keeps, for the commands that help */
export function systemKeyring(env: Environment, profile: string): Keyring {
  const ask = (action: string, name: string, secret?: string) =>
    call({ env, profile }, { action, name, secret })
  return {
    async read(name) {
      return (await ask('read', name)) ?? undefined
    },
    async write(name, secret) {
      await ask('write', name, secret)
      // A keyring that takes a secret and does not keep it would lose the only copy.
      if ((await ask('read', name)) !== secret) throw unusable(profile, 'it did not keep what was stored')
    },
    async remove(name) {
      return (await ask('remove', name)) === 'removed'
    },
  }
}

interface Asked {
  readonly action: string
  readonly name: string
  readonly secret?: string | undefined
}

interface Caller {
  readonly env: Environment
  readonly profile: string
}

/** Runs in the other process. What it is asked comes by its standard input, where no other process can read it. */
const program = `
const chunks = []
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { path, action, name, secret } = JSON.parse(Buffer.concat(chunks).toString())
  const say = (answer) => process.stdout.write(JSON.stringify(answer))
  try {
    const { Entry } = require(path)
    // Not the keyring of the kernel, which forgets: no other place than the one that was chosen.
    const entry = new Entry('payroll', name, { linux: { store: 'secret-service' } })
    if (action === 'write') entry.setPassword(secret)
    if (action === 'read') return say({ value: entry.getPassword() })
    if (action === 'remove') return say({ value: entry.deletePassword() ? 'removed' : null })
    say({ value: null })
  } catch (error) {
    say({ error: String(error && error.message) })
  }
})`

async function call({ env, profile }: Caller, asked: Asked): Promise<string | null> {
  const text = JSON.stringify({ path: modulePath(), ...asked })
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...neededEnvironment(env), NODE_OPTIONS: '' },
  })
  let answer = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  const isLate = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(true)
    }, timeoutMs)
    child.on('error', () => resolve(false))
    child.on('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
  if (isLate) {
    const why = 'it did not answer within 3 seconds: it may be locked, and wait for a password'
    throw unusable(profile, why)
  }
  const { value = null, error } = parse(answer)
  if (error === undefined) return value
  throw unusable(profile, reasonOf(error))
}

function modulePath(): string {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring')
  } catch {
    throw usage(
      'The system keyring needs the package @napi-rs/keyring, which is not installed here.',
      'Install payroll again with its optional packages: npm install --global --include=optional <what you installed>',
    )
  }
}

function parse(answer: string): { value?: string | null; error?: string } {
  try {
    return JSON.parse(answer)
  } catch {
    return { error: 'ended' }
  }
}

/** Why it cannot be used, in our words: those of the keyring may hold what was stored. */
function reasonOf(error: string): string {
  if (/locked|prompt|dismissed/i.test(error)) return 'it is locked'
  if (/no result found/i.test(error)) return 'it was never set up, so it has no place for a key'
  if (/dbus|d-bus|secret service|zbus|no such file|connect|platform/i.test(error))
    return 'there is no keyring service in this session (no session bus)'
  return error === 'ended' ? 'its process ended' : 'it refused'
}

function unusable(profile: string, why: string): Failure {
  return new Failure('auth', `The system keyring cannot be used: ${why}.`, {
    outcome: 'not-sent',
    hint: `Unlock it or start its service. To keep the key in the file instead: payroll profiles set ${profile} --key-store file, then payroll auth login --profile ${profile}`,
  })
}

/** The entry of one profile. */
export interface KeyringEntry {
  readonly read: () => Promise<string | undefined>
  readonly write: (secret: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether a secret of the profile is in the keyring, and not in the settings. */
export function keepsKeyInKeyring(settings: Settings, name: string): boolean {
  return Object.values(secretsOf(keyStore(settings).get(name))).some(liesInKeyring)
}

/** Whether the profile has its credentials kept by the keyring. */
export const isInKeyring = ({ profiles }: Settings, name: string) => profiles[name]?.keyStore === 'keyring'

/** Without the credentials that were to be in the keyring. */
export function withoutKeyringSecrets(settings: Settings, name: string): Settings {
  return keyStore(settings).set(name, withoutMissing(keyStore(settings).get(name)))
}

/** The credentials that have all of their secrets: not those of which one is still said to lie in the keyring. */
export function withoutMissing(credentials: StoredCredentials): StoredCredentials<string> {
  const parts = Object.entries(credentials)
  return Object.fromEntries(parts.filter(([, part]) => !Object.values(part).some(liesInKeyring)))
}

/** What was gone from the keyring is forgotten with the next change of the credentials or of their place. */
export function forgetMissing(settings: Settings, before: Settings, name: string): Settings {
  if (!keepsKeyInKeyring(settings, name)) return settings
  const [now, then] = [settings, before].map((each) => JSON.stringify(keyStore(each).get(name)))
  return now === then && isInKeyring(settings, name) ? settings : withoutKeyringSecrets(settings, name)
}

/** The settings with what the keyring keeps. What it should keep and does not is still said to lie there. */
export async function readFromKeyring(
  settings: Settings,
  name: string,
  entry: KeyringEntry,
): Promise<Settings> {
  if (!keepsKeyInKeyring(settings, name)) return settings
  const kept = parseEntry(await entry.read())
  const store = keyStore(settings)
  const full = mapSecrets(store.get(name), (secret, each) =>
    liesInKeyring(secret) ? (kept?.[each] ?? secret) : secret,
  )
  return store.set(name, full)
}

/** The settings without what the keyring is to keep, once it keeps it. `before`: what it keeps already. */
export async function moveToKeyring(
  settings: Settings,
  name: string,
  entry: KeyringEntry,
  before: Secrets | undefined,
): Promise<Settings> {
  const store = keyStore(settings)
  const credentials = store.get(name)
  const secrets = secretsOf(credentials)
  if (!isInKeyring(settings, name) || Object.keys(secrets).length === 0) return settings
  const text = JSON.stringify(secrets)
  if (text !== JSON.stringify(before)) await entry.write(text)
  return store.set(
    name,
    mapSecrets(credentials, () => inKeyring),
  )
}

function parseEntry(text: string | undefined): Secrets<string> | undefined {
  try {
    return JSON.parse(text ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
