import { readFile, stat } from 'node:fs/promises'
import { array, choice, flag, object, text, type ValuesOf } from '../../api/contract/fields/field.ts'
import { proxyVariables } from '../../api/http/proxy.ts'
import type { Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { once } from '../../context/create-context.ts'
import type { ClientCertificate } from '../../credentials/certificates.ts'
import type { Profile } from '../../credentials/resolve.ts'
import type { Environment, VariableName } from '../../environment.ts'
import { Failure, systemCode } from '../../errors.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { loadSqlite } from '../../sandbox/database/connection.ts'
import { checkProfile, type InForce } from './check-profile.ts'
import { checkService, type ServiceFindings } from './check-service.ts'
import {
  checkDrafts,
  checkImports,
  checkJournal,
  checkLeftovers,
  checkStore,
  type Store,
} from './check-store.ts'
import {
  attempted,
  causes,
  type Finding,
  ok,
  problem,
  problemOf,
  reason,
  type Status,
  skipped,
  warning,
} from './doctor-check.ts'

/** What the checks look at. What several of them need is looked up once, by the first that asks. */
interface Examined {
  readonly context: Context
  readonly store: () => Promise<Store>
  readonly inForce: () => Promise<InForce>
  readonly service: () => Promise<ServiceFindings>
}

interface DoctorCheck {
  readonly name: string
  /** What it tries, as the help says it. */
  readonly tries: string
  /** What it finds, and what that means: nothing to do, a warning, or a problem with its exit code. */
  readonly examine: (examined: Examined) => Finding | Promise<Finding>
}

/** All checks, in the order of the report. */
const checks: readonly DoctorCheck[] = [
  {
    name: 'payroll',
    tries: 'which version runs, and which build of it',
    examine: ({ context }) => ok(context.version, context.host.build),
  },
  {
    name: 'node',
    tries: 'whether this Node is new enough',
    examine: ({ context }) => checkNode(context.host.node),
  },
  {
    name: 'directory',
    tries: 'whether only you can open the directory of the settings, and a file can be written there',
    examine: async ({ store }) => (await store()).found.directory,
  },
  {
    name: 'settings',
    tries: 'whether only you can open the settings, and they can be read',
    examine: async ({ store }) => (await store()).found.settings,
  },
  {
    name: 'profile',
    tries: 'which profile is in force',
    examine: async ({ inForce }) => (await inForce()).found.profile,
  },
  {
    name: 'address',
    tries: 'which address it has',
    examine: async ({ inForce }) => (await inForce()).found.address,
  },
  {
    name: 'key',
    tries: 'whether there is a key for that address',
    examine: async ({ inForce }) => (await inForce()).found.key,
  },
  {
    name: 'routes',
    tries: 'whether corrected routes can be used',
    examine: async ({ inForce }) => (await inForce()).found.routes,
  },
  {
    name: 'proxy',
    tries: 'which proxy requests go through',
    examine: ({ context }) => checkProxy(context.host),
  },
  {
    name: 'certificates',
    tries: 'whether the certificates of your own authority can be read',
    examine: async ({ context, inForce }) => checkCertificates(context.host, (await inForce()).profile),
  },
  {
    name: 'client',
    tries: 'whether the client certificate of the profile can be used, and until when',
    examine: async ({ context, inForce }) => checkClientCertificate(context.host, (await inForce()).profile),
  },
  {
    name: 'verification',
    tries: 'whether certificates are verified',
    examine: ({ context }) => checkVerification(context.host.env),
  },
  {
    name: 'drafts',
    tries: 'how many forms are unfinished',
    examine: async ({ store }) => checkDrafts((await store()).directory),
  },
  {
    name: 'imports',
    tries: 'how many import journals there are',
    examine: async ({ store }) => checkImports((await store()).directory),
  },
  {
    name: 'leftovers',
    tries: 'what killed runs left behind',
    examine: async ({ store }) => checkLeftovers((await store()).directory),
  },
  {
    name: 'journal',
    tries: 'whether the shared journal can be used',
    examine: async ({ context, store, inForce }) =>
      checkJournal(context, (await inForce()).profile, (await store()).settings),
  },
  {
    name: 'sandbox',
    tries: 'whether the sandbox can run',
    examine: async ({ inForce }) => checkSandbox((await inForce()).profile),
  },
  {
    name: 'service',
    tries: 'whether the service answers one reading of a list',
    examine: async ({ service }) => (await service()).service,
  },
  {
    name: 'access',
    tries: 'whether it accepts the key',
    examine: async ({ service }) => (await service()).access,
  },
  {
    name: 'clock',
    tries: 'whether its clock agrees with this one',
    examine: async ({ service }) => (await service()).clock,
  },
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

/** `doctor`: looks at everything that a command depends on, and leaves all of it as it was. */
export const doctor: Verb = {
  name: 'doctor',
  summary:
    'Check the set-up: where each value comes from, and what is wrong. ' +
    'Changes nothing: a file that it writes to try the directory is removed. ' +
    'Ends with exit code 0 without a problem, else with 2 (settings), 4 (key) or 7 (the service cannot be reached)',
  notes: checks.map(({ name, tries }) => [name, tries] as const),
  answer: { prints: 'json', shapes: [{ fields: doctorFields }] },
  examples: [
    'payroll doctor',
    'payroll doctor --profile production --json',
    'payroll doctor --json | jq \'.checks[] | select(.status == "problem")\'',
  ],
  async run(context) {
    const results = await examineAll(context)
    const worst = causes.find((cause) => results.some(({ code }) => code === cause))
    await show(context, results, worst === undefined)
    if (worst === undefined) return
    // The report is complete, although the run ends with a failure.
    await context.finish()
    const names = results.filter(({ status }) => status === 'problem').map(({ name }) => name)
    throw new Failure(worst, `Problems found: ${names.join(', ')}.`, {
      retryable: worst === 'temporary',
      hint: 'The report above says what to do about each.',
    })
  },
}

/** A check by its name, and what it found. */
type Result = Finding & Pick<DoctorCheck, 'name'>

async function examineAll(context: Context): Promise<readonly Result[]> {
  const store = once(() => checkStore(context))
  const inForce = once(async () => checkProfile(context, (await store()).settings))
  const service = once(async () => checkService(context, (await inForce()).profile))
  // What is stored is read first: its secrets are hidden from then on.
  await store()
  const results: Result[] = []
  for (const { name, examine } of checks) {
    results.push({ name, ...(await examine({ context, store, inForce, service })) })
  }
  return results
}

function show(
  { output, options, host }: Context,
  results: readonly Result[],
  allWell: boolean,
): Promise<void> {
  const rows = results.map(({ name, status, found, from = null, hint = null }) => ({
    name,
    status,
    found,
    from,
    hint,
  }))
  const answer: ValuesOf<typeof doctorFields> = { ok: allWell, checks: rows }
  if (!output.format.isForPerson || options.query !== undefined) return output.record({ ...answer })
  return output.value(answer, report(results, output.style, host.stdout.columns))
}

/** Narrower than this, folding would only make it longer. */
const narrowest = 50

/** The checks for a person: a line each, and under it what to do. */
function report(results: readonly Result[], style: Style, columns = 80): string {
  const colours: Record<Status, (text: string) => string> = {
    ok: style.good,
    warning: style.caution,
    problem: style.bad,
    skipped: style.dim,
  }
  const names = Math.max(...results.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat('skipped  '.length + names)
  const folded = (text: string) => wrapText(safeText(text), Math.max(columns, narrowest), indent)
  return results
    .map(({ name, status, found, from, hint }) => {
      const beginning = colours[status](status) + ' '.repeat('skipped  '.length - status.length)
      const text = folded(from === undefined ? found : `${found} (${from})`).slice(indent.length)
      const told = status === 'skipped' ? style.dim(text) : text
      return `${beginning}${name.padEnd(names)}${told}\n${hint === undefined ? '' : `${folded(hint)}\n`}`
    })
    .join('')
}

/** The first of these variables that is set. */
function setOf(env: Environment, names: readonly VariableName[]): VariableName | undefined {
  return names.find((name) => env[name])
}

/** The proxy that the environment names, without the password that may stand in it. */
function checkProxy({ env, secrets }: Context['host']): Finding {
  const name = setOf(env, proxyVariables.proxy)
  const exempt = setOf(env, proxyVariables.except)
  const except = exempt === undefined ? '' : `; ${exempt} is ${env[exempt]}`
  if (name === undefined) return ok(`none${except}`)
  const written = env[name] ?? ''
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) {
    return warning(`${name} is not a web address${except}`, 'Write it like this: http://proxy:3128', name)
  }
  const { protocol, host, password } = new URL(written)
  secrets.hide(password)
  return ok(`${protocol}//${host}${password && ', with a password'}${except}`, name)
}

/** The authorities that are trusted: those of Node, of the file in NODE_EXTRA_CA_CERTS, and of the profile. */
async function checkCertificates(host: Context['host'], profile: Profile | undefined): Promise<Finding> {
  const { name = '', certificates = { origin: '' } } = profile ?? {}
  const extra = await checkExtraCertificates(host.env)
  const { certificateAuthority } = certificates
  if (certificateAuthority === undefined || extra.status !== 'ok') return extra
  const read = await attempted(async () => {
    const { readCertificates } = await import('../../credentials/certificates.ts')
    return readCertificates(name, { certificateAuthority }, host)
  })
  if (read instanceof Failure) return problemOf(read, 'stored')
  const count = read.authorities?.length
  return ok(`${extra.found}, and ${count} in ${certificateAuthority} for ${certificates.origin}`, 'stored')
}

/** More than this is no list of certificates. In bytes. */
const largest = 16 * 1024 * 1024

/** The file of one's own authority: Node takes a file that it cannot read for none, and says little. */
async function checkExtraCertificates(env: Environment): Promise<Finding> {
  const name = 'NODE_EXTRA_CA_CERTS'
  const file = env[name]
  if (!file) return ok('the ones that come with Node', 'default')
  const wrong = (found: string) =>
    problem('usage', `${file} ${found}`, 'Name the PEM file of your authority there.', name)
  try {
    const there = await stat(file)
    if (!there.isFile() || there.size > largest) return wrong('is not a file of certificates')
    const count = (await readFile(file, 'latin1')).split('-----BEGIN CERTIFICATE-----').length - 1
    if (count === 0) return wrong('has no certificate in it')
    return ok(`the ones of Node, and ${count} in ${file}`, name)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return wrong(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`)
  }
}

/** A certificate that ends sooner is to be renewed. In days. */
const renewBefore = 30

/** Whether the client certificate of the profile can be used, how long still, and whether its key is closed to others. */
async function checkClientCertificate(host: Context['host'], profile: Profile | undefined): Promise<Finding> {
  const { name = '', certificates } = profile ?? {}
  if (certificates?.clientCertificate === undefined) return ok('no client certificate')
  const { dayOf, openMode, readCertificates } = await import('../../credentials/certificates.ts')
  const { certificateAuthority: _, ...files } = certificates
  const read = await attempted(() => readCertificates(name, files, host))
  if (read instanceof Failure) return problemOf(read, 'stored')
  const { certificate, keyFile } = read.client as ClientCertificate
  const mode = await openMode(keyFile)
  const file = certificates.clientCertificate
  const found = `client certificate ${file}, good until ${dayOf(certificate.validTo)}, shown only to ${certificates.origin}`
  if (mode !== undefined)
    return warning(`${keyFile} is open to other users, mode ${mode}`, `chmod 600 '${keyFile}'`, 'stored')
  const days = (Date.parse(certificate.validTo) - host.now()) / 86_400_000
  if (days >= renewBefore) return ok(found, 'stored')
  return warning(
    `${found}: ${Math.floor(days)} more days`,
    `Ask for a new one. Where its files have other names: payroll profiles set ${name} --client-certificate <file> --client-key <file>`,
    'stored',
  )
}

/** Whether Node looks at certificates at all. */
function checkVerification(env: Environment): Finding {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED'
  if (env[name] !== '0') return ok('certificates are verified', env[name] ? name : 'default')
  const hint =
    'Unset it. For a certificate of your own authority: payroll profiles set <name> --certificate-authority <file>, or NODE_EXTRA_CA_CERTS.'
  return problem(
    'usage',
    `${name}=0 turns certificate checks off: anybody could pose as the service`,
    hint,
    name,
  )
}

/** The oldest Node that package.json allows: its major and minor version. */
const oldest = [20, 19] as const

function checkNode(version: string | undefined): Finding {
  if (version === undefined) return skipped('not known')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return ok(version)
  const wanted = oldest.join('.')
  return problem('usage', `${version} is older than ${wanted}`, `Install Node ${wanted} or newer.`)
}

/** Whether the sandbox can run: its database is an optional package, and a native one. */
async function checkSandbox(profile: Profile | undefined): Promise<Finding> {
  const failure = await attempted(loadSqlite)
  if (!(failure instanceof Failure)) return ok('its database loads')
  if (profile?.kind === 'sandbox') return problemOf(failure)
  return warning(reason(failure), failure.details.hint ?? '')
}
