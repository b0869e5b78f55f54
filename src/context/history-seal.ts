import type { SettingsPlace } from '../credentials/keys.ts'
import type { Access } from '../credentials/profile.ts'
import { onFailure } from '../errors.ts'

/** The secret of the marks; undefined where none can be kept, and the history has no seal. */
export async function sealSecret(place: SettingsPlace, profile: Access): Promise<string | undefined> {
  if (profile.kind === 'sandbox') return 'sandbox'
  const { ensureMarkSecret } = await import('../credentials/mark-key.ts')
  return ensureMarkSecret(place, profile).catch(onFailure(() => undefined))
}
