import { usage } from '../errors.ts'
import { isOutsideStore, type OutsideStoreId } from './key-stores.ts'

/** Files for TLS, by their absolute paths: what they hold is read for each command. */
export interface CertificateFiles {
  /** Authorities to trust beside those of Node. */
  readonly certificateAuthority?: string
  readonly clientCertificate?: string
  /** Absent where the file of the certificate has the key too. */
  readonly clientKey?: string
}

/** A profile in the settings. The user gives the service's address, because interface.md does not show it. */
export interface StoredProfile extends CertificateFiles {
  readonly baseUrl?: string
  /** The first segment of every path; `svc` by default. */
  readonly prefix?: string
  /** `uk` or `ireland`: the one that commands use which name none. */
  readonly country?: string
  /** The address of the shared journal, without a password. */
  readonly journal?: string
  /** Writes must be confirmed. */
  readonly protected?: boolean
  /** Nothing may be written. */
  readonly readOnly?: boolean
  /** How the key is presented: `Bearer {token}`, `X-Api-Key: {token}`; the bare key by default. */
  readonly authorization?: string
  /** Where keys and tokens lie, by its name in `keyStores`; `file` by default. */
  readonly keyStore?: string
  /** A command that prints the key. */
  readonly keyCommand?: string
  /** How long that command may take, in seconds; 5 by default. */
  readonly keyCommandTimeout?: number
  /** How many requests a second the service allows; no limit without it. */
  readonly rate?: number
  /** What the history keeps of its writes: for how many days, `names` alone of the fields, or nothing, `off`. */
  readonly history?: string
  /** The weekday on which a week that has ended is paid. */
  readonly payDay?: string
  /** What the service means by leaving a field out where nothing shows it: `left-out`, `hidden` or `ask`. */
  readonly emptyFields?: string
  /** The consent page for a sign-in in the browser, where auth.connectUrl does not give it. */
  readonly authorizeUrl?: string
  /** Routes that the user corrected: `{ 'payslips.list': 'GET /svc/payslips' }`. */
  readonly routes?: Readonly<Record<string, unknown>>
}

/** What the settings have in place of a secret that another store keeps. */
interface KeptElsewhere {
  readonly in: OutsideStoreId
}

/** A secret itself where the settings hold it; else where it lies. */
export type Secret = string | KeptElsewhere

/** Whether a secret is kept outside of the settings. False for one that is not stored at all. */
export const liesElsewhere = (secret: unknown): secret is KeptElsewhere =>
  isRecord(secret) && isOutsideStore(secret.in)

/** A key, and the only origin that it may be sent to. */
export interface StoredKey<S extends Secret = Secret> {
  readonly origin: string
  readonly key: S
}

/** An OAuth token, and the only origin that it may be sent to. */
export interface StoredToken<S extends Secret = Secret> {
  readonly origin: string
  readonly access: S
  readonly refresh?: S
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  /** Milliseconds since 1970. */
  readonly obtainedAt?: number
  /** The client application that got it. */
  readonly clientId?: string
  /** What the client application proves itself with, if it has such a secret. */
  readonly clientSecret?: S
  /** Tells one sign-in from another, in 16 hexadecimal digits; the same after a refresh. */
  readonly account?: string
  /** When a refresh was begun whose answer is not here; in milliseconds since 1970. */
  readonly refreshing?: number
}

/** The password of a shared journal, and the only database that it may be sent to. */
export interface StoredDatabasePassword<S extends Secret = Secret> {
  /** User, host, port and database: see `targetOf` of `src/shared-journal/access.ts`. */
  readonly database: string
  readonly password: S
}

/** What the fingerprints of the marks of a profile are made with. It is sent nowhere. */
export interface StoredMarkKey<S extends Secret = Secret> {
  readonly secret: S
}

/** The settings file. Other fields in it are kept. `profiles` and `keys` have no prototype. */
export interface Settings {
  readonly default?: string
  readonly profiles: Readonly<Record<string, StoredProfile>>
  readonly keys: Readonly<Record<string, StoredKey>>
  /** Tokens never replace keys. */
  readonly tokens?: Readonly<Record<string, StoredToken>>
  readonly journals?: Readonly<Record<string, StoredDatabasePassword>>
  readonly marks?: Readonly<Record<string, StoredMarkKey>>
}

/** Returns the name if it is valid for a profile. Throws a usage failure that does not repeat it. */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  throw usage(
    'Not a valid profile name.',
    'A name begins with a letter or digit and has up to 64 letters, digits, hyphens and underscores.',
  )
}

function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name) && name !== 'constructor' && name !== 'prototype'
}

