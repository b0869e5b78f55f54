import type { Readable, Writable } from 'node:stream'
import type { Client } from '../api/client.ts'
import { type StopSignal, usage } from '../errors.ts'
import { outFile } from '../files/out-file.ts'
import type { Profile } from '../profile/resolve.ts'
import type { Settings } from '../profile/settings.ts'
import { createOutput, type Format, formats, type Output } from '../render/output.ts'
import { safeText } from '../render/text/safe-text.ts'
import { type Style, styleFor } from '../render/text/style.ts'
import type { Secrets } from '../secrets/guard-streams.ts'
import type { ConnectOptions } from './create-client.ts'
import { listenForSignals, type SignalListener } from './signals.ts'
import { appliedButNotPrinted, trackWrites, type WriteTracker } from './write-tracker.ts'

/** The machine a run happens on: what main.ts takes from the process, and tests hand in. */
export interface Host {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never run backwards. */
  readonly monotonicNow: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Calls at each signal that asks to stop, which ends nothing by itself from then on. Returns how to stop listening. */
  readonly onSignal: (heard: (signal: StopSignal) => void) => () => void
  /** Ends this process by a signal, as if it had never been caught. */
  readonly raiseSignal: (signal: StopSignal) => void
  /** Calls with an error that nobody caught, which Node would print with all that it holds. */
  readonly onUncaughtError?: (tell: (error: unknown) => void) => void
  /** The version of Node: `20.19.4`. */
  readonly node?: string
}

/** The machine, and what neither of its streams may show. */
export interface GuardedHost extends Host {
  readonly secrets: Secrets
}

/** The options that every command understands. */
export interface GlobalOptions {
  readonly profile?: string
  readonly output?: Format
  readonly json?: boolean
  readonly quiet?: boolean
  readonly debug?: boolean
  readonly color?: boolean
  readonly input?: boolean
  readonly yes?: boolean
  readonly timeout?: number
  readonly reveal?: boolean
  readonly columns?: readonly string[]
  readonly query?: string
  readonly excel?: boolean
  /** Where the answer goes instead of standard output. */
  readonly out?: string
}

/** What a command is handed. Everything that costs anything is made when it is asked for. */
export interface Context {
  readonly host: GuardedHost
  /** Of this tool. */
  readonly version: string
  readonly options: GlobalOptions
  /** Whether somebody sits there who can be asked. */
  readonly interactive: boolean
  readonly output: Output
  /** The same in a form of its own, whatever was asked for. */
  outputAs(format: Format): Output
  /** For what stands on standard error. */
  readonly style: Style
  /** What was done at the service so far. */
  readonly writes: WriteTracker
  /** How the run hears that it is to stop. */
  readonly interruption: SignalListener
  /** Today in the form of a date field. */
  today(): string
  /** Where everything is kept that this tool keeps. */
  directory(): Promise<string>
  settings(): Promise<Settings>
  profile(): Promise<Profile>
  /** The client of the profile in force. Throws a Failure when there is no address or no key. */
  client(): Promise<Client>
  /** A client of another profile, or one that is listened to. Throws as `client` does. */
  clientOf(profile: Profile, others?: Partial<ConnectOptions>): Promise<Client>
  /** Writes the file of --out, whole, once the answer is complete. */
  finish(): Promise<void>
  /** Leaves nothing behind of a file that was not finished. */
  discard(): Promise<void>
  /** A line for the person, on standard error; not with --quiet. */
  note(text: string): void
  /** A line that matters even when all else is quiet. */
  warn(text: string): void
}

const defaultTimeoutSeconds = 120

/**
 * `version`: of this tool. `lookUp`: the command that shows what became of a write. Signals are listened for from here
 * on.
 */
