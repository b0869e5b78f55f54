import { resolve } from 'node:path'
import type { Context } from '../context/context.ts'
import { authorizationOf, authorizationText, readAuthorization } from '../credentials/authorization.ts'
import { checkBaseUrl, storedUrl } from '../credentials/base-url.ts'
import { type StoredProfileKeys, withKnownKey } from '../credentials/keys.ts'
import type { Access, Profile } from '../credentials/profile.ts'
import { keyStores } from '../credentials/profile-words.ts'
import {
  checkProfileName,
  profileNames,
  protectedNames,
  resolveProfile,
  storedProfileOf,
} from '../credentials/resolve.ts'
import {
  namesWithSecrets,
  readSettings,
  type StoredProfile,
  secretsOf,
  withChanges,
} from '../credentials/settings.ts'
import { usage } from '../errors.ts'
import { readSharedJournalAddress } from '../import/shared-journal/shared-journal.ts'
import { choice, type Field, type Fields, flag, object, text, type ValuesOf } from '../model/fields/field.ts'
import { maskAs } from '../secrets.ts'
import { capital } from '../text/words.ts'
import type { OptionName, Options } from './cli/options.ts'
import type { Argument, Input, Resource, Verb } from './cli/verb.ts'
import { assertCertificates } from './kit/assert-certificates.ts'
import { confirmRemoval } from './kit/confirm.ts'
import { warnOfEnvironment } from './kit/warn-of-environment.ts'

/** What is stored of a profile, but for what has commands of its own. The compiler asks for a field for each. */
type FieldOfEachSetting = Fields & Readonly<Record<Exclude<keyof StoredProfile, 'routes'>, Field>>

const profileFields = {
  name: text('Name'),
  default: flag('Default'),
  baseUrl: text('Base address', { nullable: true }),
  prefix: text('First segment of every path'),
  country: text('Country of commands that name none', { nullable: true }),
  journal: text('Address of its shared journal', { nullable: true }),
  protected: flag('Protected', { help: 'Writes are confirmed.' }),
  readOnly: flag('Whether writes are refused'),
  authorization: text('How the key is presented'),
  key: text('Key', { nullable: true, help: 'Masked.' }),
  keyStore: choice('Where its key lies', keyStores),
  keyWithheldFor: text('Origin that the stored key is for, where it is not sent', { nullable: true }),
  emptyFields: text('What it means where the service does not show a field: left-out, hidden or ask'),
  payDay: text('Pay day', { nullable: true }),
  history: text('What this computer remembers of its writes: a number of days, names or off', {
    nullable: true,
  }),
  certificateAuthority: text('File of the authority of its certificate', { nullable: true }),
  clientCertificate: text('File of the client certificate', { nullable: true }),
  clientKey: text('File of the key of that certificate', { nullable: true }),
  from: object('Where each comes from', {
    profile: text('Profile'),
    baseUrl: text('Base address'),
    key: text('Key'),
  }),
} satisfies FieldOfEachSetting

const nameArgument: Argument = {
  name: 'name',
  summary: 'production, development, or one of your own',
}

/** The profile that a command is about. Throws a usage failure for a --profile that names another: it would have no effect. */
function nameIn({ options }: Context, { arguments: { name = '' } }: Input): string {
  if (options.profile === undefined || options.profile === name) return name
  throw usage(`This command is about the profile ${name}, so --profile has no effect: leave it out.`)
}

/** What a text says; undefined for a value that is taken away. */
const unlessNone = (text: string, read: (text: string) => string) =>
  text === 'none' ? undefined : read(text)

/** The absolute path of a file. */
const fileOrNone = (path: string) => unlessNone(path, (file) => resolve(file))

/** The change that each option makes to a profile. An undefined member takes a value away. Throws for a bad value. */
const settable: { readonly [Name in OptionName]?: (value: NonNullable<Options[Name]>) => StoredProfile } = {
  baseUrl: (text) => ({ baseUrl: storedUrl(checkBaseUrl(text)) }),
  prefix(text) {
    if (/^[A-Za-z0-9_-]+$/.test(text)) return { prefix: text }
    throw usage('The prefix must be one path segment, such as svc.')
  },
  country: (country) => ({ country }),
  journal: (text) => ({
    journal: unlessNone(text, (address) => readSharedJournalAddress(address, '--journal').text),
  }),
  authorization: (text) => ({ authorization: authorizationText(readAuthorization(text, '--authorization')) }),
  certificateAuthority: (path) => ({ certificateAuthority: fileOrNone(path) }),
  // Without its certificate a key is of no use.
  clientCertificate: (path) =>
    fileOrNone(path)
      ? { clientCertificate: fileOrNone(path) }
      : { clientCertificate: undefined, clientKey: undefined },
  clientKey: (path) => ({ clientKey: fileOrNone(path) }),
  keyStore: (keyStore) => ({ keyStore }),
  payDay: (day) => ({ payDay: unlessNone(day, (word) => word) }),
  history(text) {
    if (text === 'names' || text === 'off' || /^[1-9]\d{0,3}$/.test(text)) return { history: text }
    throw usage(`--history takes a number of days, names or off, and not ${text}.`)
  },
  emptyFields: (emptyFields) => ({ emptyFields }),
  protected: () => ({ protected: true }),
  unprotected: () => ({ protected: false }),
  readOnly: () => ({ readOnly: true }),
  writable: () => ({ readOnly: false }),
}

