import type { Context } from '../../context/context.ts'
import { withKnownKey } from '../../credentials/keys.ts'
import { resolveProfile } from '../../credentials/resolve.ts'
import { readSettings } from '../../credentials/settings.ts'
import { onFailure } from '../../errors.ts'

/**
 * Warns where the environment counts before the default profile, or before its stored key. Somebody who has just chosen the
 * profile, or signed in to it, would write to another company unawares. `name`: the profile; nothing is said of others.
 */
export async function warnOfEnvironment({ host, place, warn }: Context, name: string): Promise<void> {
  const { env, secrets } = host
  const { settings: stored } = await readSettings(await place.directory())
  if (stored.default !== name) return
  const settings = async () => stored
  // What cannot be used sends nothing to another company, and what was changed is changed.
  const unusable = onFailure(() => undefined)
  const profile = await resolveProfile({ flag: undefined, env, settings, terminal: false }).catch(unusable)
  if (!profile) return
  const countsFirst = (variable: string, then: string) =>
    warn(`${variable} is set here and counts first: commands without --profile ${then}.`)
  if (profile.name !== name) {
    const instead = profile.kind === 'environment' ? profile.origin : profile.name
    return countsFirst(env.PAYROLL_PROFILE ? 'PAYROLL_PROFILE' : 'PAYROLL_BASE_URL', `use ${instead}`)
  }
  const access = await withKnownKey(profile, { ...place, settings, hide: secrets.hide }).catch(unusable)
  if (access?.keyFrom === 'environment') countsFirst('PAYROLL_API_KEY', 'send its key')
}
