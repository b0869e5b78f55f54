import { allOperations } from '../../api/contract/operations/operations.ts'
import { unusableCorrections } from '../../api/contract/operations/route-correction.ts'
import type { Context } from '../../context/context.ts'
import { routesInForce, withGivenRoutes } from '../../context/routes-in-force.ts'
import { checkBaseUrl } from '../../credentials/base-url.ts'
import { checkKey } from '../../credentials/key.ts'
import { type KeySource, keyStores } from '../../credentials/key-stores.ts'
import type { Source } from '../../credentials/profile.ts'
import { requireBaseUrl, requireKey } from '../../credentials/require-access.ts'
import { namedProfile, type Profile, resolveProfile } from '../../credentials/resolve.ts'
import type { Settings } from '../../credentials/settings.ts'
import { liesElsewhere, type Secret } from '../../credentials/settings-shape.ts'
import { credentialsIn } from '../../credentials/stored-credentials.ts'
import { isOver } from '../../credentials/token-age.ts'
import type { Environment } from '../../environment.ts'
import { Failure } from '../../errors.ts'
import { maskAs } from '../../secrets.ts'
import { attempted, type Finding, ok, problem, problemOf, skipped, warning } from './doctor-check.ts'

type ProfileFindings = Readonly<Record<'profile' | 'address' | 'key' | 'routes', Finding>>

export interface InForce {
  readonly found: ProfileFindings
  /** Undefined where no command could use it. */
  readonly profile?: Profile
}

/** The profile in force and why, its address, its key, and the routes that were corrected for it. */
export async function checkProfile(context: Context, settings: () => Promise<Settings>): Promise<InForce> {
  const { host, options, interactive } = context
  const given = { flag: options.profile, env: host.env, terminal: interactive }
  const stored = await attempted(settings)
  const profile = await attempted(async () =>
    withGivenRoutes(await resolveProfile({ ...given, settings }), host.env, options.yes ?? false),
  )
  if (!(profile instanceof Failure))
    return { profile, found: await findingsOf(profile, host, context.withKey) }
  if (profile === stored || stored instanceof Failure) {
    const after = skipped('fix the settings first')
    return { found: { profile: after, address: after, key: after, routes: after } }
  }
  const errors = await profileErrorsIn(given, stored)
  if (errors) return { found: findingsOfErrors(errors) }
  const after = skipped('fix the profile first')
  return { found: { profile: problemOf(profile), address: after, key: after, routes: after } }
}

type WithKey = Context['withKey']

function findingsOfErrors({ profile, address, key }: ProfileErrors): ProfileFindings {
  return {
    profile: typeof profile === 'string' ? ok(profile) : problemOf(profile),
    address: address ? problemOf(address) : skipped('fix the key first'),
    key: key ? problemOf(key) : skipped('fix the address first'),
    routes: skipped(`fix the ${address ? 'address' : 'key'} first`),
  }
}

async function findingsOf(
  profile: Profile,
  { env, now }: Context['host'],
  withKey: WithKey,
): Promise<ProfileFindings> {
  const { name, kind, fallback } = profile
  const from = sourceOf(profile, env)
  if (kind === 'sandbox') {
    const inside = skipped('not needed: the sandbox runs inside this tool')
    const chosen = fallback
      ? warning(
          'sandbox, because no service is set up; in cron that is an error',
          'payroll profiles set production --base-url https://…',
          from.profile,
        )
      : ok(name, from.profile)
    return { profile: chosen, address: inside, key: inside, routes: inside }
  }
  const asks = profile.readOnly
    ? ', read-only: writes are refused'
    : profile.protected
      ? ', protected: writes ask first'
      : ''
  const keyed = await attempted(() => withKey(profile))
  return {
    profile: ok(`${name}${asks}`, from.profile),
    address: addressFinding(profile, from.baseUrl),
    key: keyed instanceof Failure ? problemOf(keyed, from.key) : keyFinding(keyed, from.key, now()),
    routes: routesFinding(profile),
  }
}

function addressFinding(profile: Profile, from: string): Finding {
  const { baseUrl, origin, prefix, rate } = profile
  if (baseUrl === undefined) return problemOf(failureOf(() => requireBaseUrl(profile)))
  const limit = rate === undefined ? '' : `, at most ${rate} requests a second`
  return ok(`${baseUrl}, origin ${origin}, prefix ${prefix}${limit}`, from)
}

