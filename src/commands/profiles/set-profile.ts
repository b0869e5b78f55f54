import type { OptionName, Options } from '../../cli/options.ts'
import type { Argument, Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { authorizationText, readAuthorization } from '../../credentials/authorization.ts'
import { checkBaseUrl } from '../../credentials/base-url.ts'
import { checkBrowserAddress } from '../../credentials/browser-address.ts'
import { isOutsideStore } from '../../credentials/key-stores.ts'
import { changeSettings, type Settings, type StoredProfile } from '../../credentials/settings.ts'
import { checkProfileName } from '../../credentials/settings-shape.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { usage } from '../../errors.ts'
import { readSharedJournalAddress } from '../../shared-journal/address.ts'

export const nameArgument: Argument = {
  name: 'name',
  summary: 'production, development, or one of your own',
}

const settable: readonly OptionName[] = [
  'baseUrl',
  'prefix',
  'country',
  'journal',
  'authorization',
  'authorizeUrl',
  'keyStore',
  'keyCommand',
  'keyCommandTimeout',
  'protected',
  'unprotected',
  'readOnly',
  'writable',
]

export const set: Verb = {
  name: 'set',
  summary:
    'Create or change a profile: its address, its path prefix, its country, its shared journal, how its key is presented, and whether writes ask first or are refused',
  arguments: [nameArgument],
  options: settable,
  examples: [
    'payroll profiles set production --base-url https://payroll.example.com',
    'payroll profiles set acme --base-url https://acme.example.com --protected',
    'payroll profiles set acme --country ireland',
    'payroll profiles set acme --journal postgres://payroll@db.example.com/payroll',
    'payroll profiles set reports --base-url https://payroll.example.com --read-only',
    'payroll profiles set acme --authorization "Bearer {token}"',
  ],
  async run(context, { arguments: { name = '' }, options }) {
    checkProfileName(name)
    if (name === 'sandbox') throw usage('The sandbox has no settings: it runs inside this tool.')
    if (name === 'environment')
      throw usage('The name environment is reserved for PAYROLL_BASE_URL: choose another name.')
    if (settable.every((each) => options[each] === undefined)) {
      throw usage(
        'There is nothing to set: give at least one option.',
        `payroll profiles set ${name} --base-url https://…`,
      )
    }
    const changes = changesOf(options)
    await assertUsable(context, name, options)
    const forgets = changes.keyCommand !== undefined
    let hadKey = false
    let isNewDefault = false
    let chosen: string | undefined = name
    await changeProfileKeys(context, name, (before) => {
      const settings = changes.journal === '' ? credentialsIn(before).forgetDatabasePassword(name) : before
      const held = credentialsIn(settings).get(name)
      hadKey = held.key !== undefined || held.token !== undefined
      isNewDefault = settings.default === undefined
      chosen = settings.default ?? name
      // The first profile that is set up becomes the default.
      const { keyCommand: command, keyCommandTimeout, ...profileBefore } = settings.profiles[name] ?? {}
      const kept = command !== undefined && options.keyCommand === undefined && !options.keyStore
      const hasCommand = kept || changes.keyCommand !== undefined
      const profile = {
        ...profileBefore,
        ...(kept && { keyCommand: command }),
        ...(hasCommand && keyCommandTimeout !== undefined && { keyCommandTimeout }),
        ...changes,
      }
      return {
        // What the command prints replaces what was stored: nothing of that is left.
        ...(forgets ? credentialsIn(settings).signOut(name) : settings),
        default: settings.default ?? name,
        profiles: { ...settings.profiles, [name]: profile },
      }
    })
    if (forgets && hadKey) context.note(`Removed the stored key of ${name}: the key command takes its place.`)
    const { key, token } = credentialsIn(await context.settings()).get(name)
    const held = key ?? token
    const origin = changes.baseUrl && new URL(changes.baseUrl).origin
    if (origin && held && held.origin !== origin) {
      context.warn(
        `the stored key belongs to ${held.origin} and is not sent to ${origin}. To store a new key: payroll auth login --profile ${name}`,
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

/** Tries a new place for the key before the settings name it. Throws a Failure; nothing is changed. */
async function assertUsable(
  context: Context,
  name: string,
  { keyStore, keyCommand, keyCommandTimeout }: Options,
): Promise<void> {
  if (keyStore !== undefined && keyCommand)
    throw usage('--key-store and --key-command are two places for a key: use one of them.')
  const stored = (await context.settings()).profiles[name]
  if (keyCommandTimeout !== undefined && !keyCommand) {
    const keepsCommand = stored?.keyCommand !== undefined && keyCommand !== '' && keyStore === undefined
    if (!keepsCommand) {
      throw usage(`--key-command-timeout is for a key command, and ${name} has none. Nothing was changed.`)
    }
  }
  const { env, secrets } = context.host
  if (keyCommand) {
    const { keyFromCommand } = await import('../../credentials/key-command.ts')
    secrets.hide(await keyFromCommand(keyCommand, env, keyCommandTimeout ?? stored?.keyCommandTimeout))
  }
  if (isOutsideStore(keyStore)) {
    const { checkStore } = await import('../../credentials/stored-keys.ts')
    await checkStore({ directory: context.directory, env }, name, keyStore)
  }
}

/** What the options change of a profile. Throws a usage failure for one that cannot be used. */
function changesOf(options: Options): StoredProfile {
  const { baseUrl, prefix, country, journal, authorization, authorizeUrl } = options
  if (prefix !== undefined && !/^[A-Za-z0-9_-]+$/.test(prefix))
    throw usage('The prefix must be one path segment, such as svc.')
  return {
    ...(baseUrl !== undefined && { baseUrl: checkBaseUrl(baseUrl).href.replace(/\/$/, '') }),
    ...(prefix !== undefined && { prefix }),
    ...(country !== undefined && { country }),
    ...(journal !== undefined && {
      journal: journal === 'none' ? '' : readSharedJournalAddress(journal, '--journal').text,
    }),
    ...(authorization !== undefined && {
      authorization: authorizationText(readAuthorization(authorization, '--authorization')),
    }),
    ...(authorizeUrl !== undefined && {
      authorizeUrl: checkBrowserAddress(authorizeUrl, '--authorize-url').href,
    }),
    ...(options.keyStore !== undefined && { keyStore: options.keyStore }),
    ...(options.keyCommand && { keyCommand: options.keyCommand }),
    ...(options.keyCommandTimeout !== undefined && { keyCommandTimeout: options.keyCommandTimeout }),
    ...(options.protected && { protected: true }),
    ...(options.unprotected && { protected: false }),
    ...(options.readOnly && { readOnly: true }),
    ...(options.writable && { readOnly: false }),
  }
}

/** Writes the settings, and shows their warnings. */
export async function changeProfiles(context: Context, by: (settings: Settings) => Settings): Promise<void> {
  for (const warning of await changeSettings(await context.directory(), by)) context.warn(warning)
}

/** The same with the credentials of one profile, wherever they lie. */
export async function changeProfileKeys(
  context: Context,
  name: string,
  by: (settings: Settings) => Settings,
): Promise<void> {
  const { changeKeys } = await import('../../credentials/stored-keys.ts')
  const place = { directory: context.directory, env: context.host.env }
  for (const warning of await changeKeys(place, name, by)) context.warn(warning)
}
