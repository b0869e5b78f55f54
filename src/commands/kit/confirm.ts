import type { Context } from '../../context/context.ts'
import type { Profile } from '../../credentials/profile.ts'
import { declined, usage } from '../../errors.ts'
import { capital, withOrigin } from '../../text/words.ts'
import { openPrompts } from './open-prompts.ts'

/**
 * Asks whether to write: on a protected profile, with `asksAlways` on any. Throws exit 2 without a yes or --yes.
 * `name`: what the question says in its place, looked up only for a person.
 */
export async function confirmWrite(
  context: Context,
  what: string,
  asksAlways = false,
  name?: () => Promise<string | undefined>,
): Promise<void> {
  if (!(await mustAsk(context, what, asksAlways))) return
  const question = (await name?.()) ?? what
  await assertYes(context, `${capital(question)} on ${await nameOfService(context)}?`)
}

/** Asks a question that Enter answers with no. Throws a declined Failure for a no. */
export async function assertYes(
  context: Context,
  question: string,
  otherwise = 'Not confirmed.',
): Promise<void> {
  const { confirm } = await openPrompts(context)
  if (!(await confirm({ message: question, default: false }))) throw declined(otherwise)
}

/** Whether a person at a terminal sees what is doubtful before the question whether to send. */
export const mayAsk = ({ interactive, options }: Context): boolean => interactive && !options.yes

/** Whether a person has to be asked before a write. Throws exit 2 where nothing may be written, or nobody can be asked. */
export async function mustAsk(context: Context, what: string, asksAlways = false): Promise<boolean> {
  const profile = await requireWritable(context)
  if (context.options.yes || !(profile.protected || asksAlways)) return false
  if (context.interactive) return true
  const reason = profile.protected ? `${profile.name} is protected` : 'This needs your confirmation'
  const why = profile.protectedBecause ?? reason
  throw usage(`${why}.`, `To ${what} on ${await nameOfService(context)}, add --yes.`)
}

/** Asks before something is removed from this computer. `what`: `remove the mark payday`. */
export const confirmRemoval = (context: Context, what: string, question = `${capital(what)}?`) =>
  requireYes(context, question, 'This needs your confirmation.', `To ${what}, add --yes.`)

/** Asks a question, unless --yes was given. Throws exit 2 for a no, and with `unasked` where nobody can be asked. */
export async function requireYes(
  context: Context,
  message: string,
  unasked: string,
  hint: string,
): Promise<void> {
  if (context.options.yes) return
  if (!context.interactive) throw usage(unasked, hint)
  await assertYes(context, message, 'Stopped.')
}

/** The profile in force. Throws exit 2 where it is read-only: before a form opens, so that no answers are lost. */
export async function requireWritable(context: Context): Promise<Profile> {
  const profile = await context.profile()
  if (profile.readOnly) {
    const { readOnlyFailure } = await import('../../credentials/profile.ts')
    throw readOnlyFailure(profile.name, profile.readOnly)
  }
  return profile
}

async function nameOfService(context: Context): Promise<string> {
  const { name, origin } = await context.profile()
  return withOrigin(name, origin)
}
