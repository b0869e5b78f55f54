import type { OptionName } from './options.ts'
import type { CreateVerb } from './resource-verbs.ts'
import { operationsOf, type Target } from './target.ts'

/** The options of a `create` that guard against a record that was not meant. */
export function safetyOptions({ operation, unique }: CreateVerb): readonly OptionName[] {
  return [...(unique ? (['unique'] as const) : []), ...incompleteOption(operation)]
}

/** `--incomplete`, where a record needs fields that it could be sent without. */
export function incompleteOption(target: Target): readonly OptionName[] {
  return operationsOf(target).some(({ requestRecord }) => requestRecord?.needs) ? ['incomplete'] : []
}
