import { stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { proxyIn, proxyVariables } from '../../api/http/proxy.ts'
import { namedCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { trustsWhatBrowsersDo } from '../../context/profile-hints.ts'
import { routesInForce, withGivenRoutes } from '../../context/routes-in-force.ts'
import { sharedJournalAddress, sharedJournalDatabase } from '../../context/shared-journal.ts'
import {
  type Access,
  type KeySource,
  type Profile,
  requireBaseUrl,
  requireKey,
  type ValueSource,
} from '../../credentials/profile.ts'
import { namedProfile, resolveProfile } from '../../credentials/resolve.ts'
import { emptySettings, inspectSettings, settingsFile, storedSecrets } from '../../credentials/settings.ts'
import { asFailure, Failure, isTemporary } from '../../errors.ts'
import { isOpenToOthers, modeOfDirectory, modeText, tryFolder } from '../../files/local/private-directory.ts'
import { array, choice, flag, object, text, type ValuesOf } from '../../model/fields/field.ts'
import { allOperations } from '../../model/resources/operations.ts'
import { requireUsable } from '../../model/resources/route-correction.ts'
import { once } from '../../once.ts'
import { foldMessage } from '../../render/text/fold-message.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { maskAs } from '../../secrets.ts'
import { dayMs, spelledOut, utcDay } from '../../text/day.ts'
import { chmodCommand } from '../../text/shell-word.ts'
import { plural } from '../../text/words.ts'
import type { Verb } from '../cli/verb.ts'
import { checkService, type ServiceFindings } from './check-service.ts'
import {
  causes,
  type DoctorFinding,
  ofSandbox,
  ok,
  problemOf,
  type Status,
  skipped,
  warning,
} from './finding.ts'

/** What the checks need. Each member is looked up once, and throws the Failure that a command would end with. */
interface DoctorContext {
  readonly context: Context
  readonly directory: () => Promise<string>
  readonly mode: () => Promise<number | undefined>
  readonly stored: () => ReturnType<typeof inspectSettings>
  readonly profile: () => Promise<Profile>
  readonly address: () => Promise<string>
  readonly access: () => Promise<Access>
  readonly service: () => Promise<ServiceFindings>
}

type Check = readonly [
  name: string,
  tries: string,
  /** Gives a finding. A Failure that it throws is a problem. */
  examine: (setup: DoctorContext) => DoctorFinding | Promise<DoctorFinding>,
]

const checks: readonly Check[] = [
  [
    'payroll',
    'which version runs, and which build of it',
    ({ context: { version, host } }) =>
      ok(host.commit ? `${version}, commit ${host.commit}` : version, host.build),
  ],
  [
    'directory',
    'whether only you can open the directory of the settings, and a file can be written there',
    checkDirectory,
  ],
  ['settings', 'whether only you can open the settings, and they can be read', checkSettings],
  ['profile', 'which profile is in force', checkProfile],
  ['address', 'which address it has', checkAddress],
  ['key', 'whether there is a key for that address', examineKey],
  ['routes', 'whether corrected routes can be used', checkRoutes],
  ['proxy', 'which proxy requests go through', checkProxy],
  ['certificates', 'whether the certificates of your own authority can be read', checkCertificates],
  [
    'client',
    'whether the client certificate of the profile can be used, and until when',
    checkClientCertificate,
  ],
  ['journal', 'whether the shared journal can be used', checkJournal],
  [
    'service',
    'whether the service answers one reading of a list, or the sandbox can run',
    async ({ service }) => (await service()).service,
  ],
  ['access', 'whether it accepts the key', async ({ service }) => (await service()).access],
]

const doctorFields = {
  ok: flag('Whether there is no problem'),
  checks: array(
    'Checks',
    object('', {
      name: text('Name'),
      status: choice('Status', ['ok', 'warning', 'problem', 'skipped'] satisfies Status[]),
      found: text('What was found'),
      from: text('What decided it', { nullable: true }),
      hint: text('What to do', { nullable: true }),
    }),
  ),
}

/** `doctor`: checks everything that a command depends on, and changes nothing. */
export const doctor: Verb = {
  name: 'doctor',
  summary:
    'Check the set-up: where each value comes from, and what is wrong. ' +
    'Changes nothing: a file that it writes to try the directory is removed. ' +
    'Ends with exit code 0 without a problem, else with 2 (settings), 4 (key) or 7 (the service cannot be reached)',
  notes: checks.map(([name, tries]) => [name, tries] as const),
  answer: { prints: 'json', shapes: [{ fields: doctorFields }] },
  examples: [
    'payroll doctor',
    'payroll doctor --profile production --json',
    'payroll doctor --json | jq \'.checks[] | select(.status == "problem")\'',
  ],
  async run(context) {
    const results = await examineAll(context)
    const worst = causes.find((cause) => results.some(({ code }) => code === cause))
    await showFindings(context, results, worst === undefined)
    if (worst === undefined) return
    const names = results.filter(({ status }) => status === 'problem').map(({ name }) => name)
    throw new Failure(worst, `Problems found: ${names.join(', ')}.`, {
      retryable: isTemporary(worst),
      hint: 'The report above says what to do about each.',
    })
  },
}

type NamedFinding = DoctorFinding & { readonly name: string }

async function examineAll(context: Context): Promise<readonly NamedFinding[]> {
  const setup = lookUpOnce(context)
  /** The check that reported each failure, by its message: later checks that fail for the same reason are skipped. */
  const codes = new Map<string, string>()
  const results: NamedFinding[] = []
  for (const [name, , examine] of checks) {
    const result = await Promise.resolve(setup).then(examine).catch(asFailure)
    if (!(result instanceof Failure)) {
      results.push({ name, ...result })
      continue
    }
    const first = codes.get(result.message)
    if (first === undefined) codes.set(result.message, name)
    results.push({ name, ...(first ? skipped(`fix the ${first} first`) : problemOf(result)) })
  }
  return results
}

function lookUpOnce(context: Context): DoctorContext {
  const { host, options, interactive } = context
  const directory = once(context.directory)
  const mode = once(async () => modeOfDirectory(await directory()))
  const inspectedSettings = once(async () => {
    // Throws for a directory in which others may write: what lies there is not trusted.
    await mode()
    return inspectSettings(await directory())
  })
  const settings = async () => (await inspectedSettings())?.settings ?? emptySettings
  const profile = once(async () => {
    const request = { flag: options.profile, env: host.env, terminal: interactive, settings }
    return withGivenRoutes(await resolveProfile(request), host.env)
  })
  const address = once(async () => requireBaseUrl(await profile()))
  const access = once(async () => {
    const profileNow = await profile()
    if (profileNow.kind === 'sandbox') return { ...profileNow, keyFrom: 'none' } as const
    await address()
    const { withKey } = await import('../../credentials/keys.ts')
    const keyed = await withKey(profileNow, { ...context.place, settings, hide: host.secrets.hide })
    requireKey(keyed, host.now())
    return keyed
  })
  const service = once(async () => checkService(context, await access()))
  return { context, directory, mode, stored: inspectedSettings, profile, address, access, service }
}

function showFindings(
  { output, host, inProfile }: Context,
  findings: readonly NamedFinding[],
  allWell: boolean,
): Promise<void> {
  const checks = findings.map(({ name, status, found, from = null, hint }) => {
    return { name, status, found, from, hint: hint === undefined ? null : inProfile(hint) }
  })
  const answer: ValuesOf<typeof doctorFields> = { ok: allWell, checks }
  if (!output.isRead) return output.record({ ...answer })
  return output.value(answer, report(checks, output.style, host.stdout.columns))
}

type ShownFinding = ValuesOf<typeof doctorFields>['checks'][number]

function report(results: readonly ShownFinding[], style: Style, columns = 80): string {
  const colours: Record<Status, (text: string) => string> = {
    ok: style.good,
    warning: style.caution,
    problem: style.bad,
    skipped: style.dim,
  }
  const names = Math.max(...results.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat('skipped  '.length + names)
  return results
    .map(({ name, status, found, from, hint }) => {
      const beginning = colours[status](status) + ' '.repeat('skipped  '.length - status.length)
      const text = wrapText(safeText(from === null ? found : `${found} (${from})`), columns, indent)
      // A command to be copied stays whole.
      const advice = hint === null ? '' : `\n${foldMessage(safeText(hint), columns - indent.length)}`
      return `${beginning}${name.padEnd(names)}${text.slice(indent.length)}${advice.replaceAll('\n', `\n${indent}`)}\n`
    })
    .join('')
}

async function checkDirectory({ context, mode, ...setup }: DoctorContext): Promise<DoctorFinding> {
  const directory = await setup.directory()
  const { env } = context.host
  const isShared = env.XDG_CONFIG_HOME && directory === join(env.XDG_CONFIG_HOME, 'payroll')
  const from = env.PAYROLL_CONFIG_DIR ? 'PAYROLL_CONFIG_DIR' : isShared ? 'XDG_CONFIG_HOME' : 'default'
  const owned = await mode()
  const finding = privacy(directory, owned, '700', from)
  const failure = await tryFolder(directory).catch(asFailure)
  return failure instanceof Failure ? problemOf(failure, from) : finding
}

async function checkSettings({ context, directory, stored }: DoctorContext): Promise<DoctorFinding> {
  const file = settingsFile(await directory())
  const content = await stored()
  if (!content) return ok('none stored yet')
  for (const secret of storedSecrets(content.settings)) context.host.secrets.hide(secret)
  return privacy(file, content.mode, '600')
}

/** Whether others can open a file or directory of ours. `mode` is undefined where it is missing, and on Windows. */
function privacy(path: string, mode: number | undefined, wantedMode: string, from?: string): DoctorFinding {
  if (mode === undefined) return ok(path, from)
  if (!isOpenToOthers(mode)) return ok(`${path}, open only to you, mode ${modeText(mode)}`, from)
  return warning(
    `${path} is open to other users, mode ${modeText(mode)}`,
    `To close it: ${chmodCommand(wantedMode, path)}`,
    from,
  )
}

async function checkProfile({ context, profile }: DoctorContext): Promise<DoctorFinding> {
  const { name, readOnly, protected: isProtected, source, emptyFields } = await profile()
  // Every command that names people asks for it.
  await namedCountry({ profile })
  if (emptyFields) (await import('../../write/at-risk.ts')).readEmptyFields(emptyFields)
  const variable = namedProfile(undefined, context.host.env) ? 'PAYROLL_PROFILE' : 'PAYROLL_BASE_URL'
  const from = source.profile === 'stored' ? 'stored default' : sourceWords(source.profile, variable)
  if (source.profile === 'built in')
    return warning(
      'sandbox, because no service is set up; in cron that is an error',
      'payroll profiles set production --base-url https://…',
      from,
    )
  const asks = isProtected ? ', protected: writes ask first' : ''
  return ok(`${name}${readOnly ? ', read-only: writes are refused' : asks}`, from)
}

function sourceWords(source: ValueSource | KeySource, variable: string): string {
  const words = { flag: '--profile', 'built in': 'default', none: 'nowhere', keyring: 'the system keyring' }
  if (source === 'environment') return variable
  return source === 'stored' ? 'stored' : words[source]
}

async function checkAddress({ profile: profileOf, address }: DoctorContext): Promise<DoctorFinding> {
  const profile = await profileOf()
  if (profile.kind === 'sandbox') return ofSandbox
  const { origin, prefix, source } = profile
  return ok(
    `${await address()}, origin ${origin}, prefix ${prefix}`,
    sourceWords(source.baseUrl, 'PAYROLL_BASE_URL'),
  )
}

async function examineKey({ access }: DoctorContext): Promise<DoctorFinding> {
  const { kind, key = '', keyFrom, token, origin } = await access()
  if (kind === 'sandbox') return ofSandbox
  const from = sourceWords(keyFrom, 'PAYROLL_API_KEY')
  return ok(`${token ? 'access token ' : ''}${maskAs('key', key)}, sent only to ${origin}`, from)
}

async function checkRoutes({ profile: profileOf }: DoctorContext): Promise<DoctorFinding> {
  const profile = await profileOf()
  const { kind, givenRoutes } = profile
  if (kind === 'sandbox') return ofSandbox
  const ids = Object.keys(requireUsable(routesInForce(profile).routes))
  const from = givenRoutes ? 'PAYROLL_ROUTES' : 'stored'
  const count = allOperations.length
  if (ids.length === 0) return ok(`none of ${count} corrected`, kind === 'stored' ? from : 'default')
  return ok(`${ids.length} of ${count} corrected: ${ids.join(', ')}`, from)
}

/** Looks at the shared journal without claiming a row. */
async function checkJournal({ context, profile, stored }: DoctorContext): Promise<DoctorFinding> {
  const profileNow = await profile()
  if (profileNow.kind === 'sandbox') return ofSandbox
  // Not context.settings, which removes what a killed run left.
  const settings = async () => (await stored())?.settings ?? emptySettings
  const used = { ...context, profile: async () => profileNow, settings }
  const address = await sharedJournalAddress(used)
  if (!address) return ok('on this computer; none is shared with others', 'default')
  const from = profileNow.journal?.from === 'PAYROLL_JOURNAL' ? 'PAYROLL_JOURNAL' : 'stored'
  const { place, passwordFrom, examine } = await sharedJournalDatabase(used, address)
  const password = passwordFrom === undefined ? '' : `, password from ${passwordFrom}`
  return ok(
    `${place}: its table has version ${await examine()}, and no pooler changes its connections${password}`,
    from,
  )
}

/** The proxy that the environment names, without the password that may stand in it. */
async function checkProxy({ context }: DoctorContext): Promise<DoctorFinding> {
  const { env, secrets } = context.host
  const name = proxyVariables.proxy.find((each) => env[each])
  const exempt = proxyVariables.except.find((each) => env[each])
  const except = exempt === undefined ? '' : `; ${exempt} is ${env[exempt]}`
  if (name === undefined) return ok(`none${except}`)
  const proxy = proxyIn(env[name] ?? '')
  if (typeof proxy === 'string')
    return warning(`${name} ${proxy}${except}`, 'Write it like this: http://proxy:3128', name)
  const { protocol, host, password } = proxy
  secrets.hide(password)
  return ok(`${protocol}//${host}${password && ', with a password'}${except}`, name)
}

/** The authorities that are trusted: those of Node, or of NODE_EXTRA_CA_CERTS, and of the profile. */
async function checkCertificates({ context: { host }, profile }: DoctorContext): Promise<DoctorFinding> {
  const { name = '', certificates } = await foundProfile(profile)
  const { extraAuthorities, readCertificates } = await import('../../credentials/certificates.ts')
  const extra = host.env.NODE_EXTRA_CA_CERTS
  if (extra && (await extraAuthorities(host.env)).length === 0)
    return warning(
      `no certificate can be read from ${extra}, and Node does without it`,
      'Name a file of certificates (PEM), or unset NODE_EXTRA_CA_CERTS.',
      'NODE_EXTRA_CA_CERTS',
    )
  const system = trustsWhatBrowsersDo(host.node) && host.env.NODE_USE_SYSTEM_CA === '1'
  const more = [...(system ? ['this computer'] : []), ...(extra ? [extra] : [])]
  const sentence =
    more.length > 0 ? `the ones of ${['Node', ...more].join(' and of ')}` : 'the ones that come with Node'
  const from = extra ? 'NODE_EXTRA_CA_CERTS' : system ? 'NODE_USE_SYSTEM_CA' : 'default'
  const certificateAuthority = certificates?.certificateAuthority
  if (certificateAuthority === undefined) return ok(sentence, from)
  const { authorities } = await readCertificates(name, { certificateAuthority }, host)
  return ok(
    `${sentence}, and ${authorities?.length} in ${certificateAuthority} for ${certificates?.origin}`,
    'stored',
  )
}

/** The profile in force; empty where it cannot be had, which an earlier check reported. */
async function foundProfile(profile: DoctorContext['profile']): Promise<Partial<Profile>> {
  const result = await profile().catch(asFailure)
  return result instanceof Failure ? {} : result
}

const renewBefore = 30

async function checkClientCertificate({ context: { host }, profile }: DoctorContext): Promise<DoctorFinding> {
  const { name = '', certificates } = await foundProfile(profile)
  if (certificates?.clientCertificate === undefined) return ok('no client certificate')
  const { readCertificates } = await import('../../credentials/certificates.ts')
  const { clientCertificate, clientKey, origin } = certificates
  const { client } = await readCertificates(name, { clientCertificate, clientKey }, host)
  if (!client) return ok('no client certificate')
  const mode = platform() === 'win32' ? undefined : (await stat(client.keyFile)).mode
  const kept = privacy(client.keyFile, mode, '600', 'stored')
  if (kept.status !== 'ok') return kept
  const { validTo } = client.certificate
  const sentence = `client certificate ${clientCertificate}, good until ${spelledOut(utcDay(Date.parse(validTo)))}, shown only to ${origin}`
  const days = (Date.parse(validTo) - host.now()) / dayMs
  if (days >= renewBefore) return ok(sentence, 'stored')
  return warning(
    `${sentence}: ${plural(Math.floor(days), 'more day')}`,
    `Ask for a new one. Where its files have other names: payroll profiles set ${name} --client-certificate <file> --client-key <file>`,
    'stored',
  )
}
