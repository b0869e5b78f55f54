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
  payDay: z.optional(z.string()),
  /** What the history keeps of its writes: a number of days, `names` (no values), or `off`. */
  history: z.optional(z.string()),
  /** The meaning of a field that is left out, where nothing shows it: `left-out`, `hidden` or `ask`. */
  emptyFields: z.optional(z.string()),
  /** Routes that the user corrected: `{ 'payslips.list': 'GET /svc/payslips' }`. */
  routes: z.optional(z.record(z.string(), z.unknown())),
}

const keyShape = z.looseObject({ origin: z.string(), key: z.string() })

/** An OAuth token, and the only origin that it may be sent to. It never replaces the key. */
const tokenShape = z.looseObject({
  origin: z.string(),
  access: z.string(),
  refresh: z.optional(z.string()),
  expiresAt: z.optional(z.number()),
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
export const knownVersion = 1

const byProfile = <Shape extends z.ZodMiniType>(shape: Shape) => z.record(z.string(), shape)

const settingsShape = z.looseObject({
  version: z.optional(z.literal(knownVersion)),
  default: z.optional(z.string().check(z.refine(isProfileName))),
  profiles: z._default(byProfile(z.looseObject(profileShape)), {}),
  keys: z._default(byProfile(keyShape), {}),
  tokens: z.optional(byProfile(tokenShape)),
  journals: z.optional(byProfile(journalShape)),
  marks: z.optional(byProfile(marksShape)),
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

/** The settings in a parsed file; or what is wrong with it, in a sentence that shows no value. */
export function parseSettings(value: unknown): { readonly settings: Settings } | { readonly why: string } {
  const bad = misnamedGroup(value)
  if (bad !== undefined) return { why: `"${bad}" contains a name that no profile can have` }
  const result = settingsShape.safeParse(value)
  if (result.success) return { settings: withoutPrototypes(result.data) }
  const [issue] = result.error.issues
  const where = issue?.path.join('.')
  if (!where) return { why: 'it is not a JSON object' }
  const is =
    issue?.code === 'invalid_type'
      ? `is not of the type ${issue.expected.replace('record', 'object')}`
      : 'is nothing that payroll knows'
  return { why: `"${where}" ${is}` }
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
