import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import { systemCommands } from '../../files/local/system-commands.ts'
import type { Options } from '../cli/options.ts'
import { typedCommand } from './command-line.ts'
import { openPrompts } from './open-prompts.ts'
import { sayWhenWaiting } from './standard-input.ts'

const longestSecret = 16_384

/** How the text of a secret is read: it throws a Failure for what is none, and a person is asked again. */
type SecretReader = (text: string) => string

/** Reads a secret from a hidden prompt or standard input, never from an option, which `ps` would show. */
export async function readSecret(
  context: Context,
  options: Options,
  name: string,
  readOne: SecretReader,
): Promise<string> {
  const secret = await askSecret(context, options, name, readOne)
  context.host.secrets.hide(secret)
  return secret
}

async function askSecret(
  context: Context,
  { withToken }: Options,
  name: string,
  readOne: SecretReader,
): Promise<string> {
  const { stdin } = context.host
  if (context.interactive && !withToken) {
    const ask = await openPrompts(context)
    return ask.read({ message: `${name} (not shown)`, hidden: true, read: readOne })
  }
  const { readFrom } = systemCommands(context.host.platform)
  const example = readFrom('key.txt', typedCommand(context))
  if (stdin.isTTY && !withToken)
    throw usage(`${name}: nothing may be asked here, so it has to be piped in.`, `For example: ${example}`)
  const instead = `To give it, for example: ${example}`
  return readOne(await sayWhenWaiting(context, name, instead, readStandardInput(stdin)))
}

async function readStandardInput(stdin: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > longestSecret) break
  }
  return text
}
