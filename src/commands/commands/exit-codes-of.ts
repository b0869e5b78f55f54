import { exitCodes } from '../../errors.ts'
import type { Verb } from '../kit/declare/verb.ts'

const { done, bug, usage, input, auth, refused, temporary, unknown, partial, locked } = exitCodes

/** Commands outside the group of records that call the service. */
const callers = ['auth', 'api', 'doctor', 'routes check']

/** Commands that change the settings: another run may be doing so. */
const keepers = ['auth', 'profiles', 'routes', 'sandbox']

/** The exit codes with which a command can end, in order. */
export function exitCodesOf(group: string, command: string, verb: Verb): number[] {
  const words = command.replace(/^payroll /, '')
  const isOf = (names: readonly string[]) => names.some((name) => `${words} `.startsWith(`${name} `))
  const isDrafts = / drafts /.test(command)
  const calls = verb.writes || isOf(callers) || (group === 'People and pay' && !isDrafts)
  const reads = calls || isDrafts
  const codes = [
    ...[done, bug, usage, temporary, exitCodes['invalid-response']],
    ...(reads || isOf(keepers) ? [locked] : []),
    ...(calls ? [input, auth, exitCodes['not-found'], refused] : []),
    ...(verb.writes ? [unknown] : []),
    ...(verb.name === 'import' && verb.writes ? [partial] : []),
    // SIGINT and SIGTERM.
    ...[130, 143],
  ]
  return [...new Set(codes)].sort((one, other) => one - other)
}
