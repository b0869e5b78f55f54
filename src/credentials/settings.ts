import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { systemCode, usage } from '../errors.ts'
import { newerFormat } from '../files/local/newer-format.ts'
import {
  checkPrivateDirectory,
  isOpenToOthers,
  modeText,
  refuseForeign,
} from '../files/local/private-directory.ts'
import { systemCommands } from '../files/local/system-commands.ts'
import type { Settings, StoredProfile, StoredSecrets } from './settings-shape.ts'

export type { CertificateFiles, Settings, StoredProfile, StoredSecrets } from './settings-shape.ts'

export type StoredToken = NonNullable<StoredSecrets['token']>

export const emptySettings: Settings = { profiles: {}, keys: {} }

/** The path of the settings in the folder of the tool. */
export const settingsFile = (directory: string) => join(directory, 'config.json')

/**
 * Reads the settings; empty ones if there are none. Closes a file that is open to others, with a warning.
 * Throws a usage failure for one that is damaged, newer or another user's, which it does not change. conf is
 * not used: its import costs more than the rest of a short command.
 */
export async function readSettings(
  directory: string,
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const open = checkPrivateDirectory(directory)
  const warnings = open === undefined ? [] : [open]
  const file = settingsFile(directory)
  const content = readPrivately(file, 'close it')
  if (content === undefined) return { settings: emptySettings, warnings }
  if (content.mode !== undefined && isOpenToOthers(content.mode)) {
    warnings.push(
      `${file} was open to other users (mode ${modeText(content.mode)}); it is closed now (0600).`,
    )
  }
  return { settings: await settingsIn(content.text, file), warnings }
}

/** For diagnosis: the mode is not changed. Undefined if there is no file. Throws as `readSettings` does. */
export async function inspectSettings(
  directory: string,
): Promise<{ readonly settings: Settings; readonly mode: number | undefined } | undefined> {
  const file = settingsFile(directory)
  const content = readPrivately(file, 'leave it')
  return content && { settings: await settingsIn(content.text, file), mode: content.mode }
}

async function settingsIn(text: string, file: string): Promise<Settings> {
  // The checks of a file take 10 ms to load, and are not needed without a file.
  const { knownVersion, parseSettings, tryParseJson: parseJson } = await import('./settings-shape.ts')
  const content = parseJson(text)
  const { version } = (content ?? {}) as { version?: unknown }
  if (typeof version === 'number' && version > knownVersion)
    throw newerFormat(`The settings file ${file}`, version, knownVersion)
  const result = parseSettings(content)
  if ('settings' in result) return result.settings
  throw usage(
    `The settings file ${file} is damaged: ${result.why}. It was left untouched.`,
    `Correct it, or move it away and set up again: ${systemCommands().moveAside(file)}`,
  )
}

/** Reads the very file whose owner was checked; undefined if there is none. Windows has no modes. */
function readPrivately(
  file: string,
  ifOpen: 'close it' | 'leave it',
): { text: string; mode: number | undefined } | undefined {
  // Synchronous, because every command waits for it: loading the promises of node:fs would take longer.
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const { uid, mode } = fstatSync(descriptor)
    const hasMode = platform() !== 'win32'
    if (hasMode) {
      refuseForeign(file, uid)
      if (isOpenToOthers(mode) && ifOpen === 'close it') fchmodSync(descriptor, 0o600)
    }
    return { text: readFileSync(descriptor, 'utf8'), mode: hasMode ? mode : undefined }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The settings file ${file} cannot be read (${code}).`)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The group in the settings for each kind of secret. Only this module knows them. */
const secretGroups = { key: 'keys', token: 'tokens', journal: 'journals', marks: 'marks' } as const

const secretKinds = Object.keys(secretGroups) as (keyof typeof secretGroups)[]

/** The secrets of a profile that lie in the settings. */
export function secretsOf(settings: Settings, name: string): StoredSecrets {
  const found = secretKinds.map((kind) => {
    const entries: Readonly<Record<string, object>> = settings[secretGroups[kind]] ?? {}
    return [kind, Object.hasOwn(entries, name) ? entries[name] : undefined] as const
  })
  return Object.fromEntries(found.filter(([, entry]) => entry))
}

/** The settings with these changes of a profile. */
export const withChanges = (
  { profiles, ...rest }: Settings,
  name: string,
  changes: StoredProfile,
): Settings => ({
  ...rest,
  profiles: { ...profiles, [name]: { ...profiles[name], ...changes } },
})

/** The settings with these secrets of a profile, in place of all that were there. */
export function withSecrets(settings: Settings, name: string, secrets: StoredSecrets): Settings {
  const groups = secretKinds.map((kind) => {
    const { [name]: _, ...others }: Record<string, unknown> = settings[secretGroups[kind]] ?? {}
    const entries = secrets[kind] ? { ...others, [name]: secrets[kind] } : others
    return [secretGroups[kind], settings[secretGroups[kind]] || secrets[kind] ? entries : undefined] as const
  })
  return { ...settings, ...Object.fromEntries(groups.filter(([, entries]) => entries)) }
}

/** The profiles that have a secret in the settings. */
export const namesWithSecrets = (settings: Settings): readonly string[] => [
  ...new Set(secretKinds.flatMap((kind) => Object.keys(settings[secretGroups[kind]] ?? {}))),
]

/** The texts in secrets that no output may show. */
export function secretTextsOf({ key, token, journal, marks }: StoredSecrets): readonly string[] {
  const texts = [
    key?.key,
    token?.access,
    token?.refresh,
    token?.clientSecret,
    journal?.password,
    marks?.secret,
  ]
  return texts.filter((text) => text !== undefined)
}

/** All secrets that the settings themselves hold. */
export const storedSecrets = (settings: Settings): readonly string[] =>
  namesWithSecrets(settings).flatMap((name) => secretTextsOf(secretsOf(settings, name)))
