import { resolve } from 'node:path'
import { choice, flag, integer, number, object, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { type OptionName, type Options, optionWord } from '../cli/options.ts'
import type { Argument, Resource, Verb } from '../cli/verb.ts'
import type { Context } from '../context/context.ts'
import { authorizationOf, authorizationText, readAuthorization } from '../credentials/authorization.ts'
import { checkBaseUrl, checkBrowserAddress, storedUrl } from '../credentials/base-url.ts'
import { changeSettings } from '../credentials/change-settings.ts'
import { isOutsideStore, type KeyLocation, storesToChoose } from '../credentials/key-stores.ts'
import { type Profile, resolveProfile } from '../credentials/resolve.ts'
import type { Settings, StoredProfile } from '../credentials/settings.ts'
import { type CertificateFiles, checkProfileName } from '../credentials/settings-shape.ts'
import { credentialsIn } from '../credentials/stored-credentials.ts'
import { profileNames } from '../credentials/stored-profile.ts'
import { usage } from '../errors.ts'
import { maskAs } from '../secrets.ts'
import { readSharedJournalAddress } from '../shared-journal/shared-journal.ts'

/** A profile: no key, only its last characters. */
const profileFields = {
  name: text('Name'),
  default: flag('Whether it is the default'),
  baseUrl: text('Base address', { nullable: true }),
  prefix: text('First segment of every path'),
  country: text('Country of commands that name none', { nullable: true }),
  journal: text('Address of its shared journal', { nullable: true }),
  protected: flag('Whether writes are confirmed'),
  readOnly: flag('Whether writes are refused'),
  authorization: text('How the key is presented'),
  key: text('Key', { nullable: true, help: 'Masked.' }),
  keyStore: choice('Where its key lies', storesToChoose, { nullable: true }),
  keyCommand: text('Command that prints its key', { nullable: true }),
  keyCommandTimeout: integer('Seconds that the command may take', { nullable: true }),
  keyWithheldFor: text('Origin that the stored key is for, where it is not sent', { nullable: true }),
  emptyFields: text('What the service means by leaving a field out: left-out, hidden or ask'),
  rate: number('Requests a second, at most', { nullable: true }),
  payDay: text('Pay day', { nullable: true }),
  certificateAuthority: text('File of the authority of its certificate', { nullable: true }),
  clientCertificate: text('File of the client certificate', { nullable: true }),
  clientKey: text('File of the key of that certificate', { nullable: true }),
  from: object('Where each comes from', {
    profile: text('Profile'),
    baseUrl: text('Base address'),
    key: text('Key'),
  }),
}

const nameArgument: Argument = {
  name: 'name',
  summary: 'production, development, or one of your own',
}

const settable: readonly OptionName[] = [
  'baseUrl',
  'prefix',
  'country',
  'journal',
  'payDay',
  'authorization',
  'authorizeUrl',
  'certificateAuthority',
  'clientCertificate',
  'clientKey',
  'keyStore',
  'keyCommand',
  'keyCommandTimeout',
  'history',
  'emptyFields',
  'protected',
  'unprotected',
  'readOnly',
  'writable',
]

const set: Verb = {
  name: 'set',
  localEffect: 'changed',
  summary:
    'Create or change a profile: its address, its path prefix, its country, its shared journal, its certificates, how its key is presented, and whether writes ask first or are refused',
  arguments: [nameArgument],
  options: settable,
  examples: [
    'payroll profiles set production --base-url https://payroll.example.com',
    'payroll profiles set acme --base-url https://acme.example.com --protected',
    'payroll profiles set acme --country ireland',
    'payroll profiles set acme --journal postgres://payroll@db.example.com/payroll',
    'payroll profiles set partner --base-url https://partner.example.com --certificate-authority ca.pem',
    'payroll profiles set reports --base-url https://payroll.example.com --read-only',
    'payroll profiles set acme --authorization "Bearer {token}"',
    'payroll profiles set acme --rate 2',
    'payroll profiles set acme --pay-day friday',
    'payroll profiles set acme --empty-fields left-out',
  ],
  notes: [
    'With --rate, for a service that limits, every command spaces its requests out. Typed with another command it counts for that run; 0 takes it away.',
  ],
  answer: { prints: 'nothing' },
  async run(context, { arguments: { name = '' }, options }) {
    const changes = await readChanges(context, name, options)
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
      const keepsCommand = command !== undefined && options.keyCommand === undefined && !options.keyStore
      const hasCommand = keepsCommand || changes.keyCommand !== undefined
      const profile = withoutEmpty({
        ...profileBefore,
        ...(keepsCommand && { keyCommand: command }),
        ...(hasCommand && keyCommandTimeout !== undefined && { keyCommandTimeout }),
        ...changes,
      })
      return {
        // What the command prints replaces what was stored: nothing of that is left.
        ...(forgets ? credentialsIn(settings).signOut(name) : settings),
        default: settings.default ?? name,
        profiles: { ...settings.profiles, [name]: profile },
      }
    })
    if (options.emptyFields !== undefined)
      await (await context.knowledgeOf(await named(context, name))).forget()
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

/** What the options change of a profile, tried where they can be. Throws a Failure. */
async function readChanges(context: Context, name: string, options: Options): Promise<StoredProfile> {
  checkProfileName(name)
  if (name === 'sandbox') throw usage('The sandbox has no settings: it runs inside this tool.')
  if (name === 'environment')
    throw usage('The name environment is reserved for PAYROLL_BASE_URL: choose another name.')
  const { rate } = context.options
  if (rate === undefined && settable.every((each) => options[each] === undefined)) {
    throw usage(
      'There is nothing to set: give at least one option.',
      `payroll profiles set ${name} --base-url https://…`,
    )
  }
  const changes = { ...changesOf(options), ...(rate !== undefined && { rate }) }
  await assertUsable(context, name, options, changes)
  return changes
}

/** Tries a new place for the key before the settings name it. Throws a Failure. */
async function assertUsable(
  context: Context,
  name: string,
  { keyStore, keyCommand, keyCommandTimeout }: Options,
  changes: StoredProfile,
): Promise<void> {
  if (keyStore !== undefined && keyCommand)
    throw usage('--key-store and --key-command are two places for a key: use one of them.')
  const stored = (await context.settings()).profiles[name]
  if (keyCommandTimeout !== undefined && !keyCommand) {
    const keepsCommand = stored?.keyCommand !== undefined && keyCommand !== '' && keyStore === undefined
    if (!keepsCommand) {
      throw usage(`--key-command-timeout is for a key command, and ${name} has none.`)
    }
  }
  await assertCertificates(context, name, stored ?? {}, changes)
  const { env, secrets } = context.host
  if (keyCommand) {
    const { keyFromCommand } = await import('../credentials/key-command.ts')
    secrets.hide(await keyFromCommand(keyCommand, env, keyCommandTimeout ?? stored?.keyCommandTimeout))
  }
  if (isOutsideStore(keyStore)) {
    const { checkStore } = await import('../credentials/stored-keys.ts')
    await checkStore({ directory: context.directory, env }, name, keyStore)
  }
}

/**
 * Reads the certificates that a profile would have, and says what becomes of a client certificate whose profile gets another
 * address. Throws a usage failure for files that could not be used.
 */
async function assertCertificates(
  context: Context,
  name: string,
  stored: StoredProfile,
  changes: StoredProfile,
): Promise<void> {
  const profile = withoutEmpty({ ...stored, ...changes })
  const { baseUrl, certificateAuthority, clientCertificate, clientKey } = profile
  const isTyped = certificateFiles.some((each) => changes[each])
  if (clientKey && !clientCertificate) {
    throw usage(
      `A client key needs its certificate, and ${name} has none.`,
      `payroll profiles set ${name} --client-certificate <file> --client-key <file>`,
    )
  }
  if (!certificateAuthority && !clientCertificate) return
  if (baseUrl === undefined) {
    throw usage(
      `Certificates are for the address of a profile, and ${name} has none yet.`,
      'Add it: --base-url https://…',
    )
  }
  if (!isTyped && changes.baseUrl === undefined) return
  if (!baseUrl.startsWith('https:')) {
    const none = certificateFiles.filter((each) => stored[each]).map((each) => `${optionWord(each)} none`)
    throw usage(
      `${baseUrl} is no https address, so the certificates of ${name} would have no effect.`,
      none.length > 0 ? `To take them away, add ${none.join(' ')}.` : 'Leave them out.',
    )
  }
  const { openMode, readCertificates } = await import('../credentials/certificates.ts')
  const { client } = await readCertificates(name, profile, context.host)
  const mode = client && (await openMode(client.keyFile))
  if (mode !== undefined)
    context.warn(
      `${client?.keyFile} has the key of a client certificate and is open to other users, mode ${mode}. Close it: chmod 600 '${client?.keyFile}'`,
    )
  const before = stored.baseUrl && new URL(stored.baseUrl).origin
  const { origin } = new URL(baseUrl)
  if (client && !changes.clientCertificate && before && before !== origin)
    context.warn(
      `the client certificate of ${name} goes to ${origin} from now on, and no longer to ${before}. To take it away: payroll profiles set ${name} --client-certificate none`,
    )
}

const certificateFiles = [
  'certificateAuthority',
  'clientCertificate',
  'clientKey',
] as const satisfies readonly (keyof CertificateFiles)[]

/** The path of a file, whole, so that it is the same from every folder; empty for a file that is taken away. */
const wholePath = (path: string) => (path === '' || path === 'none' ? '' : resolve(path))

/** A profile without the files and the rate that were taken away. */
function withoutEmpty(profile: StoredProfile): StoredProfile {
  const gone = [
    ...certificateFiles.filter((each) => profile[each] === ''),
    ...(profile.rate === 0 ? ['rate'] : []),
    ...(profile.payDay === 'none' ? ['payDay'] : []),
  ]
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !gone.some((each) => each === name)))
}

