import { errorForms, formatAliases, outputFormats } from '../render/formats.ts'

/** An option as it is declared. Its name is the key that it stands under: `dryRun` is typed `--dry-run`. */
export interface Declaration {
  readonly summary: string
  /** One letter, as `o` for `-o`. */
  readonly short?: string
  /** What follows the option, as help shows it: `path` for `<path>`. Without it, the option stands alone. */
  readonly value?: string
  /** The value may be left out, and is `true` then. */
  readonly mayBeBare?: true
  readonly choices?: readonly string[]
  readonly aliases?: Readonly<Record<string, string>>
  /** It takes whole numbers: from the least, to the most where there is one. */
  readonly range?: readonly [least: number, most?: number]
  /** It takes a time, such as 90s or 2m; its value is in milliseconds. */
  readonly duration?: true
  /** It can be given several times; its value is a list. */
  readonly repeats?: true
  /** A second one would be lost without a word. */
  readonly isAlone?: true
  readonly commas?: true
  /** It is about one run, and left out where a command is printed to be typed again. */
  readonly ofOneRun?: true
  /** Typed with `--no-`; its value is false then. */
  readonly negated?: true
}

type OptionValue<Option> = Option extends { readonly repeats: true } | { readonly commas: true }
  ? readonly string[]
  : Option extends { readonly range: unknown } | { readonly duration: true }
    ? number
    : Option extends { readonly choices: readonly (infer Word)[] }
      ? Word
      : Option extends { readonly mayBeBare: true }
        ? string | true
        : Option extends { readonly value: string }
          ? string
          : boolean

/** The values of declared options; one that was not typed is left out. */
export type OptionValues<Declarations> = {
  readonly [Name in keyof Declarations]?: OptionValue<Declarations[Name]>
}

/** The options that every command understands. */
export const globalDeclarations = {
  profile: {
    value: 'name',
    summary: 'the service to use: production, development, sandbox, or one of your own',
  },
  output: {
    short: 'o',
    value: 'format',
    summary: 'the output format (default: a table on a terminal, else JSON)',
    choices: outputFormats,
    aliases: formatAliases,
  },
  json: { summary: 'the same as -o json: every field, as the service sent it' },
  columns: {
    value: 'paths',
    summary: 'the fields to show, in any format, such as id,bank.sortCode',
    commas: true,
  },
  query: {
    value: 'expression',
    summary: 'select from the result with a JMESPath expression; it orders numbers only',
  },
  raw: { short: 'r', summary: 'print the strings that --query selects without quotes, one to a line' },
  excel: { summary: 'write CSV as Excel expects it (byte-order mark, CRLF line ends)' },
  /** `src/main.ts` reads it from the words themselves, because parsing them may be what failed. */
  errors: {
    value: 'form',
    summary:
      'how an error is printed on standard error (default: json where the output is json or ndjson, else text)',
    choices: errorForms,
  },
  quiet: {
    short: 'q',
    summary: 'print the answer as without it, and besides only warnings and errors: no notes, no progress',
  },
  debug: {
    summary: 'print each request, its page, its status and how long it took, on standard error',
  },
  color: { negated: true, summary: 'print without colours' },
  input: { negated: true, summary: 'never ask a question' },
  yes: { short: 'y', summary: 'answer yes to every confirmation' },
  timeout: {
    value: 'seconds',
    summary: 'the time limit of each call to the service, retries included',
    range: [1, 86_400],
  },
  retryFor: {
    value: 'duration',
    summary:
      'how long a read is tried again, within --timeout, such as 2m; 0: once (default: 30s without a terminal, 10s with one)',
    duration: true,
  },
  pager: { negated: true, summary: 'show a long list at once, not page by page' },
  reveal: { summary: 'show account numbers, dates of birth and the like in full' },
} as const satisfies Readonly<Record<string, Declaration>>

/** The --out of every command that has none of its own. */
export const outDeclaration = {
  value: 'file',
  summary: 'write the result to this file: all of it or nothing, readable only by you; - is standard output',
} as const satisfies Declaration

/** The options that every command understands, after parsing. */
export interface GlobalOptions
  extends OptionValues<typeof globalDeclarations & { out: typeof outDeclaration }> {
  /** The command encodes its file itself: a workbook can go to a pipe, and any ending will do. Not typed by a person. */
  readonly encodesOutput?: true | undefined
}
