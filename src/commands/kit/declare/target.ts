import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
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
  if (uk && ireland) throw usage('--uk and --ireland cannot be combined.')
  return ireland ? target.ireland : target.uk
}

export function variantOptions(target: Target): readonly OptionName[] {
  if ('current' in target) return ['legacy']
  return 'uk' in target ? ['ireland', 'uk'] : []
}

export function operationsOf(target: Target): readonly Operation[] {
  return 'path' in target ? [target] : Object.values(target)
}

/** The type of the record that an operation answers, where one is declared. */
export function answerType({ answers }: Operation): RecordType | undefined {
  return answers.kind === 'nothing' ? undefined : answers.type
}

/** The operations that a resource has twice, `create` and `createIreland`, as one target each. */
export function variants<Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
): Variants<Operations> {
  const pairs = Object.entries(operations).flatMap(([name, uk]) => {
    const ireland = operations[`${name}Ireland`]
    return ireland ? [[name, { uk, ireland }]] : []
  })
  return Object.fromEntries(pairs)
}

type Variants<Operations> = {
  readonly [Name in keyof Operations as `${Name & string}Ireland` extends keyof Operations ? Name : never]: {
    readonly uk: Operation
    readonly ireland: Operation
  }
}