export const emptySettings: Settings = { profiles: {}, keys: {} }

/** The settings in a parsed file, or a sentence that says what is wrong with it. Never shows a value. */
export function parseSettings(value: unknown): Settings | string {
  if (!isRecord(value)) return 'it is not a JSON object'
  const { default: chosen, profiles = {}, keys = {}, tokens, journals, marks } = value
  if (chosen !== undefined && !(typeof chosen === 'string' && isProfileName(chosen))) {
    return '"default" is not the name of a profile'
  }
  const flaw =
    flawIn('profiles', profiles, profileField) ??
    flawIn('keys', keys, keyField) ??
    flawIn('tokens', tokens ?? {}, tokenField) ??
    flawIn('journals', journals ?? {}, databasePasswordField) ??
    flawIn('marks', marks ?? {}, markKeyField)
  if (flaw !== undefined) return flaw
  return {
    ...value,
    profiles: withoutPrototype(profiles),
    keys: withoutPrototype(keys),
    ...(tokens !== undefined && { tokens: withoutPrototype(tokens) }),
    ...(journals !== undefined && { journals: withoutPrototype(journals) }),
    ...(marks !== undefined && { marks: withoutPrototype(marks) }),
  } as Settings
}

/** The file format that this payroll writes. A file without a version has it too. */
const knownVersion = 1
const knownSignIns: readonly unknown[] = ['key']

/**
 * Says what in a parsed file needs a newer payroll, if anything. Ignoring it could send a key although the file asks
 * for another way to sign in. Never shows a value.
 */
export function needsNewerVersion(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { version = knownVersion } = value
  if (typeof version !== 'number') return 'this payroll does not know its version'
  if (version > knownVersion) return `it has format ${version}, and this one knows format ${knownVersion}`
  for (const group of ['profiles', 'keys']) {
    for (const [name, entry] of Object.entries(isRecord(value[group]) ? value[group] : {})) {
      const auth = isRecord(entry) ? entry.auth : undefined
      const isKnown = auth === undefined || (isRecord(auth) && knownSignIns.includes(auth.kind))
      if (!isKnown && isProfileName(name))
        return `"${group}.${name}.auth" is of a kind that this payroll does not know`
    }
  }
  return undefined
}

const profileField = {
  baseUrl: ['string', 'undefined'],
  prefix: ['string', 'undefined'],
  country: ['string', 'undefined'],
  journal: ['string', 'undefined'],
  protected: ['boolean', 'undefined'],
  readOnly: ['boolean', 'undefined'],
  authorization: ['string', 'undefined'],
  keyStore: ['string', 'undefined'],
  keyCommand: ['string', 'undefined'],
  keyCommandTimeout: ['number', 'undefined'],
  authorizeUrl: ['string', 'undefined'],
  history: ['string', 'undefined'],
  payDay: ['string', 'undefined'],
  emptyFields: ['string', 'undefined'],
  rate: ['number', 'undefined'],
  certificateAuthority: ['string', 'undefined'],
  clientCertificate: ['string', 'undefined'],
  clientKey: ['string', 'undefined'],
  routes: ['object', 'undefined'],
}

const keyField = { origin: ['string'], key: ['secret'] }

const databasePasswordField = { database: ['string'], password: ['secret'] }

const markKeyField = { secret: ['secret'] }

const tokenField = {
  origin: ['string'],
  access: ['secret'],
  refresh: ['secret', 'undefined'],
  expiresAt: ['number', 'undefined'],
  obtainedAt: ['number', 'undefined'],
  clientId: ['string', 'undefined'],
  clientSecret: ['secret', 'undefined'],
  account: ['string', 'undefined'],
  refreshing: ['number', 'undefined'],
}

function flawIn(group: string, entries: unknown, fields: Record<string, string[]>): string | undefined {
  if (!isRecord(entries)) return `"${group}" is not an object`
  for (const [name, entry] of Object.entries(entries)) {
    if (!isProfileName(name)) return `"${group}" contains a name that no profile can have`
    if (!isRecord(entry)) return `"${group}.${name}" is not an object`
    for (const [field, types] of Object.entries(fields)) {
      const value = entry[field]
      const isSecret = types.includes('secret') && (typeof value === 'string' || liesElsewhere(value))
      if (!isSecret && !types.includes(typeof value))
        return `"${group}.${name}.${field}" is not a ${types[0]}`
    }
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Without a prototype, a profile called `toString` is found only if it exists. */
function withoutPrototype(entries: unknown): unknown {
  return Object.assign(Object.create(null), entries)
}
