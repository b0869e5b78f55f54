import type { Context } from '../../../context/context.ts'
import { findKeys } from '../../../context/keys/stored-keys.ts'
import type { ClientApplication } from '../../../context/tokens/refresh-token.ts'
import { usage } from '../../../errors.ts'
import { checkKey } from '../../../profile/keys/key.ts'
import type { Options } from '../../kit/declare/options.ts'
import { openPrompts } from '../../kit/steps/open-prompts.ts'

/**
 * The client application that asks for consent, and its secret if it has one: from an option, the environment, the last
 * sign-in of the profile, or the person. A secret is never an option. Throws a usage failure where none is named.
 *
 * @param lines standard input, whose first line is the secret with --with-secret
 */
export async function clientApplication(
  context: Context,
  name: string,
  options: Options,
  lines: AsyncIterator<string>,
): Promise<ClientApplication & { readonly clientId: string }> {
  const { env, secrets } = context.host
  const { token } = await findKeys({ directory: context.directory, env }, name)
  const known = options.clientId ?? (env.PAYROLL_CLIENT_ID || token?.clientId)
  const clientId = checkKey(known ?? (await askForId(context)), 'The id of the client application')
  const stored = token?.clientId === clientId ? token.clientSecret : undefined
  const given = options.withSecret
    ? await askForSecret(context, lines)
    : env.PAYROLL_CLIENT_SECRET || stored || (known === undefined ? await askForSecret(context, lines) : '')
  if (given === '') return { clientId }
  secrets.hide(given)
  return { clientId, clientSecret: checkKey(given, 'The client secret') }
}

async function askForId(context: Context): Promise<string> {
  if (!context.interactive) {
    throw usage(
      'Which client application asks for consent? Nothing was sent.',
      'Name it with --client-id <id>, or in PAYROLL_CLIENT_ID.',
    )
  }
  const ask = await openPrompts(context)
  const typed = await ask.input({
    message: 'Id of the client application that is registered with the service (in the sandbox: payroll-cli)',
    validate: (text) => text.trim() !== '' || 'The people who run the service give it to you.',
  })
  return typed.trim()
}

async function askForSecret(context: Context, lines: AsyncIterator<string>): Promise<string> {
  if (!context.interactive) {
    const { value, done } = await lines.next()
    return done ? '' : value
  }
  const ask = await openPrompts(context)
  return ask.password({ message: 'Client secret (not shown; leave it empty if there is none)' })
}
