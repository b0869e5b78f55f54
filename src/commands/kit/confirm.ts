import type { Context } from '../../context.ts'
import { Failure, usage } from '../../errors.ts'

/**
 * Lets a write pass: on a protected profile, or `always`, only when a person says yes, or said so with --yes.
 * Throws a Failure (exit 2) where nobody can be asked; nothing is sent.
 */
export async function confirmWrite(context: Context, what: string, when?: 'always'): Promise<void> {
  const profile = await context.profile()
  if (context.options.yes || !(profile.protected || when === 'always')) return
  const where = profile.origin ? `${profile.name} (${profile.origin})` : profile.name
  if (!context.interactive) {
    const why = profile.protected ? `${profile.name} is protected` : 'This asks first'
    throw usage(`${why}. Nothing was sent.`, `To ${what} on ${where}, add --yes.`)
  }
  const { ask } = await import('../../prompts/ask.ts')
  const yes = await ask(context).confirm({ message: `${capital(what)} on ${where}?`, default: false })
  if (!yes) throw new Failure('usage', 'Not confirmed. Nothing was sent.', { outcome: 'not-sent' })
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
