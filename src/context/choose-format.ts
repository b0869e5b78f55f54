import { extname } from 'node:path'
import { usage } from '../errors.ts'
import { type Format, outputFormats } from '../render/output.ts'
import { safeText } from '../render/text/safe-text.ts'
import type { GlobalOptions } from './context.ts'
import type { Host } from './host.ts'

/** The formats that the ending of a file names. */
const byEnding: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xlsx': 'xlsx',
}

/** Spreadsheets that are not written: a program would open JSON under such a name as a damaged file. */
const sheets: readonly string[] = ['.xls', '.ods', '.numbers', '.tsv', '.xlsm']

/**
 * The format of the result: a table on a terminal, and JSON into a pipe or a file, where nothing else is asked for. The ending of
 * --out names one too. Throws a usage failure for options that contradict each other or would have no effect.
 */
export function chooseFormat({ env, stdout }: Host, options: GlobalOptions): Format {
  const { json, output, out, query, raw } = options
  const typed = json ? 'json' : output
  const ending = out === undefined ? undefined : formatOfFile(out, typed !== undefined)
  if (typed && ending && typed !== ending) {
    const option = json ? '--json' : `-o ${typed}`
    throw usage(
      `--out ${safeText(out ?? '')} means ${ending}, and ${option} means ${typed}. Leave one of them out.`,
    )
  }
  if (raw && query === undefined) throw usage('--raw prints the result of --query: add a --query.')
  if (raw && typed && typed !== 'json')
    throw usage(`--raw prints plain text, and -o ${typed} asks for ${typed}.`)
  if (json && output && output !== 'json') throw usage(`--json and -o ${output} contradict each other.`)
  const format = typed ?? ending ?? fromEnvironment(env.PAYROLL_OUTPUT) ?? defaultFormat()
  if (format === 'xlsx' && out === undefined && !options.ownFile)
    throw usage('A workbook is a file: add --out with its name.')
  return format

  function defaultFormat(): Format {
    return isTerminal(stdout) && out === undefined ? 'table' : 'json'
  }
}

/**
 * The format that the ending of a file names; undefined for an ending that names none. Throws a usage failure for a
 * spreadsheet that is not written, unless the format `isTyped`.
 */
export function formatOfFile(path: string, isTyped: boolean): Format | undefined {
  const extension = extname(path).toLowerCase()
  if (sheets.includes(extension) && !isTyped)
    throw usage(`A file that ends in ${extension} cannot be written: use .xlsx or .csv.`)
  return byEnding[extension]
}

/** Throws a usage failure for options that would have no effect on a result in this format. */
export function assertEffective(format: Format, { excel, columns, query }: GlobalOptions): void {
  if (excel && format !== 'csv') throw usage('--excel writes CSV: add -o csv.')
  if (columns && query !== undefined) throw usage('--columns and --query both select: use one of them.')
}

function fromEnvironment(named: string | undefined): Format | undefined {
  if (!named) return undefined
  const format = outputFormats.find((each) => each === named)
  if (format) return format
  throw usage(`PAYROLL_OUTPUT is ${safeText(named)}; the formats are ${outputFormats.join(', ')}.`)
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

export const isTerminal = (stream: { readonly isTTY?: boolean }) => stream.isTTY === true
