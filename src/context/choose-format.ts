import { extname } from 'node:path'
import { usage } from '../errors.ts'
import {
  endingsOf,
  errorForms,
  type Format,
  formatAliases,
  formatNamedBy,
  formats,
  type OutputFormat,
  outputFormats,
} from '../render/formats.ts'
import { safeText } from '../render/text/safe-text.ts'
import { wordList } from '../text/words.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Host } from './host.ts'

/** A table on a terminal, and JSON elsewhere, unless something else is asked for. */
export function chooseFormat({ env, stdout }: Host, options: GlobalOptions): Format {
  const { out, query, raw } = options
  if (raw && query === undefined) throw usage('--raw prints the result of --query: add a --query.')
  // With --raw, or where the command encodes its file itself, any ending will do.
  const among = raw || options.encodesOutput ? undefined : outputFormats
  const byEnding = namedFormat(options, out, among)
  if (raw && byEnding && byEnding !== 'json') throw usage(`--raw prints plain text, and not ${byEnding}.`)
  const isToFile = fileOf(out) !== undefined
  const format = byEnding ?? fromEnvironment(env.PAYROLL_OUTPUT) ?? defaultFormat()
  const mayBeBinary = isToFile || options.encodesOutput || (out !== undefined && !isTerminal(stdout))
  if (formats[format].isBinary && !mayBeBinary)
    throw usage(`A file in ${format} is not text: add --out with its name.`)
  return format

  function defaultFormat(): Format {
    return isTerminal(stdout) && !isToFile ? 'table' : 'json'
  }
}

/** The file that --out names; undefined where it names standard output. */
export function fileOf(out: string | undefined): string | undefined {
  return out === '-' ? undefined : out
}

/**
 * The format that --json, -o or the ending of --out names. Throws a usage failure where they differ, and for
 * an ending that no format in `among` has.
 */
export function namedFormat(
  { json, output }: Pick<GlobalOptions, 'json' | 'output'>,
  out: string | undefined,
  among?: readonly Format[],
): Format | undefined {
  if (json && output && output !== 'json') throw usage(`--json and -o ${output} contradict each other.`)
  const format = json ? 'json' : output
  const path = fileOf(out) ?? ''
  const ofEnding = formatNamedBy(path, outputFormats)
  if (format && ofEnding && format !== ofEnding) {
    const option = json ? '--json' : `-o ${format}`
    throw usage(
      `--out ${safeText(path)} means ${ofEnding}, and ${option} means ${format}. Leave one of them out.`,
    )
  }
  if (among && !format && !ofEnding && extname(path) !== '') {
    throw usage(
      `--out ${safeText(path)} cannot be written: no format has the ending ${safeText(extname(path))}.`,
      `Use one of ${wordList(endingsOf(among), 'or')}, or name the format with -o.`,
    )
  }
  return format ?? ofEnding
}

/** Throws a usage failure for options that would have no effect on a result in this format. */
export function assertEffective(
  { takesExcel }: OutputFormat,
  { excel, columns, query }: GlobalOptions,
): void {
  if (excel && !takesExcel) throw usage('--excel writes CSV: add -o csv.')
  if (columns && query !== undefined) throw usage('--columns and --query both select: use one of them.')
}

function fromEnvironment(name: string | undefined): Format | undefined {
  if (!name) return undefined
  const format = outputFormats.find((each) => each === (formatAliases[name] ?? name))
  if (format) return format
  throw usage(`PAYROLL_OUTPUT is ${safeText(name)}; the formats are ${outputFormats.join(', ')}.`)
}

/** Throws a usage failure for a word in PAYROLL_ERRORS that names no form of an error. */
export function assertErrorForm(name: string | undefined): void {
  if (!name || errorForms.some((each) => each === name)) return
  throw usage(`PAYROLL_ERRORS is ${safeText(name)}; an error is printed as ${errorForms.join(' or ')}.`)
}

/** Whether a stream gets colours: no with --no-color or NO_COLOR, yes with FORCE_COLOR, or else on a colour terminal. */
export function wantsColour(
  { env }: Host,
  options: Pick<GlobalOptions, 'color'>,
  stream: { readonly isTTY?: boolean },
): boolean {
  if (options.color === false || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return isTerminal(stream) && env.TERM !== 'dumb'
}

/** Whether somebody reads a stream as it is written. */
export const isTerminal = (stream: { readonly isTTY?: boolean }) => stream.isTTY === true
