import * as z from 'zod/mini'
import { isProfileName, keyStores } from './profile-words.ts'

// A run reads one file: to compile the schema would take longer than to walk it.
z.config({ jitless: true })

const keyStore = z.enum(keyStores)

/** Absolute paths of the files for TLS. The files are read for each command. */
const certificateShape = {
  /** Authorities to trust beside those of Node. */
  certificateAuthority: z.optional(z.string()),
  clientCertificate: z.optional(z.string()),
  clientKey: z.optional(z.string()),
}

const profileShape = {
  ...certificateShape,
  baseUrl: z.optional(z.string()),
  prefix: z.optional(z.string()),
  /** `uk` or `ireland`: the country of commands that name none. */
  country: z.optional(z.string()),
  /** The address of the shared journal, without a password; empty for none. */
  journal: z.optional(z.string()),
  protected: z.optional(z.boolean()),
  readOnly: z.optional(z.boolean()),
  authorization: z.optional(z.string()),
  keyStore: z.optional(keyStore),
  rate: z.optional(z.number()),
  payDay: z.optional(z.string()),
  /** What the history keeps of its writes: a number of days, `names` (no values), or `off`. */
  history: z.optional(z.string()),
  /** The meaning of a field that is left out, where nothing shows it: `left-out`, `hidden` or `ask`. */
  emptyFields: z.optional(z.string()),
  /** The consent page for a sign-in in the browser, where auth.connectUrl does not give it. */
  authorizeUrl: z.optional(z.string()),
  /** Routes that the user corrected: `{ 'payslips.list': 'GET /svc/payslips' }`. */
  routes: z.optional(z.record(z.string(), z.unknown())),
  /** How it signs in. A kind that is not known was stored by a newer payroll. */
  auth: z.optional(z.looseObject({ kind: z.literal('key') })),
}

const keyShape = z.looseObject({ origin: z.string(), key: z.string(), auth: profileShape.auth })

/** An OAuth token, and the only origin that it may be sent to. It never replaces the key. */
const tokenShape = z.looseObject({
  origin: z.string(),
  access: z.string(),
  refresh: z.optional(z.string()),
  expiresAt: z.optional(z.number()),
  obtainedAt: z.optional(z.number()),
  /** The client application that got the token, and its secret. */
  clientId: z.optional(z.string()),
  clientSecret: z.optional(z.string()),
  /** Tells one sign-in from another, in 16 hexadecimal digits; the same after a refresh. */
  account: z.optional(z.string()),
})

/** The password of a shared journal, and the only database that it may be sent to: user, host, port and name. */
const journalShape = z.looseObject({ database: z.string(), password: z.string() })

/** The secret of the fingerprints in marks. It is sent nowhere. */
const marksShape = z.looseObject({ secret: z.string() })

/** All secrets of one profile. In the keyring they lie together, as the JSON text of this. */
export const secretsShape = z.object({
  key: z.optional(keyShape),
  token: z.optional(tokenShape),
  journal: z.optional(journalShape),
  marks: z.optional(marksShape),
})

/** The file format that this payroll writes. A file without a version has it too. */
const knownVersion = 1

/**
 * Payroll 0.1 kept the text of a secret in the keyring, and this in its place. Such an entry is left out: its
 * profile has no key then, and says how to sign in.
 */
const inKeyring = z.object({ in: z.literal('keyring') })

function secretsByProfile<Shape extends z.ZodMiniType>(shape: Shape) {
  const isLeftOut = (entry: unknown) =>
    Object.values(Object(entry)).some((each) => inKeyring.safeParse(each).success)
  const withoutLeftOut = z.transform((entries: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(entries).filter(([, entry]) => !isLeftOut(entry))),
  )
  return z.pipe(z.pipe(z.record(z.string(), z.unknown()), withoutLeftOut), z.record(z.string(), shape))
}

const settingsShape = z.looseObject({
  version: z.optional(z.literal(knownVersion)),
  default: z.optional(z.string().check(z.refine(isProfileName))),
  profiles: z._default(z.record(z.string(), z.looseObject(profileShape)), {}),
  keys: z._default(secretsByProfile(keyShape), {}),
  tokens: z.optional(secretsByProfile(tokenShape)),
  journals: z.optional(secretsByProfile(journalShape)),
  marks: z.optional(secretsByProfile(marksShape)),
})

export type CertificateFiles = z.infer<z.ZodMiniObject<typeof certificateShape>>
export type StoredProfile = z.infer<z.ZodMiniObject<typeof profileShape>>
export type StoredSecrets = z.infer<typeof secretsShape>
export type KeyStore = z.infer<typeof keyStore>

/** The settings. `profiles` and the groups of secrets have no prototype. */
export type Settings = Pick<
  z.infer<typeof settingsShape>,
  'default' | 'keys' | 'tokens' | 'journals' | 'marks'
> & { readonly profiles: Readonly<Record<string, StoredProfile>> }

const groupNames = ['profiles', 'keys', 'tokens', 'journals', 'marks'] as const

/** The flaw of a file: it is damaged, or a newer payroll wrote it. The sentence shows no value. */
interface SettingsFlaw {
  readonly kind: 'damaged' | 'newer'
  readonly why: string
}

/** The settings in a parsed file, or what is wrong with it. */
export function parseSettings(value: unknown): { readonly settings: Settings } | SettingsFlaw {
  const bad = misnamedGroup(value)
  if (bad !== undefined) return { kind: 'damaged', why: `"${bad}" contains a name that no profile can have` }
  const result = settingsShape.safeParse(value)
  if (result.success) return { settings: withoutPrototypes(result.data) }
  const { issues } = result.error
  const newer = issues.find(
    ({ path }) => path[0] === 'version' || path[2] === 'auth' || path[2] === 'keyStore',
  )
  if (newer?.path[0] === 'version') return { kind: 'newer', why: ofVersion(value) }
  const issue = newer ?? issues[0]
  const where = issue?.path.slice(0, newer ? 3 : undefined).join('.') ?? ''
  if (newer) return { kind: 'newer', why: `"${where}" is of a kind that this payroll does not know` }
  if (where === '') return { kind: 'damaged', why: 'it is not a JSON object' }
  if (where === 'default') return { kind: 'damaged', why: '"default" is not the name of a profile' }
  const expectation = issue?.code === 'invalid_type' ? issue.expected.replace('record', 'object') : 'string'
  return {
    kind: 'damaged',
    why: `"${where}" is not ${expectation === 'object' ? 'an object' : `a ${expectation}`}`,
  }
}

function ofVersion(value: unknown): string {
  const { version } = value as { version?: unknown }
  return typeof version === 'number'
    ? `it has format ${version}, and this one knows format ${knownVersion}`
    : 'this payroll does not know its version'
}

/** The group with an entry that no profile can be called. Checked first: zod skips the name `__proto__`, and messages repeat names. */
function misnamedGroup(value: unknown): string | undefined {
  return groupNames.find((group) => {
    const entries = (value as Partial<Record<string, unknown>> | null | undefined)?.[group]
    const isGroup = typeof entries === 'object' && entries !== null && !Array.isArray(entries)
    return isGroup && !Object.keys(entries).every(isProfileName)
  })
}

/** Without a prototype, a profile called `toString` is found only if it exists. */
function withoutPrototypes(settings: z.infer<typeof settingsShape>): Settings {
  const groups = groupNames.filter((group) => settings[group])
  const bare = groups.map((group) => [group, Object.assign(Object.create(null), settings[group])])
  return { ...settings, ...Object.fromEntries(bare) }
}

/** Parses JSON; undefined if it is not JSON. Hides the parser's error, which may quote a key. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
