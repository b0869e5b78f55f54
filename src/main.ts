import { type Command, CommanderError } from 'commander'
import { commandPath, withEffect } from './commands/cli/register.ts'
import { wantsColour } from './context/choose-format.ts'
import type { Host, RedactingHost } from './context/host.ts'
import { exitCodes, Failure, Interrupted, isNoRoom, noRoom, signalExitCodes, usage } from './errors.ts'
import { createProgram, entries, helpFor } from './program.ts'
import { errorForms, formatAliases, formats, outputFormats } from './render/formats.ts'
import { write } from './render/output.ts'
import { styleFor } from './render/text/style.ts'
import { redactStreams, secretVariables } from './secrets.ts'
import { withProfile } from './text/named-commands.ts'

/** One run: arguments and streams in, exit code out. The only place where a failure becomes an exit code. */
export async function main(host: Host, version: string): Promise<number> {
  const { argv, stdout, stderr } = host
  // Write errors are reported by the writes themselves; without a listener the event would crash the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  const secrets = redactStreams(host)
  // Hidden before the command line is parsed, because an error of the parser may quote them.
  for (const name of secretVariables) secrets.hide(host.env[name] ?? '')
  // Extended and not copied: a copy would open standard input, which most commands leave alone.
  const redacting: RedactingHost = Object.assign(Object.create(host), { secrets })
  const program = createProgram(redacting, version)
  const uncaught = new Promise<never>((_, reject) => host.onUncaughtError?.(reject))
  try {
    // What was to hold a word together, or the value in it: cmd of Windows leaves single quotation marks there. Of a text that
    // is sent as it stands they may be a part.
    const isQuoted = (word: string, at: number, words: readonly string[]) =>
      words[at - 1] !== '--set-raw' && /(?:^|[^=!<>]=)'.*'$/s.test(word)
    if (beforeEnd(argv).some(isQuoted)) throw new CommanderError(2, 'payroll.quoted', '')
    const hasCountry = argv[0] !== 'complete' && argv.some((word) => word.startsWith('candidates.'))
    const words = hasCountry
      ? (await import('./commands/cli/record-types.ts')).moveCountryAfterVerb(argv, entries)
      : argv
    const run = program.parseAsync(argv.length === 0 ? ['--help'] : words, { from: 'user' })
    await Promise.race([run.catch((error) => endEarly(host, version, words, program, error)), uncaught])
    return exitCodes.done
  } catch (error) {
    return await report(host, error, program, secrets.flush)
  } finally {
    secrets.flush()
  }
}

/** Ends --help and --version, which commander ends with an error of exit code 0. Any other error is thrown again. */
async function endEarly(
  host: Host,
  version: string,
  argv: readonly string[],
  program: Command,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  const { commit, stdout } = host
  if (error.code === 'commander.version')
    return await write(stdout, `${[version, commit].filter(Boolean).join('+')}\n`)
  await write(stdout, await helpFor(typedWords(error, program), stdout, argv.length === 0))
}

/** The words of the command that an error of the command line is about, without `payroll`. */
const typedWords = (error: CommanderError, program: Command): string[] =>
  commandPath('command' in error ? (error.command as Command) : program)
    .split(' ')
    .slice(1)

/** Prints the failure and returns its exit code. The message of a foreign error is never shown. */
async function report(host: Host, error: unknown, program: Command, flush: () => void): Promise<number> {
  if (error instanceof CommanderError && error.code === 'commander.help' && !asksForJson(host)) {
    host.stderr.write(await helpFor(typedWords(error, program), host.stderr))
    return exitCodes.usage
  }
  // The reader of standard output has gone: `payroll … | head -1` is not an error.
  if (isSystemError(error) && error.code === 'EPIPE') return exitCodes.done
  const ended = await failureFor(error, program, host)
  const nouns = entries.map(({ name }) => name)
  const colour = wantsColour(host, { color: !host.argv.includes('--no-color') }, host.stderr)
  const { failureJson, failureText, reworded } = await import('./render/failure-text.ts')
  const failure = reworded(ended, (text) => withProfile(text, nouns, typedProfile(host), host.platform))
  const text = asksForJson(host)
    ? failureJson(failure, [...nouns, 'help'])
    : failureText(failure, styleFor(colour), host.stderr.isTTY ? host.stderr.columns : undefined)
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

async function failureFor(error: unknown, program: Command, host: Host): Promise<Failure | Interrupted> {
  if (error instanceof Failure || error instanceof Interrupted) return error
  if (error instanceof CommanderError) {
    const { usageFailure, verbOf } = await import('./commands/cli/usage-failure.ts')
    const verb = await verbOf(entries, typedWords(error, program), host.argv)
    const failure = usageFailure(error, entries)
    return verb ? failureFor(withEffect(failure, verb), program, host) : failure
  }
  // Node looks up the current folder, which somebody has deleted.
  if (isSystemError(error) && error.syscall === 'uv_cwd')
    return usage('The folder you are in no longer exists.', 'Change to another one, such as cd ~.')
  if (isSystemError(error)) {
    const message = `The system refused ${error.syscall} (${error.code}). The output may be incomplete.`
    return isNoRoom(error.code) ? noRoom(message) : new Failure('bug', message)
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

/** Whether errors are JSON, read from the words of the command, because parsing them may be what failed. */
function asksForJson({ argv, env }: Host): boolean {
  const words = beforeEnd(argv)
  const form = lastValue(words, /^--errors$/, /^--errors=(.*)$/) ?? env.PAYROLL_ERRORS
  if (errorForms.some((each) => each === form)) return form === 'json'
  const named = lastValue(words, /^(?:-o|--output)$/, /^(?:-o|--output=)(.+)$/) ?? env.PAYROLL_OUTPUT
  const format = outputFormats.find((each) => each === (formatAliases[named ?? ''] ?? named))
  return words.includes('--json') || (format !== undefined && formats[format].errors === 'json')
}

/** The profile that was named, read as `asksForJson` reads its words. */
const typedProfile = ({ argv }: Host) => lastValue(beforeEnd(argv), /^--profile$/, /^--profile=(.*)$/)

/** The words in which options are read: those before `--`. */
function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}

/** The value of the last option of this name: in the word after it, or in its own. */
function lastValue(words: readonly string[], alone: RegExp, withValue: RegExp): string | undefined {
  const values = words.flatMap((word, at) =>
    alone.test(word) ? [words[at + 1] ?? ''] : [withValue.exec(word)?.[1] ?? []].flat(),
  )
  return values.at(-1)
}
