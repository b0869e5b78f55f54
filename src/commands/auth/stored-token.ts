import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'
import { keyStore } from '../../profile/key-store.ts'
import type { Profile } from '../../profile/resolve.ts'
import { changeSettings, type StoredToken } from '../../profile/settings.ts'

/** A profile that a token can be stored for. */
type ProfileWithAddress = Profile & { readonly origin: string }

/** The profile in force, when it is a stored one with an address. Throws a usage failure; nothing is sent. */
export async function profileToStoreFor(context: Context): Promise<ProfileWithAddress> {
  const profile = await context.profile()
  if (profile.kind === 'stored' && profile.origin !== undefined) return { ...profile, origin: profile.origin }
  throw usage(
    `A token can be stored only in a stored profile with an address, and ${profile.name} is not one. Nothing was sent.`,
    'To list the stored profiles: payroll profiles list',
  )
}

/** The token that is stored for the profile in force and the address in force. */
export async function storedToken(context: Context): Promise<StoredToken | undefined> {
  const { name, origin } = await context.profile()
  const { token } = keyStore(await context.settings()).get(name)
  return token?.origin === origin ? token : undefined
}

/** What besides the answer belongs to a token. */
interface About {
  readonly clientId?: string | undefined
  /** The refresh token that was used: it stays good where the answer holds no new one (RFC 6749, 6). */
  readonly refresh?: string | undefined
}

/** Keeps the tokens of an answer beside the key of the profile. Shows none of them. */
export async function storeToken(
  context: Context,
  { name, origin }: ProfileWithAddress,
  answer: JsonObject | undefined,
  { clientId, refresh: used }: About,
): Promise<void> {
  const { secrets, now } = context.host
  const { access_token, refresh_token, expires_in } = answer ?? {}
  if (typeof access_token !== 'string') {
    const message = 'The response has no access_token. Nothing was stored.'
    throw new Failure('invalid-response', message, { outcome: 'applied' })
  }
  const refresh = typeof refresh_token === 'string' ? refresh_token : used
  for (const secret of [access_token, refresh ?? '']) secrets.hide(secret)
  const expiresAt = Math.round(now() + Number(expires_in ?? Number.NaN) * 1000)
  const token: StoredToken = {
    origin,
    access: access_token,
    ...(refresh !== undefined && { refresh }),
    ...(Number.isSafeInteger(expiresAt) && { expiresAt }),
    ...(clientId !== undefined && { clientId }),
  }
  const warnings = await changeSettings(await context.directory(), (settings) => {
    const store = keyStore(settings)
    return store.set(name, { ...store.get(name), token })
  })
  for (const warning of warnings) context.warn(warning)
  const kept = keyStore(await context.settings()).get(name).key ? ' Its API key stays stored too.' : ''
  context.note(`Stored the access token of ${name}. It is used from now on.${kept}`)
  await context.output.record({
    stored: true,
    profile: name,
    expires_in: expires_in ?? null,
    refreshable: refresh !== undefined,
  })
}
