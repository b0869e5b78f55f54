import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import type { Profile } from '../../credentials/profile.ts'
import { type Operation, recordSentBy } from '../../model/records/operation.ts'
import type { FormHost } from '../../prompts/questions/form-context.ts'
import type { Ask } from '../../prompts/terminal/ask.ts'
import type { PromptHost } from '../../prompts/terminal/prompt.ts'
import { isDumbTerminal } from '../../render/text/style.ts'
import type { Options } from '../cli/options.ts'

/** The prompts of this run, loaded only to ask. `host`: where they are asked, if not as the run does. */
export async function openPrompts(context: Context, host: Partial<PromptHost> = {}): Promise<Ask> {
  const { createAsk } = await import('../../prompts/terminal/ask.ts')
  return createAsk({ ...promptHost(context), ...host })
}

/** What a form needs of this run. Throws a Failure when the profile cannot be read. */
export async function formHost(
  context: Context,
  operation: Operation,
  { mask = false }: Options,
): Promise<FormHost> {
  const profile = await context.profile()
  const name = serviceName(profile)
  return {
    ...promptHost(context),
    today: context.today(),
    facts: await context.facts(),
    masked: mask,
    serviceWords: await (await context.knowledge()).wordsOf(recordSentBy(operation)),
    recordsOf: async (from) => (await import('./find/picked-records.ts')).pickedRecords(context, from),
    country: await configuredCountry(context),
    service: {
      name,
      origin: name === profile.origin ? undefined : profile.origin,
      protected: profile.protected,
    },
  }
}

function promptHost({ host, style, interruption }: Context): PromptHost {
  const { stdin, stderr, env } = host
  const { signal, interrupted } = interruption
  return { stdin, stderr, style, isPlain: isDumbTerminal(env), signal, interrupted }
}

/** The name of a profile; the address of one that only the environment defines. */
export function serviceName({ kind, name, origin }: Pick<Profile, 'kind' | 'name' | 'origin'>): string {
  return kind === 'environment' ? (origin ?? name) : name
}
