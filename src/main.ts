import { CommanderError } from 'commander'
import { type Host, wantsColour } from './context.ts'
import { exitCodes, Failure, Interrupted, usage } from './errors.ts'
import { createProgram } from './program.ts'
import { failureJson, failureText } from './render/failure.ts'
import { styleFor } from './render/style.ts'
import { guardStreams } from './secrets/guard.ts'

/** One run: arguments and streams in, exit code out. The only place where a failure becomes a number. */
export async function main(host: Host, version: string): Promise<number> {
  const said: string[] = []
  const secrets = guardStreams(host)
  // Known before a word of the command is read, and so before one can be complained of.
  secrets.keep(host.env.PAYROLL_API_KEY ?? '')
  const program = createProgram({ ...host, secrets }, version, {
    out: (text) => host.stdout.write(text),
    err: (text) => said.push(text),
  })
  const reader = whenReaderLeaves(host)
  const stray = new Promise<never>((_, reject) => host.onStray?.(reject))
  try {
    const argv = host.argv.length === 0 ? ['--help'] : host.argv
    await Promise.race([program.parseAsync(argv, { from: 'user' }), reader, stray])
    return exitCodes.done
  } catch (error) {
    return report(host, error, said.join(''))
  } finally {
    secrets.flush()
  }
}

/** Rejects when nobody reads standard output any more. `payroll … | head -1` is no error. */
function whenReaderLeaves({ stdout, stderr }: Host): Promise<never> {
  // Whoever closed standard error wants no messages.
  stderr.on('error', () => {})
  return new Promise((_, reject) => stdout.on('error', reject))
}

/** Says what went wrong and gives its exit code. Nothing of an error that is not ours is shown. */
function report(host: Host, error: unknown, said: string): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
  if (error instanceof CommanderError && error.code === 'commander.help' && !asksForJson(host.argv)) {
    host.stderr.write(said)
    return exitCodes.usage
  }
  if (isSystemError(error) && error.code === 'EPIPE') return exitCodes.done
  if (error instanceof Interrupted) {
    host.stderr.write(`\n${error.message}\n`)
    host.raise(error.signal)
    return error.signal === 'SIGINT' ? 130 : 143
  }
  const failure = asFailure(error)
  const colour = wantsColour(host, { color: !host.argv.includes('--no-color') }, host.stderr)
  host.stderr.write(asksForJson(host.argv) ? failureJson(failure) : failureText(failure, styleFor(colour)))
  return exitCodes[failure.code]
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError && error.code === 'commander.help') {
    return usage('Something is missing: what to do, after what to do it with.', 'See payroll --help.')
  }
  if (error instanceof CommanderError) {
    const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
    return usage(
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
      rest.join(' ') || 'See payroll --help.',
    )
  }
  if (isSystemError(error)) {
    return new Failure(
      'bug',
      `The system refused ${error.syscall} (${error.code}). The answer may not be whole.`,
    )
  }
  // The stack begins with the message, which may hold anything.
  const stack = error instanceof Error ? error.stack?.replace(error.message, '') : undefined
  const where = /^ +at (.*)/m.exec(stack ?? '')?.[1]
  const kind = error instanceof Error ? error.name : typeof error
  return new Failure('bug', `payroll itself failed (${kind}${where ? ` at ${where}` : ''}).`, {
    hint: 'This is a bug in the tool. If a record was being written, look whether it is there before you run it again.',
  })
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string; syscall: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Whether JSON or NDJSON was chosen by flag; read from the words, because they may be what could not be parsed. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  )
}
