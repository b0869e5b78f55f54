import type { Context } from '../context/context.ts'
import { usage } from '../errors.ts'
import { checkBaseUrl } from '../profile/base-url.ts'
import { maskKey } from '../profile/key.ts'
import { keyStore } from '../profile/key-store.ts'
import { type Profile, profileNames, resolveProfile } from '../profile/resolve.ts'
import { changeSettings } from '../profile/settings.ts'
import { checkProfileName, type Settings } from '../profile/settings-shape.ts'
import type { Argument, Resource, Verb } from './kit/declare/verb.ts'

const nameArgument: Argument = { name: 'name', summary: 'production, development, or one of your own' }

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
    await change(context, (settings) => {
      if (profileNames(settings).includes(name)) return { ...settings, default: name }
      throw usage(`There is no profile ${name}. The profiles are: ${profileNames(settings).join(', ')}.`)
    })
    context.note(`The default profile is now ${name}.`)
  },
}

const set: Verb = {
  name: 'set',
  summary:
    'Create or change a profile: its address, its path prefix, its country, and whether writes ask first',
  arguments: [nameArgument],
  options: ['baseUrl', 'prefix', 'country', 'protected', 'unprotected'],
  examples: [
    'payroll profiles set production --base-url https://payroll.example.com',
    'payroll profiles set acme --base-url https://acme.example.com --protected',
    'payroll profiles set acme --country ireland',
  ],
  async run(context, { arguments: { name = '' }, options }) {
    checkProfileName(name)
    if (name === 'sandbox') throw usage('The sandbox has no settings: it runs inside this tool.')
    if (name === 'environment')
      throw usage('The name environment is reserved for PAYROLL_BASE_URL: choose another name.')
    const { baseUrl, prefix, country } = options
    if (options.protected && options.unprotected) {
      throw usage('--protected and --unprotected cannot be combined.')
    }
    const isEmpty = [baseUrl, prefix, country, options.protected, options.unprotected].every(
      (each) => each === undefined,
    )
    if (isEmpty) {
      throw usage(
        'There is nothing to set: give at least one option.',
        `payroll profiles set ${name} --base-url https://…`,
      )
    }
    if (prefix !== undefined && !/^[A-Za-z0-9_-]+$/.test(prefix))
      throw usage('The prefix must be one path segment, such as svc.')
    const url = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl)
    let isNewDefault = false
    let chosen: string | undefined = name
    await change(context, (settings) => {
      isNewDefault = settings.default === undefined
      chosen = settings.default ?? name
      const changed = {
        ...settings.profiles[name],
        ...(url && { baseUrl: url.href.replace(/\/$/, '') }),
        ...(prefix !== undefined && { prefix }),
        ...(country !== undefined && { country }),
        ...(options.protected && { protected: true }),
        ...(options.unprotected && { protected: false }),
      }
      // The first profile that is set up becomes the default.
      return {
        ...settings,
        default: settings.default ?? name,
        profiles: { ...settings.profiles, [name]: changed },
      }
    })
    const { key, token } = keyStore(await context.settings()).get(name)
    const held = key ?? token
    if (url && held && held.origin !== url.origin) {
      context.warn(
        `the stored key belongs to ${held.origin} and is not sent to ${url.origin}. To store a new key: payroll auth login --profile ${name}`,
      )
    }
    const which = isNewDefault
      ? 'It is the default profile now: commands without --profile use it.'
      : chosen === name
        ? 'It is the default profile.'
        : `The default profile is still ${chosen}.`
    context.note(`Saved the profile ${name}. ${which}`)
  },
}

const remove: Verb = {
  name: 'remove',
  summary: 'Remove a profile and its stored key',
  arguments: [nameArgument],
  examples: ['payroll profiles remove acme'],
  async run(context, { arguments: { name = '' } }) {
    let held = false
    await change(context, (settings) => {
      held = keyStore(settings).list().includes(name)
      if (!Object.hasOwn(settings.profiles, name) && !held) {
        throw usage(`There is no profile ${name} to remove.`, 'To list the profiles: payroll profiles list')
      }
      const { [name]: _profile, ...profiles } = settings.profiles
      const { default: chosen, ...others } = keyStore(settings).remove(name)
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

async function change(context: Context, by: (settings: Settings) => Settings): Promise<void> {
  for (const warning of await changeSettings(await context.directory(), by)) context.warn(warning)
}

function named(context: Context, name: string): Promise<Profile> {
  const { env } = context.host
  return resolveProfile({ flag: name, env, settings: context.settings, terminal: false })
}

/** A profile as a row: no key, only its last characters. */
function describe(settings: Settings, profile: Profile) {
  return {
    name: profile.name,
    default: settings.default === profile.name,
    baseUrl: profile.baseUrl ?? null,
    prefix: profile.prefix,
    country: profile.country ?? null,
    protected: profile.protected,
    key: profile.key === undefined ? null : maskKey(profile.key),
    keyWithheldFor: profile.keyWithheld ?? null,
    from: profile.source,
  }
}
