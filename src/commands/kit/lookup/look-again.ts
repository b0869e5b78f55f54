import type { GlobalOptions } from '../../../context/global-options.ts'
import type { Group } from '../declare/register.ts'
import { variantFlags } from '../declare/target.ts'
import type { Input, Verb } from '../declare/verb.ts'

/**
 * The command that shows what became of a write: the record where its id is known, else the list. Undefined where
 * the resource has neither.
 */
export function lookAgain(
  resource: string,
  verbs: readonly (Verb | Group)[],
  { arguments: { id }, options }: Input,
  { profile }: GlobalOptions,
): string | undefined {
  const verb = verbs.find(({ name }) => name === (id === undefined ? 'list' : 'get'))
  if (!verb || 'verbs' in verb) return undefined
  return [
    'payroll',
    ...(profile ? ['--profile', profile] : []),
    resource,
    verb.name,
    ...(id === undefined ? [] : [id]),
    ...(verb.options?.includes('employee') && options.employee ? ['--employee', options.employee] : []),
    ...variantFlags(options),
  ].join(' ')
}
