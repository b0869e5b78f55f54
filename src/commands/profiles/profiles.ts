import type { Resource, Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { authorizationOf, authorizationText } from '../../credentials/authorization.ts'
import type { KeyLocation } from '../../credentials/key-stores.ts'
import { type Profile, resolveProfile } from '../../credentials/resolve.ts'
import type { Settings } from '../../credentials/settings.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { profileNames } from '../../credentials/stored-profile.ts'
import { usage } from '../../errors.ts'
import { maskAs } from '../../secrets/mask.ts'
import { changeProfileKeys, changeProfiles, nameArgument, set } from './set-profile.ts'

const list: Verb = {
  name: 'list',
  summary: 'List the profiles, and which one is the default',
  examples: ['payroll profiles list'],
  async run(context) {
    const settings = await context.settings()
    const all = await Promise.all(profileNames(settings).map((name) => named(context, name)))
    const rows = all.map((profile) => describe(settings, profile))
    await context.output.list(rows, { columns: ['name', 'default', 'baseUrl', 'protected', 'key'] })
  },
}

const show: Verb = {
  name: 'show',
  summary: 'Show a profile, by default the one in use, and where each value comes from',
  arguments: [{ ...nameArgument, optional: true }],
  examples: ['payroll profiles show', 'payroll profiles show production'],
  async run(context, { arguments: { name } }) {
    const settings = await context.settings()
    const profile = name === undefined ? await context.profile() : await named(context, name)
    await context.output.record(describe(settings, profile))
  },
}

const use: Verb = {
  name: 'use',
  summary: 'Make a profile the default',
  arguments: [nameArgument],
  examples: ['payroll profiles use production'],
  async run(context, { arguments: { name = '' } }) {
    await changeProfiles(context, (settings) => {
      if (profileNames(settings).includes(name)) return { ...settings, default: name }
      throw usage(`There is no profile ${name}. The profiles are: ${profileNames(settings).join(', ')}.`)
    })
    context.note(`The default profile is now ${name}.`)
  },
}

const remove: Verb = {
  name: 'remove',
  summary: 'Remove a profile and its stored key',
  arguments: [nameArgument],
  examples: ['payroll profiles remove acme'],
  async run(context, { arguments: { name = '' } }) {
    let held = false
    await changeProfileKeys(context, name, (settings) => {
      const { key, token } = credentialsIn(settings).get(name)
      held = key !== undefined || token !== undefined
      if (!Object.hasOwn(settings.profiles, name) && !credentialsIn(settings).list().includes(name)) {
        throw usage(`There is no profile ${name} to remove.`, 'To list the profiles: payroll profiles list')
      }
      const { [name]: _profile, ...profiles } = settings.profiles
      const { default: chosen, ...others } = credentialsIn(settings).remove(name)
      return {
        ...others,
        ...(chosen !== undefined && chosen !== name && { default: chosen }),
        profiles,
      }
    })
    const still = held ? ' Its key still works at the service until it is revoked there.' : ''
    context.note(`Removed the profile ${name} from this computer.${still}`)
  },
}

export const profiles: Resource = { verbs: [list, show, use, set, remove] }

function named(context: Context, name: string): Promise<Profile> {
  const { env } = context.host
  return resolveProfile({ flag: name, env, settings: context.settings, terminal: false })
}

/** A profile as a row: no key, only its last characters. */
function describe(settings: Settings, profile: Profile) {
  const location: KeyLocation = profile.keyLocation ?? { in: 'file' }
  return {
    name: profile.name,
    default: settings.default === profile.name,
    baseUrl: profile.baseUrl ?? null,
    prefix: profile.prefix,
    country: profile.country ?? null,
    journal: profile.journal ?? null,
    protected: profile.protected,
    readOnly: profile.readOnly !== undefined,
    authorization: authorizationText(authorizationOf(profile)),
    key: profile.key === undefined ? null : maskAs('key', profile.key),
    keyStore: location.in === 'command' ? null : location.in,
    keyCommand: location.in === 'command' ? location.command : null,
    keyCommandTimeout: (location.in === 'command' ? location.timeoutSeconds : undefined) ?? null,
    keyWithheldFor: profile.keyWithheld ?? null,
    from: profile.source,
  }
}
