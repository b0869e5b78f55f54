import { confirm, input, password, Separator, select } from '@inquirer/prompts'
import type { Context } from '../context.ts'
import { Interrupted } from '../errors.ts'

export { Separator }

type Config<P extends (config: never, context?: never) => unknown> = Parameters<P>[0]

/** The prompts of this tool: inquirer's, on standard error, with a Ctrl-C that main.ts understands. */
export interface Ask {
  input(config: Config<typeof input>): Promise<string>
  password(config: Config<typeof password>): Promise<string>
  confirm(config: Config<typeof confirm>): Promise<boolean>
  select<V>(config: Parameters<typeof select<V>>[0]): Promise<V>
}

/** Throws Interrupted when the person stops a prompt. */
export function ask({ host }: Context): Ask {
  const streams = { input: host.stdin, output: host.stderr }
  return {
    input: (config) => orInterrupted(input(config, streams)),
    password: (config) => orInterrupted(password(config, streams)),
    confirm: (config) => orInterrupted(confirm(config, streams)),
    select: (config) => orInterrupted(select(config, streams)),
  }
}

async function orInterrupted<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') {
      throw new Interrupted('SIGINT', 'Stopped. Nothing was sent.')
    }
    throw error
  }
}
