import { CommanderError } from 'commander'
import { wantsColour } from './context/colour.ts'
import type { GuardedHost, Host } from './context/host.ts'
import { exitCodes, Failure, Interrupted, isNoRoom, noRoom, signalExitCodes, usage } from './errors.ts'
import { createProgram } from './program.ts'
import { failureJson, failureText } from './render/failure-text.ts'
import { write } from './render/output.ts'
import { styleFor } from './render/text/style.ts'
import { guardStreams } from './secrets/guard-streams.ts'

/** One run: arguments and streams in, exit code out. The only place where a failure becomes an exit code. */
export async function main(host: Host, version: string): Promise<number> {
  const { argv, stdout, stderr } = host
  // Write errors are reported by the writes themselves; without a listener the event would crash the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  const commanderErrors: string[] = []
  const helpWrites: Promise<void>[] = []
  const secrets = guardStreams(host)
  // Before the command line is parsed, because an error message may quote it.
  secrets.hide(host.env.PAYROLL_API_KEY ?? '')
  // Not a copy: that would open standard input, which most commands leave alone.
  const guarded: GuardedHost = Object.assign(Object.create(host), { secrets })
  const program = createProgram(guarded, version, {
    out: (text) => helpWrites.push(write(stdout, text)),
    err: (text) => commanderErrors.push(text),
  })
  const stray = new Promise<never>((_, reject) => host.onUncaughtError?.(reject))
  try {
    const run = program.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' })
    await Promise.race([run.catch(ignoreHelpExit), stray])
    await Promise.all(helpWrites)
    return exitCodes.done
  } catch (error) {
    return await report(host, error, commanderErrors.join(''), secrets.flush)
  } finally {
    secrets.flush()
  }
}

/** Commander ends --help and --version with an error too. */
function ignoreHelpExit(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
}

/** Prints the failure and returns its exit code. Nothing of a foreign error is shown. */
async function report(host: Host, error: unknown, usageText: string, flush: () => void): Promise<number> {
  if (error instanceof CommanderError && error.code === 'commander.help' && !asksForJson(host.argv)) {
    host.stderr.write(usageText)
    return exitCodes.usage
  }
  // The reader of standard output has gone: `payroll … | head -1` is not an error.
  if (isSystemError(error) && error.code === 'EPIPE') return exitCodes.done
  const failure = error instanceof Interrupted ? error : asFailure(error)
  const colour = wantsColour(host, { color: !host.argv.includes('--no-color') }, host.stderr)
  const text = asksForJson(host.argv) ? failureJson(failure) : failureText(failure, styleFor(colour))
  if (failure instanceof Failure) {
    host.stderr.write(text)
    return exitCodes[failure.code]
  }
  // A terminal has echoed ^C on the current line.
  await write(host.stderr, `${host.stderr.isTTY ? '\n' : ''}${text}`).catch(() => {})
  // Raising the signal ends the process, so flush first.
  flush()
  host.raiseSignal(failure.signal)
  return signalExitCodes[failure.signal]
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError && error.code === 'commander.help') {
    return usage('The command is incomplete: a subcommand is missing.', 'See payroll --help.')
  }
  if (error instanceof CommanderError) {
    const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
    return usage(
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
      rest.join(' ') || 'See payroll --help.',
    )
  }
  if (isSystemError(error) && isNoRoom(error.code)) {
    return noRoom(`The system refused ${error.syscall} (${error.code}). The output may be incomplete.`)
  }
  if (isSystemError(error)) {
    return new Failure(
      'bug',
      `The system refused ${error.syscall} (${error.code}). The output may be incomplete.`,
    )
  }
  // The stack begins with the message, which may contain personal data.
  const stack = error instanceof Error ? error.stack?.replace(error.message, '') : undefined
  const where = /[^\s(/\\]+\.[cm]?[jt]s:\d+:\d+/.exec(stack ?? '')?.[0]
  const kind = error instanceof Error ? error.name : typeof error
  return new Failure('bug', `payroll itself failed (${kind}${where ? ` at ${where}` : ''}).`, {
    hint: 'This is a bug in the tool. If a record was being written, check whether it was saved before you run it again.',
  })
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string; syscall: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Whether JSON or NDJSON was chosen by an option; read from argv, because parsing it may be what failed. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  )
}
