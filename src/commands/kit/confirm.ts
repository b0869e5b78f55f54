import type { Context } from '../../context.ts'
import { Failure, usage } from '../../errors.ts'

/**
 * Lets a write pass: on a protected profile only when a person says yes, or said so with --yes. Throws a Failure
 * (exit 2) where nobody can be asked; nothing is sent.
 */
export async function confirmWrite(context: Context, what: string): Promise<void> {
  const profile = await context.profile()
  if (!profile.protected || context.options.yes) return
  const where = `${profile.name} (${profile.origin ?? 'no address'})`
  if (!context.interactive) {
    throw usage(`${profile.name} is protected. Nothing was sent.`, `To ${what} on ${where}, add --yes.`)
  }
  const { ask } = await import('../../prompts/ask.ts')
  const yes = await ask(context).confirm({ message: `${capital(what)} on ${where}?`, default: false })
  if (!yes) throw new Failure('usage', 'Not confirmed. Nothing was sent.', { outcome: 'not-sent' })
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
