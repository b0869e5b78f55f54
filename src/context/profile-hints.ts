import type { Hints } from '../api/outcome/hints.ts'
import type { Parameters } from '../api/route-path.ts'
import type { Access, Profile } from '../credentials/profile.ts'
import { joinHints } from '../errors.ts'
import { countries } from '../model/countries/countries.ts'
import { isWrite, type Operation, resourceName } from '../model/records/operation.ts'
import { operationById } from '../model/resources/operations.ts'
import { askForAuthority } from '../text/connection-codes.ts'
import { shellWord } from '../text/shell-word.ts'
import { wordList } from '../text/words.ts'
import type { RedactingHost } from './host.ts'
import { routesInForce } from './routes-in-force.ts'

const checkAddress = ({ source }: Profile) =>
  source.baseUrl === 'environment'
    ? 'Check the address in PAYROLL_BASE_URL.'
    : 'Check the base address: payroll profiles show'
const lookForPerson = (text: string) => `To look for a person: payroll candidates find ${text}`

/**
 * The hints after a failure with this profile: what mends a stored one does not mend the environment. A
 * profile that was named with the command is added to the commands in them where they are printed.
 */
export function hintsFor(profile: Access, { env, node }: RedactingHost): Hints {
  const { kind, keyFrom } = profile
  return {
    route: (operation) => (kind === 'sandbox' ? undefined : routeHint(profile, operation)),
    names: (operation, ours) =>
      kind === 'sandbox' || !operationById(operation.id) ? undefined : namesHint(profile, operation, ours),
    typedPath: 'To see the paths that payroll knows: payroll routes list',
    address: checkAddress(profile),
    otherRecord:
      'If it happens again, check your corrected routes (payroll routes list), then tell the people who run the service.',
    record: recordHint,
    person: `Check --employee. ${lookForPerson('<text>')}`,
    refusedKey: (scheme) => refusedKeyHint(profile, scheme),
    forbidden:
      keyFrom === 'environment'
        ? 'Ask for the permission, or set PAYROLL_API_KEY to another key.'
        : 'Ask for the permission, or sign in with another key: payroll auth login',
    ...certificateHints(profile, trustsWhatBrowsersDo(node) && env.NODE_USE_SYSTEM_CA !== '1'),
  }
}

/** Certificates of a profile belong to its stored address. For another one there are only variables of Node. */
function certificateHints({ name, source, certificates }: Profile, canTrustMore: boolean) {
  const isStored = source.baseUrl === 'stored'
  const set = `payroll profiles set ${isStored ? name : '<name> --base-url https://…'}`
  const { certificateAuthority, clientCertificate } = certificates ?? {}
  return {
    untrusted: joinHints(
      'Tell the people who run it what stands in brackets',
      isStored && certificateAuthority
        ? `It does not come from the authority in ${certificateAuthority} either`
        : 'Your company, or a proxy of it that looks into connections, may have signed it',
      `${askForAuthority}${isStored ? `, then: ${set} --certificate-authority <file>` : ', and name it in NODE_EXTRA_CA_CERTS'}`,
      canTrustMore && 'If a browser on this computer opens that address, NODE_USE_SYSTEM_CA=1 is enough.',
    ),
    clientCertificate: `${clientCertificate ? `It was shown ${clientCertificate}. ` : ''}Ask the people who run the service for a client certificate and its key (PEM), then: ${set} --client-certificate <file> --client-key <file>`,
  }
}

/** Whether NODE_USE_SYSTEM_CA makes this Node trust the authorities of the computer (Node 22.19 and 24.6). */
export function trustsWhatBrowsersDo(node = ''): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19)
}

