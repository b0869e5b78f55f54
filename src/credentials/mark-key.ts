import { randomBytes } from 'node:crypto'
import { onFailure } from '../errors.ts'
import { changeProfile, readSecrets, type SettingsPlace } from './keys.ts'
import { type Access, requireKey } from './profile.ts'

/**
 * The secret of a profile's marks, beside its key; undefined where none was made yet. The environment keeps
 * nothing: there it is the key itself, so that a change of it ends the comparison.
 */
export async function markSecret(place: SettingsPlace, access: Access): Promise<string | undefined> {
  if (access.kind === 'environment') return requireKey(access)
  return (await readSecrets(place, access.name)).marks?.secret
}

/** The secret of a profile's marks; made and stored where there is none. Throws as `changeProfile` does. */
export async function ensureMarkSecret(place: SettingsPlace, access: Access): Promise<string> {
  const known = await markSecret(place, access)
  if (known !== undefined) return known
  let secret = ''
  await changeProfile(place, access.name, (stored) => {
    // Another run may have made it meanwhile.
    secret = stored.secrets.marks?.secret ?? randomBytes(32).toString('base64url')
    return stored.secrets.marks ? stored : { ...stored, secrets: { ...stored.secrets, marks: { secret } } }
  })
  return secret
}

/** The secret that seals the history, which is that of the marks; undefined where none can be kept, and the history has no seal. */
export async function sealSecret(place: SettingsPlace, access: Access): Promise<string | undefined> {
  if (access.kind === 'sandbox') return 'sandbox'
  return ensureMarkSecret(place, access).catch(onFailure(() => undefined))
}
