import type { Operation } from '../../../api/contract/operations/operation.ts'
import { defaultVariant } from '../../../api/contract/variants.ts'
import type { Parameters } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { defaultCountry } from '../../../context/service/default-country.ts'
import type { Options } from '../declare/options.ts'
import { optionsFor, type Target, variantFlags } from '../declare/target.ts'

/** A command for a person to copy. What it is made of may come from outside: each word is quoted for a shell. */
export async function commandLine(context: Context, ...words: readonly string[]): Promise<string> {
  const { name, source } = await context.profile()
  const profile = source.profile === 'flag' ? ['--profile', name] : []
  return ['payroll', ...words, ...profile].map(quoted).join(' ')
}

/** The command of this run, as it was typed; or of these words. */
export function typedCommand({ host }: Context, words: readonly string[] = host.argv): string {
  return ['payroll', ...words].map(quoted).join(' ')
}

/** How a person names what an operation is about: `candidates --ireland`, without the verb. */
export function nounOf({ id }: Operation): string {
  const [resource = ''] = id.split('.')
  return resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The options that choose an operation and fill its path again, as they would be typed. */
export async function targetFlags(
  context: Context,
  target: Target,
  operation: Operation,
  { employeeId }: Parameters,
): Promise<string[]> {
  const flags = variantFlags(optionsFor(target, operation.id))
  const isDefault = defaultVariant.id in target && flags.length === 0
  // Where another country is the default, this one must be named.
  const own = isDefault && (await defaultCountry(context)) !== defaultVariant.id ? [defaultVariant.flag] : []
  return [...own, ...flags, ...(employeeId ? ['--employee', employeeId] : [])]
}

/** The same options, as a verb receives them. */
export function targetOptions(target: Target, id: string, { employeeId }: Parameters): Options {
  return { ...optionsFor(target, id), ...(employeeId !== undefined && { employee: employeeId }) }
}

function quoted(word: string): string {
  if (/^[\w./:=@,+~…-]+$/.test(word)) return word
  return /[$`"\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