export function createContext(
  host: GuardedHost,
  options: GlobalOptions,
  version = '',
  lookUp?: string,
): Context {
  const { env, stdin, stdout, stderr, secrets } = host
  const interactive =
    isTerminal(stdin) && isTerminal(stderr) && options.input !== false && !env.PAYROLL_NO_INPUT && !env.CI
  const style = styleFor(wantsColour(host, options, stderr))
  const say = (text: string) => stderr.write(`${text}\n`)
  const work = trackWrites(lookUp)

  const directory = once(async () => (await import('../files/private-directory.ts')).settingsDirectory(env))
  const settings = once(async () => {
    const { readSettings } = await import('../profile/settings.ts')
    const { clearLeftovers } = await import('../files/leftovers.ts')
    const { settings, warnings } = await readSettings(await directory())
    await clearLeftovers(await directory())
    for (const { key } of Object.values(settings.keys)) secrets.hide(key)
    for (const { access, refresh = '' } of Object.values(settings.tokens ?? {})) {
      secrets.hide(access)
      secrets.hide(refresh)
    }
    for (const warning of warnings) context.warn(warning)
    return settings
  })
  const profile = once(async () => {
    const { resolveProfile } = await import('../profile/resolve.ts')
    const flag = options.profile === undefined ? {} : { flag: options.profile }
    const resolved = await resolveProfile({ ...flag, env, settings, terminal: interactive })
    if (resolved.fallback) {
      say(style.caution('Sandbox: nothing is configured, so nothing reaches a real service.'))
    }
    return resolved
  })
  const clientOf: Context['clientOf'] = async (profile, others) => {
    const { createClientOf } = await import('./create-client.ts')
    return createClientOf(profile, {
      host,
      directory,
      note: context.note,
      onTrackedEvent: work.onEvent,
      timeoutMs: (options.timeout ?? defaultTimeoutSeconds) * 1000,
      reveal: options.reveal ?? false,
      ...(options.debug && { debug: (line: string) => say(style.dim(safeText(line))) }),
      ...others,
    })
  }
  const client = once(async () => clientOf(await profile()))

  const out = options.out === undefined ? undefined : outFile(options.out)
  const outputAs = (format: Format) =>
    createOutput({
      stream: out ?? stdout,
      onUnwritable: (error) => {
        if (!('code' in error && error.code === 'EPIPE' && work.write()))
          throw appliedButNotPrinted(error, work)
      },
      format,
      colour: !out && wantsColour(host, options, stdout),
      terminal: !out && isTerminal(stdout),
      // Some terminals say that they have no columns at all.
      width: !out && isTerminal(stdout) ? stdout.columns || undefined : undefined,
      reveal: options.reveal ?? false,
      columns: options.columns,
      query: options.query,
      excel: options.excel,
      spool: async () => {
        const [{ openSpool }, { ensurePrivateDirectory }] = await Promise.all([
          import('../files/spool.ts'),
          import('../files/private-directory.ts'),
        ])
        await ensurePrivateDirectory(await directory())
        return openSpool(await directory())
      },
    })
  const context: Context = {
    host,
    version,
    options,
    interactive,
    output: outputAs(chosenFormat(host, options)),
    outputAs,
    style,
    writes: work,
    interruption: listenForSignals(host, work),
    today: () => new Date(host.now()).toISOString().slice(0, 10),
    directory,
    settings,
    profile,
    client,
    clientOf,
    finish: async () =>
      out?.finish().catch((error: Error) => {
        throw appliedButNotPrinted(error, work)
      }),
    discard: async () => out?.discard(),
    note: (text) => void (options.quiet || say(safeText(text))),
    warn: (text) => void say(`${style.caution('Note:')} ${safeText(text)}`),
  }
  return context
}

/** "On a terminal the default is a table; into a pipe or a file it is JSON." */
function chosenFormat({ env, stdout }: Host, options: GlobalOptions): Format {
  const named = options.output ?? env.PAYROLL_OUTPUT
  if (options.json) return 'json'
  if (!named) return isTerminal(stdout) && options.out === undefined ? 'table' : 'json'
  const format = formats.find((each) => each === named)
  if (format) return format
  throw usage(`PAYROLL_OUTPUT is ${safeText(named)}; the formats are ${formats.join(', ')}.`)
}

/** Whether a stream gets colours: not with --no-color or NO_COLOR, with FORCE_COLOR, else on a terminal that has any. */
export function wantsColour(
  { env }: Host,
  options: Pick<GlobalOptions, 'color'>,
  stream: { readonly isTTY?: boolean },
): boolean {
  if (options.color === false || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return isTerminal(stream) && env.TERM !== 'dumb'
}

const isTerminal = (stream: { readonly isTTY?: boolean }) => stream.isTTY === true

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
