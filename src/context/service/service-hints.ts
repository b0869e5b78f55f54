import type { Operation } from '../../api/contract/operations/operation.ts'
import type { Hints } from '../../api/outcome/hints.ts'
import type { Profile } from '../../profile/resolve.ts'
import { routesInForce } from './routes-in-force.ts'

/** What to type after a failure, for this profile: what helps one that is stored does not help the environment. */
export function hintsFor(profile: Profile): Hints {
  const { kind, source, token, name } = profile
  const flag = source.profile === 'flag' ? ` --profile ${name}` : ''
  return {
    route: (operation) => (kind === 'sandbox' ? undefined : routeHint(profile, operation, flag)),
    refusedKey: refusedKeyHint(source.key, token !== undefined, flag),
    forbidden:
      source.key === 'environment'
        ? 'Ask for the permission, or set PAYROLL_API_KEY to another key.'
        : `Ask for the permission, or log in with another key: payroll auth login${flag}`,
  }
}

function routeHint(profile: Profile, operation: Operation, flag: string): string {
  const { kind, source, givenRoutes } = profile
  const { id, known, method } = operation
  const isEnvironment = kind === 'environment'
  const correction = routesInForce(profile).routes[id]
  if (correction !== undefined) {
    return givenRoutes && correction === givenRoutes.routes[id]
      ? `This path comes from PAYROLL_ROUTES: correct it in ${givenRoutes.file}`
      : `This path is your correction. To undo it: payroll routes reset ${id}${flag}`
  }
  if (known === 'documented') {
    return source.baseUrl === 'environment'
      ? 'Check the address in PAYROLL_BASE_URL.'
      : `Check the base address: payroll profiles show${flag && ` ${flag.trim().split(' ')[1]}`}`
  }
  const tried = `This path is an assumption. To try the usual spellings: payroll routes check${flag}.`
  const route = `${method} /svc/…`
  return isEnvironment
    ? `${tried} To give the right one, name a file in PAYROLL_ROUTES: {"routes":{"${id}":"${route}"}}`
    : `${tried} To give the right one: payroll routes set ${id} '${route}'${flag}`
}

function refusedKeyHint(source: string, isToken: boolean, flag: string): string {
  if (source === 'environment')
    return 'The key is the one in PAYROLL_API_KEY, which wins over a stored key: correct it, or unset it.'
  if (source === 'key command')
    return 'The key is what the key command printed: correct that, or name another with profiles set --key-command.'
  if (isToken)
    return `Sign in again: payroll auth login --browser${flag}. Or log in with a key: payroll auth login --key${flag}`
  return `Log in again: payroll auth login${flag}`
}
