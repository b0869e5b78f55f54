import type { Operation } from '../../../api/contract/operations/operation.ts'
import { usage } from '../../../errors.ts'
import type { OptionName, Options } from './options.ts'

/** One operation, or several that an option chooses from: the one of each country, the older of two forms. */
export type Target =
  | Operation
  | { readonly uk: Operation; readonly ireland: Operation }
  | { readonly current: Operation; readonly legacy: Operation }

/** The operation that the options choose. "`--ireland` chooses the variant (`--uk` is the default)". */
export function chooseOperation(target: Target, { uk, ireland, legacy }: Options): Operation {
  if ('current' in target) return legacy ? target.legacy : target.current
  if (!('uk' in target)) return target
  if (uk && ireland) throw usage('--uk and --ireland cannot both be meant.')
  return ireland ? target.ireland : target.uk
}

export function variantOptions(target: Target): readonly OptionName[] {
  if ('current' in target) return ['legacy']
  return 'uk' in target ? ['ireland', 'uk'] : []
}

export function operationsOf(target: Target): readonly Operation[] {
  return 'path' in target ? [target] : Object.values(target)
}