/** What the options change of a profile. Throws a usage failure for one that cannot be used. */
function changesOf(options: Options): StoredProfile {
  const { baseUrl, prefix, country, journal, authorization, authorizeUrl } = options
  const files = certificateFiles.flatMap((each): [string, string][] => {
    const path = options[each]
    return path === undefined ? [] : [[each, wholePath(path)]]
  })
  if (prefix !== undefined && !/^[A-Za-z0-9_-]+$/.test(prefix))
    throw usage('The prefix must be one path segment, such as svc.')
  return {
    ...(baseUrl !== undefined && { baseUrl: storedUrl(checkBaseUrl(baseUrl)) }),
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
    // Without its certificate a key is of no use.
    ...(options.clientCertificate !== undefined &&
      !wholePath(options.clientCertificate) && { clientKey: '' }),
    ...Object.fromEntries(files),
    ...(options.keyStore !== undefined && { keyStore: options.keyStore }),
    ...(options.keyCommand && { keyCommand: options.keyCommand }),
    ...(options.keyCommandTimeout !== undefined && { keyCommandTimeout: options.keyCommandTimeout }),
    ...(options.history !== undefined && { history: readHistoryMode(options.history) }),
    ...(options.payDay !== undefined && { payDay: options.payDay }),
    ...(options.emptyFields !== undefined && { emptyFields: options.emptyFields }),
    ...(options.protected && { protected: true }),
    ...(options.unprotected && { protected: false }),
    ...(options.readOnly && { readOnly: true }),
    ...(options.writable && { readOnly: false }),
  }
}

