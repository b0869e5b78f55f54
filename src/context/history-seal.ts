import type { SettingsPlace } from '../credentials/keys.ts'
import type { Access } from '../credentials/profile.ts'
import { onFailure } from '../errors.ts'

/**
 * The secret that a profile seals its history with: that of its marks, made where there is none. Undefined where none can be kept;
 * then the lines have no seal. What the sandbox holds is made up, and so is its secret.
 */
export async function sealSecret(place: SettingsPlace, profile: Access): Promise<string | undefined> {
  if (profile.kind === 'sandbox') return 'sandbox'
  const { ensureMarkSecret } = await import('../credentials/mark-key.ts')
  return ensureMarkSecret(place, profile).catch(onFailure(() => undefined))
}
