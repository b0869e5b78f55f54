import { Failure, usage } from '../errors.ts'
import type { Profile } from './resolve.ts'
import { isOver } from './token-age.ts'

/** The address to call. Throws a usage failure for a profile that has none. Not for the sandbox. */
export function requireBaseUrl({ name, baseUrl }: Profile): string {
  if (baseUrl !== undefined) return baseUrl
  throw usage(`The profile ${name} has no base URL yet.`, `payroll profiles set ${name} --base-url https://…`)
}

/**
 * The key to send. Throws an `auth` failure if the profile has none, or if its access token expired before `now` and
 * cannot be refreshed. Not for the sandbox.
 */
export function requireKey(profile: Profile, now = 0): string {
  const { name, kind, key, keyWithheld, origin, token } = profile
  if (token && !token.isRefreshable && isOver(token, now)) throw expiredToken(name)
  if (key !== undefined) return key
  const message =
    keyWithheld === undefined
      ? `The profile ${name} has no key.`
      : `The stored key belongs to ${keyWithheld} and does not go to ${origin}.`
  const hint =
    kind === 'environment'
      ? 'Set PAYROLL_API_KEY, or name a stored profile: payroll profiles list'
      : `payroll auth login --profile ${name}`
  throw new Failure('auth', message, { outcome: 'not-sent', hint })
}

function expiredToken(name: string): Failure {
  const hint = `Sign in again: payroll auth login --browser --profile ${name}. Or go back to a key: payroll auth login --key --profile ${name}`
  const message = `The access token of ${name} has expired.`
  return new Failure('auth', message, { outcome: 'not-sent', hint })
}