/** What becomes of writes: too much depends on it to say only that the profile was saved. */
const writesThen: { readonly [Name in OptionName]?: string } = {
  protected: 'writes ask first, and need --yes in a script',
  unprotected: 'writes are sent without a question',
  readOnly: 'writes are refused',
  writable: 'writes are no longer refused',
}

const set: Verb = {
  name: 'set',
  localEffect: 'changed',
  summary:
    'Create or change a profile: its address, country, certificates and journal, and whether writes ask first',
  arguments: [nameArgument],
  options: Object.keys(settable) as OptionName[],
  examples: [
    'payroll profiles set production --base-url https://payroll.example.com',
    'payroll profiles set acme --country ireland',
    'payroll profiles set acme --journal postgres://payroll@db.example.com/payroll',
    'payroll profiles set partner --base-url https://partner.example.com --certificate-authority ca.pem',
    'payroll profiles set acme --authorization "Bearer {token}"',
    'payroll profiles set acme --pay-day friday',
    'payroll profiles set acme --empty-fields left-out',
  ],
  answer: { prints: 'nothing' },
  async run(context, input) {
    const { options } = input
    const name = nameIn(context, input)
    const changes = readChanges(name, options)
    const settings = await context.settings()
    const before = settings.profiles[name] ?? {}
    // Production beside production would be another service, without its protection.
    const alike = profileNames(settings).find((each) => each.toLowerCase() === name.toLowerCase())
    if (alike !== undefined && alike !== name && settings.profiles[name] === undefined)
      throw usage(
        `There is a profile ${alike} already: choose a name that differs by more than its capitals.`,
      )
    await assertCertificates(context, name, before, changes)
    let after: StoredProfileKeys | undefined
    await context.changeProfile(name, (stored) => {
      after = {
        profile: { ...stored.profile, ...changes },
        secrets:
          'journal' in changes && !changes.journal
            ? { ...stored.secrets, journal: undefined }
            : stored.secrets,
        // The first profile that is set up becomes the default.
        default: stored.default ?? name,
      }
      return after
    })
    // Without an address, nothing was learned of the service.
    if (options.emptyFields !== undefined && before.baseUrl !== undefined)
      await (await context.knowledgeOf(await resolveNamed(context, name))).forget()
    const credential = after?.secrets.key ?? after?.secrets.token
    const origin = changes.baseUrl && new URL(changes.baseUrl).origin
    if (origin && credential && credential.origin !== origin) {
      context.warn(
        `the stored key belongs to ${credential.origin} and is not sent to ${origin}. To store a new key: payroll auth login --profile ${name}`,
      )
    }
    // Its address may be that of another profile, which is protected.
    const now = async () => withChanges(settings, name, changes)
    const because = options.unprotected && (await resolveNamed(context, name, now)).protectedBecause
    const then = because
      ? [`writes still ask first, because ${because}`]
      : Object.entries(writesThen).flatMap(([option, says]) =>
          options[option as OptionName] === undefined ? [] : [says],
        )
    const effect = then.length > 0 ? `: ${then.join('; ')}` : ''
    context.note(`Saved the profile ${name}${effect}. Commands without --profile use ${after?.default}.`)
    await warnOfOthers(context, name)
    await warnOfEnvironment(context, name)
  },
}

/** Warns of other profiles that were protected only because this one, which was changed, had their address. */
async function warnOfOthers(context: Context, name: string): Promise<void> {
  const { settings } = await readSettings(await context.directory())
  const still = protectedNames(settings)
  for (const other of protectedNames(await context.settings()))
    if (other !== name && !still.includes(other))
      context.warn(
        `writes to ${other} do not ask first any more: only ${name} protected its address. To protect it: payroll profiles set ${other} --protected`,
      )
}

function readChanges(name: string, options: Options): StoredProfile {
  checkProfileName(name)
  const plain = name.toLowerCase()
  if (plain === 'sandbox') throw usage('The sandbox has no settings: it runs inside this tool.')
  if (plain === 'environment')
    throw usage('The name environment is reserved for PAYROLL_BASE_URL: choose another name.')
  const changes = Object.entries(settable).flatMap(([option, readOption]) => {
    const value = options[option as OptionName]
    return value === undefined ? [] : [(readOption as (value: unknown) => StoredProfile)(value)]
  })
  if (changes.length > 0) return Object.assign({}, ...changes)
  throw usage(
    'There is nothing to set: give at least one option.',
    `payroll profiles set ${name} --base-url https://…`,
  )
}

const list: Verb = {
  name: 'list',
  isLocal: true,
  summary: 'List the profiles, and which one is the default',
  examples: ['payroll profiles list'],
  answer: { prints: 'json', shapes: [{ list: true, fields: profileFields }] },
  async run(context) {
    const names = profileNames(await context.settings())
    const rows = await Promise.all(
      names.map(async (name) => describeProfile(context, await resolveNamed(context, name))),
    )
    const columns = ['name', 'default', 'baseUrl', 'protected', 'key']
    await context.output.list(rows, { fields: profileFields, columns })
  },
}

