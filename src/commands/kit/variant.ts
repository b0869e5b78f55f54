import type { Operation } from '../../api/contract/operation.ts'
import { usage } from '../../errors.ts'
import type { OptionName, Options } from './options.ts'

/** One operation, or the one of each country. */
export type Target = Operation | { readonly uk: Operation; readonly ireland: Operation }

/** The operation that the options choose. "`--ireland` chooses the variant (`--uk` is the default)". */
export function operationOf(target: Target, { uk, ireland }: Options): Operation {
  if (!('uk' in target)) return target
  if (uk && ireland) throw usage('--uk and --ireland cannot both be meant.')
  return ireland ? target.ireland : target.uk
}

export function variantOptions(target: Target): readonly OptionName[] {
  return 'uk' in target ? ['ireland', 'uk'] : []
}