/** What the history keeps: a number of days, `names` or `off`. Throws a usage failure for anything else. */
function readHistoryMode(text: string): string {
  if (text === 'names' || text === 'off' || /^[1-9]\d{0,3}$/.test(text)) return text
  throw usage(`--history takes a number of days, names or off, and not ${text}.`)
}

/** Writes the settings, and shows their warnings. */
async function changeProfiles(context: Context, by: (settings: Settings) => Settings): Promise<void> {
  for (const warning of await changeSettings(await context.directory(), by)) context.warn(warning)
}

/** The same with the credentials of one profile, wherever they lie. */
async function changeProfileKeys(
  context: Context,
  name: string,
  by: (settings: Settings) => Settings,
): Promise<void> {
  const { changeKeys } = await import('../credentials/stored-keys.ts')
  const place = { directory: context.directory, env: context.host.env }
  for (const warning of await changeKeys(place, name, by)) context.warn(warning)
}

const list: Verb = {
  name: 'list',
  isLocal: true,
  summary: 'List the profiles, and which one is the default',
  examples: ['payroll profiles list'],
  answer: { prints: 'json', shapes: [{ list: true, fields: profileFields }] },
  async run(context) {
    const settings = await context.settings()
    const all = await Promise.all(profileNames(settings).map((name) => named(context, name)))
    const rows = all.map((profile) => describe(settings, profile))
    await context.output.list(rows, { columns: ['name', 'default', 'baseUrl', 'protected', 'key'] })
  },
}

const show: Verb = {
  name: 'show',
  isLocal: true,
  summary: 'Show a profile, by default the one in use, and where each value comes from',
  arguments: [{ ...nameArgument, optional: true }],
  answer: { prints: 'json', shapes: [{ fields: profileFields }] },
  examples: ['payroll profiles show', 'payroll profiles show production'],
  async run(context, { arguments: { name } }) {
    const settings = await context.settings()
    const profile = name === undefined ? await context.profile() : await named(context, name)
    await context.output.record({ ...describe(settings, profile) })
  },
}

const use: Verb = {
  name: 'use',
  isLocal: true,
  localEffect: 'changed',
  summary: 'Make a profile the default',
  arguments: [nameArgument],
  answer: { prints: 'nothing' },
  examples: ['payroll profiles use production'],
  async run(context, { arguments: { name = '' } }) {
    await changeProfiles(context, (settings) => {
      if (profileNames(settings).includes(name)) return { ...settings, default: name }
      throw usage(
        `There is no profile ${name}. The profiles are: ${profileNames(settings).join(', ')}.`,
        'To set up another: payroll profiles set <name> --base-url https://…',
      )
    })
    context.note(`The default profile is now ${name}.`)
  },
}

const remove: Verb = {
  name: 'remove',
  isLocal: true,
  deletes: true,
  localEffect: 'changed',
  summary: 'Remove a profile and its stored key',
  arguments: [nameArgument],
  answer: { prints: 'nothing' },
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
function describe(settings: Settings, profile: Profile): ValuesOf<typeof profileFields> {
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
    emptyFields: profile.emptyFields ?? 'ask',
    rate: profile.rate ?? null,
    payDay: settings.profiles[profile.name]?.payDay ?? null,
    certificateAuthority: profile.certificates?.certificateAuthority ?? null,
    clientCertificate: profile.certificates?.clientCertificate ?? null,
    clientKey: profile.certificates?.clientKey ?? null,
    from: profile.source,
  }
}