const show: Verb = {
  name: 'show',
  isLocal: true,
  summary: 'Show a profile, by default the one in use, and where each value comes from',
  arguments: [{ ...nameArgument, optional: true }],
  answer: { prints: 'json', shapes: [{ fields: profileFields }] },
  examples: ['payroll profiles show', 'payroll profiles show production'],
  async run(context, input) {
    const isOther = input.arguments.name !== undefined
    const profile = isOther ? await resolveNamed(context, nameIn(context, input)) : await context.profile()
    await context.output.record({ ...(await describeProfile(context, profile)) })
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
  async run(context, input) {
    const name = nameIn(context, input)
    const { changeSettings } = await import('../credentials/change-settings.ts')
    const warnings = await changeSettings(await context.directory(), (settings) => {
      storedProfileOf(name, settings)
      return { ...settings, default: name }
    })
    for (const warning of warnings) context.warn(warning)
    context.note(`The default profile is now ${name}.`)
    await warnOfEnvironment(context, name)
  },
}

/** What the secret of a profile is for, which goes with it. */
const marksGo =
  'Its marks (payroll changes) cannot be compared any more, and what it wrote is undone only with --unsealed (payroll undo).'

const remove: Verb = {
  name: 'remove',
  isLocal: true,
  deletes: true,
  localEffect: 'changed',
  summary: 'Remove a profile and its stored key',
  arguments: [nameArgument],
  answer: { prints: 'nothing' },
  examples: ['payroll profiles remove acme'],
  async run(context, input) {
    const name = nameIn(context, input)
    const settings = await context.settings()
    if (!Object.hasOwn(settings.profiles, name) && !namesWithSecrets(settings).includes(name))
      throw usage(`There is no profile "${name}" to remove.`, 'To list the profiles: payroll profiles list')
    // A script has always removed it without --yes.
    if (context.interactive) {
      const what = `remove the profile ${name} and its key`
      // What a keyring has is not read for a question.
      const mayHaveMarks = secretsOf(settings, name).marks || settings.profiles[name]?.keyStore === 'keyring'
      await confirmRemoval(context, what, `${mayHaveMarks ? `${marksGo} ` : ''}${capital(what)}?`)
    }
    let before: StoredProfileKeys | undefined
    await context.changeProfile(name, (stored) => {
      before = stored
      return {
        profile: undefined,
        secrets: {},
        default: stored.default === name ? undefined : stored.default,
      }
    })
    const isHeld = (before?.secrets.key ?? before?.secrets.token) !== undefined
    const still = isHeld ? ' Its key still works at the service until it is revoked there.' : ''
    context.note(`Removed the profile ${name} from this computer.${still}`)
    if (before?.secrets.marks && !context.interactive) context.note(marksGo)
    if (before?.default === name)
      context.note(
        'It was the default profile, and there is none now. To choose one: payroll profiles use <name>',
      )
    await warnOfOthers(context, name)
  },
}

export const profiles: Resource = { verbs: [list, show, use, set, remove] }

function resolveNamed(context: Context, name: string, settings = context.settings): Promise<Profile> {
  return resolveProfile({ flag: name, env: context.host.env, settings, terminal: false })
}

/** A profile as a row: no key, only its last characters. The keyring is not opened for it. */
async function describeProfile(context: Context, profile: Profile): Promise<ValuesOf<typeof profileFields>> {
  const { settings, host } = context
  const place = { ...context.place, settings, hide: host.secrets.hide }
  const access: Access = await withKnownKey(profile, place)
  const { certificates } = profile
  const allSettings = await settings()
  const stored = allSettings.profiles[profile.name]
  // Loaded where the environment names a file of them: a list of profiles needs no paths.
  const prefix = profile.givenRoutes
    ? (await import('../context/routes-in-force.ts')).routesInForce(profile).prefix
    : profile.prefix
  return {
    name: profile.name,
    default: allSettings.default === profile.name,
    baseUrl: profile.baseUrl ?? null,
    prefix,
    country: profile.country?.text ?? null,
    journal: profile.journal
      ? readSharedJournalAddress(profile.journal.text, profile.journal.from).text
      : null,
    protected: profile.protected,
    readOnly: profile.readOnly !== undefined,
    authorization: authorizationText(authorizationOf(profile)),
    key: access.key === undefined ? null : maskAs('key', access.key),
    keyStore: profile.keyStore,
    keyWithheldFor: access.keyWithheld ?? null,
    emptyFields: profile.emptyFields?.text ?? 'ask',
    payDay: stored?.payDay ?? null,
    history: stored?.history ?? null,
    certificateAuthority: certificates?.certificateAuthority ?? null,
    clientCertificate: certificates?.clientCertificate ?? null,
    clientKey: certificates?.clientKey ?? null,
    from: { ...profile.source, key: access.keyFrom },
  }
}
