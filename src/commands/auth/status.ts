import { readOne } from '../../api/pages.ts'
import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { authorizationOf, authorizationText } from '../../credentials/authorization.ts'
import type { Access } from '../../credentials/profile.ts'
import { settingsFile } from '../../credentials/settings.ts'
import { asFailure, Failure } from '../../errors.ts'
import { choice, flag, text, type ValuesOf } from '../../model/fields/field.ts'
import { maskAs } from '../../secrets.ts'
import type { Verb } from '../cli/verb.ts'

const statusFields = {
  profile: text('Profile'),
  baseUrl: text('Base address', { nullable: true }),
  key: text('Key', { nullable: true, help: 'Masked.' }),
  keyFrom: text('Key comes from'),
  credential: choice('Kind', ['access token', 'key'], { nullable: true }),
  sentOnlyTo: text('Sent only to', { nullable: true }),
  presentedAs: text('Sent as'),
  keptIn: text('Kept in', { nullable: true }),
  refreshable: flag('Refreshed automatically', { nullable: true }),
  expiresAt: text('Expires', { nullable: true }),
  keyWithheldFor: text('Not sent, because it is for', { nullable: true }),
  accepted: flag('Accepted', { nullable: true, help: 'null: the service did not say.' }),
}

export const status: Verb = {
  name: 'status',
  summary: 'Show which key is in use, and check that the service accepts it',
  answer: { prints: 'json', shapes: [{ fields: statusFields }] },
  examples: ['payroll auth status', 'payroll auth status --profile production --json'],
  async run(context) {
    const country = await configuredCountry(context)
    const answer = await context
      .client()
      .then((client) => readOne(client, country))
      .catch(asFailure)
    const failure = answer instanceof Failure ? answer : undefined
    // Read again: the call may have refreshed the token.
    const profile = await current(context)
    const { name, baseUrl, origin, key, keyFrom, keyWithheld, token } = profile
    const status: ValuesOf<typeof statusFields> = {
      profile: name,
      baseUrl: baseUrl ?? null,
      key: key === undefined ? null : maskAs('key', key),
      keyFrom,
      // Both may be stored: this one is sent.
      credential: key === undefined ? null : token ? 'access token' : 'key',
      sentOnlyTo: key === undefined ? null : (origin ?? null),
      presentedAs: authorizationText(authorizationOf(profile)),
      keptIn: await keyPlace(context, profile),
      refreshable: token ? token.refresh !== undefined : null,
      // null for a time beyond every calendar, which a service may give to a token that does not end.
      expiresAt: token?.expiresAt === undefined ? null : new Date(token.expiresAt).toJSON(),
      keyWithheldFor: keyWithheld ?? null,
      accepted: failure ? (failure.details.status === 401 ? false : null) : true,
    }
    await context.output.record({ ...status }, { fields: statusFields })
    if (failure) throw failure
  },
}

async function keyPlace(context: Context, { keyFrom }: Access): Promise<string | null> {
  if (keyFrom === 'environment') return 'PAYROLL_API_KEY'
  if (keyFrom === 'keyring') return 'the system keyring'
  return keyFrom === 'stored' ? settingsFile(await context.directory()) : null
}

async function current(context: Context): Promise<Access> {
  const access = await context.access().catch(async (): Promise<Access> => {
    const profile = await context.profile()
    return { ...profile, keyFrom: profile.keyStore === 'keyring' ? 'keyring' : 'none' }
  })
  if (!access.token) return access
  const { readSecrets } = await import('../../credentials/keys.ts')
  const { token = access.token } = await readSecrets(context.place, access.name)
  return { ...access, token, key: token.access }
}
