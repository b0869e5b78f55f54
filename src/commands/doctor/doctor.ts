import { readFile, stat } from 'node:fs/promises'
import { proxyVariables } from '../../api/http/proxy.ts'
import type { Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import type { Host } from '../../context/host.ts'
import type { Profile } from '../../credentials/resolve.ts'
import type { Environment, VariableName } from '../../environment.ts'
import { Failure, systemCode } from '../../errors.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { howToInstall, isDatabaseInstalled } from '../../sandbox/database/connection.ts'
import { checkProfile } from './check-profile.ts'
import { checkService } from './check-service.ts'
import { checkJournal, checkStore, drafts, imports, leftovers } from './check-store.ts'
import { type Check, causes, ok, problem, type Status, skipped, warning } from './doctor-check.ts'

/** `doctor`: looks at everything that a command depends on, and changes nothing. */
export const doctor: Verb = {
  name: 'doctor',
  summary:
    'Check the set-up: where each value comes from, and what is wrong. Changes nothing. ' +
    'Ends with exit code 0 without a problem, else with 2 (settings), 4 (key) or 7 (the service cannot be reached)',
  examples: [
    'payroll doctor',
    'payroll doctor --profile production --json',
    'payroll doctor --json | jq \'.checks[] | select(.status == "problem")\'',
  ],
  async run(context) {
    const checks = await examine(context)
    const worst = causes.find((cause) => checks.some(({ code }) => code === cause))
    await show(context, checks, worst === undefined)
    if (worst === undefined) return
    // The report is complete, although the run ends with a failure.
    await context.finish()
    const names = checks.filter(({ status }) => status === 'problem').map(({ name }) => name)
    throw new Failure(worst, `Problems found: ${names.join(', ')}.`, {
      retryable: worst === 'temporary',
      hint: 'The report above says what to do about each.',
    })
  },
}

async function examine(context: Context): Promise<readonly Check[]> {
  const { env } = context.host
  const store = await checkStore(context)
  const inForce = await checkProfile(context, store.settings)
  return [
    ...installation(context),
    ...store.checks,
    ...inForce.checks,
    proxy(context),
    await certificates(env),
    verification(env),
    await drafts(store.directory),
    await imports(store.directory),
    await leftovers(store.directory),
    await checkJournal(context, inForce.profile, store.settings),
    sandboxCheck(inForce.profile),
    ...(await checkService(context, inForce.profile)),
  ]
}

function show({ output, options, host }: Context, checks: readonly Check[], allWell: boolean): Promise<void> {
  const rows = checks.map(({ name, status, found, from = null, hint = null }) => ({
    name,
    status,
    found,
    from,
    hint,
  }))
  const answer = { ok: allWell, checks: rows }
  if (!output.format.isForPerson || options.query !== undefined) return output.record(answer)
  return output.value(answer, report(checks, output.style, host.stdout.columns))
}

/** Narrower than this, folding would only make it longer. */
const narrowest = 50

/** The checks for a person: a line each, and under it what to do. */
function report(checks: readonly Check[], style: Style, columns = 80): string {
  const colours: Record<Status, (text: string) => string> = {
    ok: style.good,
    warning: style.caution,
    problem: style.bad,
    skipped: style.dim,
  }
  const names = Math.max(...checks.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat('skipped  '.length + names)
  const folded = (text: string) => wrapText(safeText(text), Math.max(columns, narrowest), indent)
  return checks
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
function proxy({ host: { env, secrets } }: Context): Check {
  const name = setOf(env, proxyVariables.proxy)
  const exempt = setOf(env, proxyVariables.except)
  const except = exempt === undefined ? '' : `; ${exempt} is ${env[exempt]}`
  if (name === undefined) return ok('proxy', `none${except}`)
  const written = env[name] ?? ''
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) {
    return warning(
      'proxy',
      `${name} is not a web address${except}`,
      'Write it like this: http://proxy:3128',
      name,
    )
  }
  const { protocol, host, password } = new URL(written)
  secrets.hide(password)
  return ok('proxy', `${protocol}//${host}${password && ', with a password'}${except}`, name)
}

/** More than this is no list of certificates. In bytes. */
const largest = 16 * 1024 * 1024

/** The file of one's own authority: Node takes a file that it cannot read for none, and says little. */
async function certificates(env: Environment): Promise<Check> {
  const name = 'NODE_EXTRA_CA_CERTS'
  const file = env[name]
  if (!file) return ok('certificates', 'the ones that come with Node', 'default')
  const wrong = (found: string) =>
    problem('certificates', 'usage', `${file} ${found}`, 'Name the PEM file of your authority there.', name)
  try {
    const there = await stat(file)
    if (!there.isFile() || there.size > largest) return wrong('is not a file of certificates')
    const count = (await readFile(file, 'latin1')).split('-----BEGIN CERTIFICATE-----').length - 1
    if (count === 0) return wrong('has no certificate in it')
    return ok('certificates', `the ones of Node, and ${count} in ${file}`, name)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return wrong(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`)
  }
}

/** Whether Node looks at certificates at all. */
function verification(env: Environment): Check {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED'
  if (env[name] !== '0') return ok('verification', 'certificates are verified', env[name] ? name : 'default')
  const hint = 'Unset it. For a certificate of your own authority, use NODE_EXTRA_CA_CERTS.'
  return problem(
    'verification',
    'usage',
    `${name}=0 turns certificate checks off: anybody could pose as the service`,
    hint,
    name,
  )
}

type Running = Pick<Context, 'version'> & { readonly host: Pick<Host, 'node'> }

/** The oldest Node that package.json allows: its major and minor version. */
const oldest = [20, 19] as const

/** Which payroll runs, on which Node. */
export function installation({ version, host: { node } }: Running): Check[] {
  return [ok('payroll', version), node === undefined ? skipped('node', 'not known') : nodeCheck(node)]
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return ok('node', version)
  const wanted = oldest.join('.')
  return problem('node', 'usage', `${version} is older than ${wanted}`, `Install Node ${wanted} or newer.`)
}

/** Whether the sandbox can run: its database is an optional package. */
function sandboxCheck(profile: Profile | undefined): Check {
  if (isDatabaseInstalled()) return ok('sandbox', 'its database is installed')
  const found = 'its database (the package libsql) is not installed; everything else works'
  return profile?.kind === 'sandbox'
    ? problem('sandbox', 'usage', found, howToInstall)
    : warning('sandbox', found, howToInstall)
}
