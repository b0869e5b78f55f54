import { choice, flag, text, type ValuesOf } from '../../api/contract/fields/field.ts'
import { operations } from '../../api/contract/operations/operations.ts'
import type { Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { authorizationOf, authorizationText } from '../../credentials/authorization.ts'
import { type KeyStoreId, keyStores, storeOfSource } from '../../credentials/key-stores.ts'
import { type Profile, resolveProfile } from '../../credentials/resolve.ts'
import { readSettings, settingsFile } from '../../credentials/settings.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { changeKeys } from '../../credentials/stored-keys.ts'
import { Failure, usage } from '../../errors.ts'
import { maskAs } from '../../secrets.ts'

const statusFields = {
  profile: text('Profile'),
  baseUrl: text('Base address', { nullable: true }),
  key: text('Key', { nullable: true, help: 'Masked.' }),
  keyFrom: text('Key comes from'),
  credential: choice('Kind', ['access token', 'key'], { nullable: true }),
  sentOnlyTo: text('Sent only to', { nullable: true }),
  presentedAs: text('Sent as'),
  keptIn: text('Kept in', { nullable: true }),
  refreshable: flag('Renewed by itself', { nullable: true }),
  expiresAt: text('Ends', { nullable: true }),
  keyWithheldFor: text('Not sent, because it is for', { nullable: true }),
  accepted: flag('Accepted', { nullable: true, help: 'null: the service did not say.' }),
}

export const status: Verb = {
  name: 'status',
  summary: 'Show which key is in use, and check that the service accepts it',
  answer: { prints: 'json', shapes: [{ fields: statusFields }] },
  examples: ['payroll auth status', 'payroll auth status --profile production --json'],
  async run(context) {
    const answer = await accepted(context)
    // Read again: the call may have refreshed the token.
    const profile = await current(context)
    const { name, baseUrl, origin, key, source, keyWithheld, token } = profile
    const shown: ValuesOf<typeof statusFields> = {
      profile: name,
      baseUrl: baseUrl ?? null,
      key: key === undefined ? null : maskAs('key', key),
      keyFrom: source.key,
      // Which of the two that may be stored goes to the service.
      credential: key === undefined ? null : token ? 'access token' : 'key',
      sentOnlyTo: key === undefined ? null : (origin ?? null),
      presentedAs: authorizationText(authorizationOf(profile)),
      keptIn: await placeOf(context, profile),
      refreshable: token?.isRefreshable ?? null,
      expiresAt: token?.expiresAt === undefined ? null : new Date(token.expiresAt).toISOString(),
      keyWithheldFor: keyWithheld ?? null,
      accepted: answer === true ? true : answer.details.status === 401 ? false : null,
    }
    await context.output.record({ ...shown }, { fields: statusFields })
    if (answer !== true) throw answer
  },
}

/** Where the key lies, for a person to find it. */
async function placeOf(context: Context, { source, keyLocation }: Profile): Promise<string | null> {
  if (source.key === 'environment') return 'PAYROLL_API_KEY'
  const places: Readonly<Record<KeyStoreId, string>> = {
    file: settingsFile(await context.directory()),
    keyring: keyStores.keyring.words,
    command: keyLocation?.in === 'command' ? keyLocation.command : '',
  }
  const store = storeOfSource(source.key)
  return store === undefined ? null : places[store]
}

async function current(context: Context): Promise<Profile> {
  const profile = await context.access().catch(() => context.profile())
  if (!profile.token) return profile
  const { settings } = await readSettings(await context.directory())
  const { flag, env, terminal } = { flag: profile.name, env: context.host.env, terminal: false }
  const resolved = await resolveProfile({ flag, env, terminal, settings: async () => settings })
  const { key, token } = await context.withKey(resolved)
  return { ...profile, ...(key !== undefined && { key }), ...(token && { token }) }
}

/** True, or why not. */
async function accepted(context: Context): Promise<true | Failure> {
  try {
    const client = await context.client()
    await client.call(operations.candidates.list, { query: { page: 1, size: 1 } })
    return true
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

export const logout: Verb = {
  name: 'logout',
  isLocal: true,
  deletes: true,
  summary: 'Remove the stored key of a profile, and its access token and refresh token',
  answer: { prints: 'nothing' },
  examples: ['payroll auth logout --profile production'],
  async run(context) {
    const { name } = await context.profile()
    let removed: readonly string[] = []
    const place = { directory: context.directory, env: context.host.env }
    const warnings = await changeKeys(place, name, (settings) => {
      const { key, token } = credentialsIn(settings).get(name)
      removed = [...(key ? ['key'] : []), ...(token ? ['access token'] : [])]
      if (removed.length === 0) throw usage(`No key is stored for ${name}.`)
      return credentialsIn(settings).signOut(name)
    })
    for (const warning of warnings) context.warn(warning)
    const rest =
      removed.length === 1
        ? 'was removed from this computer. It still works at the service until it is revoked there.'
        : 'were removed from this computer. They still work at the service until they are revoked there.'
    context.note(`The ${removed.join(' and the ')} of ${name} ${rest}`)
  },
}
