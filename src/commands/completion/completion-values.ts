import { allOperations } from '../../api/contract/operations/operations.ts'
import type { Context } from '../../context/context.ts'
import { emptySettings } from '../../profile/settings/settings-shape.ts'
import { profileNames } from '../../profile/stored-profile.ts'
import { outputFormats } from '../../render/output.ts'
import { optionDeclarations } from '../kit/declare/options.ts'
import { recordTypesByName } from '../kit/declare/record-types.ts'
import type { Resource, Verb } from '../kit/declare/verb.ts'

/** What can stand at the place that is typed: these words, or a file; undefined where neither is known. */
export async function valuesAt(
  context: Context,
  resource: Resource | undefined,
  words: readonly string[],
): Promise<readonly string[] | 'file' | undefined> {
  const [current = '', before = ''] = [words.at(-1), words.at(-2)]
  const profiles = async () => profileNames(await context.settings().catch(() => emptySettings))
  if (before === '-o') return outputFormats
  if (before === '--out') return 'file'
  const declared = Object.values(optionDeclarations).find(({ flags }) => flags.startsWith(`${before} <`))
  if (before.startsWith('--') && declared) {
    return /<(path|file|id \| file)>/.test(declared.flags) ? 'file' : declared.values
  }
  const found = resource && verbIn(resource, words)
  const argument = found?.verb.arguments?.[found.given]?.name
  if (current.startsWith('-') || argument === undefined) return undefined
  if (argument === 'file') return 'file'
  if (argument === 'name') return profiles()
  if (argument === 'operation') return allOperations.map(({ id }) => id)
  if (argument === 'what' || argument === 'subject') return Object.keys(recordTypesByName)
  return undefined
}

/** The verb that is typed, and how many of its arguments stand before the current word. */
function verbIn(resource: Resource, words: readonly string[]): { verb: Verb; given: number } | undefined {
  const typed = words.slice(0, -1).filter((word) => !word.startsWith('-'))
  if ('run' in resource) return { verb: resource, given: typed.length - 1 }
  const verb = resource.verbs.find(({ name }) => typed.includes(name))
  if (!verb || !('run' in verb)) return undefined
  const at = typed.indexOf(verb.name)
  const below = verb.verbs?.find(({ name }) => name === typed[at + 1])
  return below ? { verb: below, given: typed.length - 2 - at } : { verb, given: typed.length - 1 - at }
}