function routeHint(profile: Profile, operation: Operation): string {
  const { name, source, baseUrl = '', prefix, givenRoutes } = profile
  if (baseUrl.endsWith(`/${prefix}`)) {
    const without = baseUrl.slice(0, -prefix.length - 1)
    const mend =
      source.baseUrl === 'environment'
        ? `set PAYROLL_BASE_URL to ${without}`
        : `payroll profiles set ${name} --base-url ${without}`
    return `The base address ends in /${prefix}, with which every path begins anyway. To leave it out: ${mend}`
  }
  const { id, known, method } = operation
  const { routes } = routesInForce(profile)
  const correction = routes[id]
  if (correction !== undefined) {
    return givenRoutes && correction === givenRoutes.routes[id]
      ? `This path comes from PAYROLL_ROUTES: correct it in ${givenRoutes.file}`
      : `This path is your correction. To give another, or another method: payroll routes set ${id} "${method} ${operation.path}". To undo it: payroll routes reset ${id}`
  }
  if (known === 'documented') return checkAddress(profile)
  // The paths of writes are not tried.
  const spellings = isWrite(operation) ? '' : ' To try the usual spellings: payroll routes check.'
  return `This path is an assumption.${spellings} To give the right one${settingOf(profile, id, `${method} /svc/…`)}`
}

/** How a route is corrected: with a command, or without a stored profile in a file. */
const settingOf = (
  { kind }: Profile,
  id: string,
  route: string,
  correction: unknown = route,
  options = '',
) =>
  kind === 'environment'
    ? `, name a file in PAYROLL_ROUTES: ${JSON.stringify({ routes: { [id]: correction } })}`
    : `: payroll routes set ${id} "${route}"${options}`

function namesHint(profile: Profile, operation: Operation, ours: readonly string[]): string {
  const { id, method, path } = operation
  const names = Object.fromEntries(ours.map((name) => [name, '…']))
  const options = ours.map((name) => ` --parameter ${name}=…`).join('')
  const set = settingOf(profile, id, `${method} ${path}`, { method, path, names }, options)
  const see =
    method === 'GET' && !path.includes('{') ? `To see what the service answers: payroll api GET ${path}` : ''
  return joinHints(see, `If it has other names for ${wordList(ours, 'and')}${set}`)
}

function refusedKeyHint({ name, kind, authorization, ...access }: Access, scheme?: string): string {
  const other = otherKeyHint(access)
  if (authorization || (scheme === undefined && !access.token)) return other
  const form = `"${scheme ?? 'Bearer'} {token}"`
  const set =
    kind === 'environment'
      ? `set PAYROLL_AUTHORIZATION to ${form}`
      : `payroll profiles set ${name} --authorization ${form}`
  return scheme === undefined
    ? `${other}. If no access token was ever accepted here, the service may want the word Bearer before it: ${set}`
    : `The service seems to want the word ${scheme} before a key. To send it so: ${set}. ${other}`
}

function otherKeyHint({ keyFrom, token }: Pick<Access, 'keyFrom' | 'token'>): string {
  if (keyFrom === 'environment')
    return 'The key is the one in PAYROLL_API_KEY, which wins over a stored key: correct it, or unset it. To see which key is used: payroll auth status'
  if (keyFrom === 'none')
    return 'A key that was stored before stays. Check the key and the address, then run the same command again.'
  return token
    ? 'Sign in again: payroll auth login --browser. Or sign in with a key: payroll auth login --key'
    : 'Sign in again: payroll auth login'
}

/** The hint where a record was asked for by its id and not found: how to list the ids, and where else it may be. */
function recordHint(
  { id, country: own }: Operation,
  { id: word, employeeId = '<id>' }: Parameters = {},
): string {
  const [group = ''] = id.split('.')
  if (own) {
    const otherFlags = countries.flatMap((each) => (each === own ? [] : each.flag))
    const elsewhere = `Is the person in another country? Add ${wordList(otherFlags, 'or')}.`
    return `${elsewhere} ${lookForPerson(word === undefined ? '<text>' : shellWord(String(word)))}`
  }
  if (group === 'documents')
    return `Check --employee. To see the ids: payroll documents list --employee ${employeeId}`
  return `To see the ids: payroll ${resourceName(group)} list`
}
