import { randomBytes } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import { storedUrl } from '../../credentials/base-url.ts'
import { type ClientApplication, tokenOfAnswer } from '../../credentials/refresh-token.ts'
import type { Profile } from '../../credentials/resolve.ts'
import type { StoredToken } from '../../credentials/settings.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { changeKeys, readKeys } from '../../credentials/stored-keys.ts'
import { Failure, usage } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'

/** A profile that a token can be stored for. */
export type ProfileWithAddress = Profile & { readonly origin: string; readonly baseUrl: string }

/** The profile in force, when it is a stored one with an address. Throws a usage failure; nothing is sent. */
export async function profileToStoreFor(context: Context): Promise<ProfileWithAddress> {
  const profile = await context.profile()
  const { kind, origin, baseUrl } = profile
  if (kind === 'stored' && origin !== undefined && baseUrl !== undefined)
    return { ...profile, origin, baseUrl }
  throw usage(
    `A token can be stored only in a stored profile with an address, and ${profile.name} is not one.`,
    'To list the stored profiles: payroll profiles list',
  )
}

/** The token that is stored for the profile in force and the address in force. */
export async function storedToken(context: Context): Promise<StoredToken<string> | undefined> {
  const { name, origin } = await context.profile()
  const { token } = await readKeys({ directory: context.directory, env: context.host.env }, name)
  for (const secret of [token?.access, token?.refresh]) context.host.secrets.hide(secret ?? '')
  return token?.origin === origin ? token : undefined
}

/**
 * Keeps the tokens of an answer beside the key of the profile, with the address that they are for. Shows none of them.
 * Throws a Failure if the answer holds none; then nothing is stored.
 */
export async function keepToken(
  context: Context,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: URL },
  answer: JsonObject | undefined,
  {
    refresh,
    account = randomBytes(8).toString('hex'),
    ...application
  }: ClientApplication & Partial<Pick<StoredToken, 'account'>> & { readonly refresh?: string | undefined },
): Promise<StoredToken<string>> {
  const { secrets, now } = context.host
  const { origin } = baseUrl
  const token = tokenOfAnswer(answer, { ...application, origin, refresh, account }, now())
  if (!token) {
    const message = 'The response has no usable access_token.'
    throw new Failure('invalid-response', message, { outcome: 'applied' })
  }
  for (const secret of [token.access, token.refresh ?? '']) secrets.hide(secret)
  let hasKey = false
  const place = { directory: context.directory, env: context.host.env }
  const warnings = await changeKeys(place, name, (settings) => {
    const stored = credentialsIn(settings).get(name)
    hasKey = stored.key !== undefined
    const profile = { ...settings.profiles[name], baseUrl: storedUrl(baseUrl) }
    return {
      ...credentialsIn(settings).set(name, { ...stored, token }),
      default: settings.default ?? name,
      profiles: { ...settings.profiles, [name]: profile },
    }
  })
  for (const warning of warnings) context.warn(warning)
  const keyNote = hasKey ? ' Its API key stays stored too.' : ''
  context.note(
    `Stored the access token of ${name}. It is used from now on, and sent only to ${origin}.${keyNote}`,
  )
  return token
}
