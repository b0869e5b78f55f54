import { spawn } from 'node:child_process'
import type { Environment } from '../environment.ts'
import { Interrupted, type StopSignal } from '../errors.ts'
import type { PagedText } from '../render/renderer.ts'
import { isDumbTerminal } from '../render/text/style.ts'
import { neededEnvironment } from '../secrets.ts'
import type { Context } from './context.ts'
import type { SignalListener } from './signals.ts'

interface Pager {
  readonly command: string
  /** Named by the person, and run by a shell as they wrote it. */
  readonly isNamed: boolean
}

/** The pager of a terminal: PAYROLL_PAGER, PAGER, else less; undefined where none is wanted. */
export function choosePager(env: Environment): Pager | undefined {
  if (isDumbTerminal(env)) return undefined
  const name = env.PAYROLL_PAGER ?? env.PAGER
  if (name === undefined) return { command: 'less', isNamed: false }
  const command = name.trim()
  return command === '' || command === 'cat' ? undefined : { command, isNamed: true }
}

/** Whether the text was shown: a pager may be missing, or die. */
export async function showInPager(
  { command, isNamed }: Pager,
  text: string,
  {
    what,
    host,
    interruption,
    warn,
  }: Pick<Context, 'host' | 'interruption' | 'warn'> & { readonly what: PagedText },
): Promise<boolean> {
  const { env, stdout, secrets } = host
  const child = spawn(command, isNamed ? [] : ['-RX~', '-+F'], {
    shell: isNamed,
    stdio: ['pipe', stdout.fd ?? 'pipe', 'inherit'],
    // The prompt says how to go on, and at the end that Enter closes it: the next question is asked only
    // then. Not -F, whatever LESS says: it closes at once where the text alone fits, and what comes below
    // would move it off the screen.
    env: {
      ...neededEnvironment(env),
      LESS: env.LESS ?? 'ReXPs?eThat is all\\: Enter to close it:Space for more, q to close it.',
    },
  })
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', () => resolve('cannot be started'))
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    )
  })
  child.stdout?.on('data', (chunk) => stdout.write(chunk))
  // A reader who has seen enough leaves before the end of the text.
  child.stdin?.on('error', () => {})
  child.stdin?.end(secrets.redact(text))
  const stopped = holdSignals(interruption, what, () => child.kill())
  const problem = await ended
  const signal = stopped()
  if (signal && what === 'plan') throw new Interrupted(signal, 'Stopped.', { outcome: 'not-sent' })
  if (signal) throw new Interrupted(signal, 'Stopped while the list was shown.')
  if (problem && isNamed) warn(`the pager ${command} ${problem}; this is the list without it.`)
  return problem === undefined
}

/**
 * Ends the pager at a stop signal; of an answer, Ctrl-C is left to it. Returns a function that stops
 * listening and gives that signal.
 */
function holdSignals(
  interruption: SignalListener,
  what: PagedText,
  kill: () => void,
): () => StopSignal | undefined {
  let received: StopSignal | undefined
  let release = () => {}
  const listen = () => {
    release = interruption.onNextSignal((signal) => {
      if (signal !== 'SIGINT' || what === 'plan') {
        received = signal
        kill()
      } else listen()
    })
  }
  listen()
  return () => {
    release()
    return received
  }
}
