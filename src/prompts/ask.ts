import { confirm, input, password, Separator, select } from '@inquirer/prompts'
import type { Context, Host } from '../context.ts'
import { Interrupted } from '../errors.ts'
import type { Style } from '../render/style.ts'

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
export function ask({ host, style, interruption }: Context): Ask {
  const prompting = <T>(open: (context: Opening) => Promise<T>) => orInterrupted(host, interruption, open)
  return {
    input: (config) => prompting((opening) => input(dressed(config, style), opening)),
    password: (config) =>
      prompting((opening) => password(dressed(config, style, passwordStyle(style)), opening)),
    confirm: (config) => prompting((opening) => confirm(dressed(config, style), opening)),
    select: (config) => prompting((opening) => select(dressed(config, style), opening)),
  }
}

/** In the styles of this run, which --no-color and a pipe take away; inquirer would look at standard output. */
function dressed<C extends { theme?: object }>(config: C, style: Style, special: object = {}): C {
  const own = config.theme as { style?: object } | undefined
  return {
    ...config,
    theme: {
      prefix: { idle: style.accent('?'), done: style.good('✔') },
      ...own,
      style: { ...styleOfAll(style), ...special, ...own?.style },
    },
  }
}

function styleOfAll(style: Style) {
  return {
    answer: style.accent,
    message: style.bold,
    error: (text: string) => style.bad(`! ${text}`),
    defaultAnswer: (text: string) => style.dim(`(${text})`),
    help: style.dim,
    highlight: style.accent,
    key: style.bold,
    disabled: style.dim,
    description: style.dim,
    keysHelpTip: (keys: [key: string, action: string][]) =>
      style.dim(keys.map((each) => each.join(' ')).join(' • ')),
  }
}

const passwordStyle = (style: Style) => ({
  keysHelpTip: () => style.dim('Ctrl-T shows what you type'),
})

interface Opening {
  readonly input: Host['stdin']
  readonly output: Host['stderr']
  readonly signal: AbortSignal
}

async function orInterrupted<T>(
  { stdin, stderr }: Host,
  interruption: Context['interruption'],
  open: (context: Opening) => Promise<T>,
): Promise<T> {
  const left = new AbortController()
  const signal = AbortSignal.any([left.signal, interruption.signal])
  const unwatch = whenAbandoned(stdin, () => left.abort())
  try {
    return await open({ input: stdin, output: stderr, signal })
  } catch (error) {
    if (interruption.signal.aborted) return await interruption.ended
    if (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name)) {
      throw new Interrupted('SIGINT', 'Stopped. Nothing was sent.')
    }
    throw error
  } finally {
    unwatch()
  }
}

/**
 * Readline lets go of its input without a word to the prompt: for good at Ctrl-D and at the end of the input, where
 * the prompt would wait for ever, and by mistake when the run goes on after Ctrl-Z. Calls `abandoned` for the one
 * and takes the input up again for the other. Returns how to stop watching.
 */
function whenAbandoned(stdin: Host['stdin'], abandoned: () => void): () => void {
  const unread = stdin.listenerCount('end')
  const look = () => {
    if (!stdin.listeners('pause').includes(paused)) return
    if (stdin.listenerCount('end') <= unread) abandoned()
    else stdin.resume()
  }
  const paused = () => void setImmediate(look)
  stdin.on('pause', paused)
  return () => stdin.off('pause', paused)
}