function keyFinding(profile: Profile, from: string, now: number): Finding {
  const { key, origin, baseUrl, token } = profile
  const isEnded = token !== undefined && isOver(token, now)
  if (key !== undefined && isEnded && token.isRefreshable)
    return ok(`access token ${maskAs('key', key)}, which is over; the next command refreshes it`, from)
  if (key !== undefined && !isEnded) {
    const masked = token ? `access token ${maskAs('key', key)}` : maskAs('key', key)
    return ok(`${masked}, sent only to ${origin}`, from)
  }
  if (baseUrl === undefined) return skipped('set the address first')
  return problemOf(failureOf(() => requireKey(profile, now)))
}

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new TypeError('it did not fail')
}

function routesFinding(profile: Profile): Finding {
  const { name, kind, givenRoutes } = profile
  const { routes } = routesInForce(profile)
  const ids = Object.keys(routes)
  const from = givenRoutes ? 'PAYROLL_ROUTES' : 'stored'
  const unusable = [...unusableCorrections(routes)].map(([id, why]) => `${id}: ${why}`)
  if (unusable.length > 0) {
    const again = `payroll routes reset --profile ${name}, then payroll routes set <operation> "<method> /svc/…" --profile ${name}`
    return problem('usage', `cannot be used: ${unusable.join('; ')}`, again, 'stored')
  }
  const all = allOperations.length
  if (ids.length === 0) return ok(`none of ${all} corrected`, kind === 'stored' ? from : 'default')
  return ok(`${ids.length} of ${all} corrected: ${ids.join(', ')}`, from)
}

/** Where the values of a profile come from, as a person would look for them. */
function sourceOf({ source }: Profile, env: Environment) {
  const named = namedProfile(undefined, env) ? 'PAYROLL_PROFILE' : 'PAYROLL_BASE_URL'
  const ofStores = Object.values(keyStores).map((each) => [each.source, each.words] as const)
  const words = {
    flag: '--profile',
    'built in': 'default',
    none: 'nowhere',
    ...(Object.fromEntries(ofStores) as Readonly<Record<KeySource, string>>),
  }
  const told = (from: Source, variable: string) => (from === 'environment' ? variable : words[from])
  return {
    profile: source.profile === 'stored' ? 'stored default' : told(source.profile, named),
    baseUrl: told(source.baseUrl, 'PAYROLL_BASE_URL'),
    key: told(source.key, 'PAYROLL_API_KEY'),
  }
}

interface Given {
  readonly flag: string | undefined
  readonly env: Environment
  readonly terminal: boolean
}

/** What keeps a profile from being used; of each matter what is wrong with it. */
interface ProfileErrors {
  /** Its name, or why there is no such profile. */
  readonly profile: string | Failure
  readonly address?: Failure | undefined
  readonly key?: Failure | undefined
}

/**
 * Which of its values keep a profile from being used: a command stops at the first. Undefined where all of them are
 * sound, and so it is the choice of the profile that is wrong.
 */
async function profileErrorsIn(
  { flag, env, terminal }: Given,
  stored: Settings,
): Promise<ProfileErrors | undefined> {
  const named = namedProfile(flag, env)?.name
  const name = named ?? (env.PAYROLL_BASE_URL ? 'environment' : stored.default)
  if (name === undefined) return undefined
  const address =
    (await fault(env.PAYROLL_BASE_URL, (text) => checkBaseUrl(text, 'PAYROLL_BASE_URL'))) ??
    (await fault(stored.profiles[name]?.baseUrl, (text) => checkBaseUrl(text, `The base URL of ${name}`)))
  const held = credentialsIn(stored).get(name)
  const key =
    (await fault(env.PAYROLL_API_KEY, (text) => checkKey(text, 'PAYROLL_API_KEY'))) ??
    (await fault(held.key?.key, (text) => checkKey(text, `The stored key of ${name}`))) ??
    (await fault(held.token?.access, (text) => checkKey(text, `The stored access token of ${name}`)))
  if (!address && !key) return undefined
  return { profile: (await unknown(named, terminal, stored)) ?? name, address, key }
}

/** Why a name cannot be the name of a profile. */
async function unknown(
  named: string | undefined,
  terminal: boolean,
  stored: Settings,
): Promise<Failure | undefined> {
  if (named === undefined || Object.hasOwn(stored.profiles, named)) return undefined
  const found = await attempted(() =>
    resolveProfile({ flag: named, env: {}, terminal, settings: async () => stored }),
  )
  return found instanceof Failure ? found : undefined
}

async function fault(
  value: Secret | undefined,
  check: (text: string) => unknown,
): Promise<Failure | undefined> {
  // An empty variable counts as unset; what lies in the keyring is looked at when it is read.
  if (!value || liesElsewhere(value)) return undefined
  const checked = await attempted(() => check(value))
  return checked instanceof Failure ? checked : undefined
}
