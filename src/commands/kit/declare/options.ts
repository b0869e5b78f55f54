import { InvalidArgumentError } from 'commander'
import { limits } from '../../../api/contract/operations/limits.ts'
import { defaultVariant, type VariantId, variants } from '../../../api/contract/variants.ts'
import { type ExportFormat, exportFormats } from '../../../export/export-format.ts'

/** The options of the verbs, after parsing. */
export interface Options extends Readonly<Partial<Record<VariantId, boolean>>> {
  readonly file?: string
  readonly from?: string
  readonly set?: readonly string[]
  readonly dryRun?: boolean
  readonly find?: boolean
  readonly edit?: boolean
  readonly legacy?: boolean
  readonly employee?: string
  readonly upload?: string
  readonly force?: boolean
  readonly out?: string
  readonly page?: number
  readonly size?: number
  readonly limit?: number
  readonly consistent?: boolean
  readonly format?: ExportFormat
  readonly sinceLast?: string
  readonly expectMin?: number
  readonly baseUrl?: string
  readonly prefix?: string
  readonly protected?: boolean
  readonly unprotected?: boolean
  readonly withToken?: boolean
  readonly paginate?: boolean
  readonly refresh?: boolean
  readonly store?: boolean
  readonly clientId?: string
  readonly redirectUri?: string
  readonly answer?: boolean
  readonly essential?: boolean
  readonly csv?: boolean
  readonly payslips?: number
  readonly port?: number
  readonly database?: string
  readonly fault?: readonly string[]
  readonly map?: string
  readonly dateFormat?: 'dmy' | 'mdy' | 'ymd'
  readonly encoding?: string
  readonly settle?: number
  readonly concurrency?: number
  readonly rejects?: string
  readonly resume?: boolean
}

export type OptionName = keyof Options

interface Declaration {
  readonly flags: string
  readonly summary: string
  readonly parse?: (value: string, before: never) => unknown
}

const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** A whole number from a smallest to a largest. Throws commander's own error: exit 2. */
export function whole(smallest: number, largest = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= smallest && number <= largest) return number
    const range = largest === Number.MAX_SAFE_INTEGER ? `from ${smallest}` : `from ${smallest} to ${largest}`
    throw new InvalidArgumentError(`It is a whole number ${range}.`)
  }
}

/** One of these words. Throws commander's own error: exit 2. */
function oneOf(words: readonly string[]): (value: string) => string {
  return (value) => {
    if (words.includes(value)) return value
    throw new InvalidArgumentError(`It is ${words.join(', ')}.`)
  }
}

const variantDeclarations = Object.fromEntries(
  variants.map((variant) => {
    const summary = variant.displayName + (variant === defaultVariant ? ' (the default)' : '')
    return [variant.id, { flags: variant.flag, summary }]
  }),
) as Record<VariantId, Declaration>

/** Every option once: how it is typed, and what it does. */
export const optionDeclarations: Readonly<Record<OptionName, Declaration>> = {
  ...variantDeclarations,
  file: { flags: '--file <path>', summary: 'read JSON from a file; - is standard input' },
  set: {
    flags: '--set <path=value>',
    summary: 'set one field, on top of everything else (repeatable)',
    parse: collect,
  },
  from: {
    flags: '--from <id | file>',
    summary: 'start from a record by its id, or from a JSON file (a name with a dot or a slash)',
  },
  dryRun: { flags: '--dry-run', summary: 'show the request and its warnings, and send nothing' },
  find: { flags: '--find', summary: 'look the record up by its agencyRef when the service returns no id' },
  edit: { flags: '--edit', summary: 'change the record as JSON in $VISUAL or $EDITOR' },
  legacy: { flags: '--legacy', summary: 'the older form, v1' },
  employee: { flags: '--employee <id>', summary: 'whose documents: the identifier of the person' },
  upload: { flags: '--upload <path>', summary: 'the file that becomes the document, at most 16 MiB' },
  force: { flags: '--force', summary: 'overwrite a file that is there' },
  out: { flags: '--out <path>', summary: 'write to this file; a document, or into this folder' },
  page: { flags: '--page <n>', summary: 'only this page', parse: whole(1) },
  size: {
    flags: '--size <n>',
    summary: `items of that page, at most ${limits.maximumSize}`,
    parse: whole(1, limits.maximumSize),
  },
  limit: { flags: '--limit <n>', summary: 'stop after this many items', parse: whole(1) },
  consistent: {
    flags: '--consistent',
    summary: 'fail (exit 10) when the list changes while it is read, whatever was read',
  },
  format: {
    flags: '--format <form>',
    summary: `${exportFormats.join(', ')}; the ending of --out says it too, and csv is the default`,
    parse: oneOf(exportFormats),
  },
  sinceLast: {
    flags: '--since-last <name>',
    summary: 'only what no earlier run under this name has written',
  },
  expectMin: {
    flags: '--expect-min <n>',
    summary: 'with fewer than this write nothing, and exit 10',
    parse: whole(1),
  },
  baseUrl: { flags: '--base-url <url>', summary: 'the address of the service' },
  prefix: { flags: '--prefix <segment>', summary: 'what stands in front of every path, svc unless set' },
  protected: { flags: '--protected', summary: 'ask before every write' },
  unprotected: { flags: '--unprotected', summary: 'do not ask before a write' },
  withToken: { flags: '--with-token', summary: 'read the key from standard input, without asking' },
  paginate: { flags: '--paginate', summary: 'every page of a list, as one array' },
  refresh: { flags: '--refresh', summary: 'what is read is a refresh token, not an authorization code' },
  store: {
    flags: '--store',
    summary: 'keep the tokens beside the key of the profile, use them from now on, and print none',
  },
  clientId: { flags: '--client-id <id>', summary: 'the client application' },
  redirectUri: { flags: '--redirect-uri <uri>', summary: 'where the authorization code was sent' },
  answer: { flags: '--answer', summary: 'as the service answers it, not as it is sent' },
  essential: { flags: '--essential', summary: 'only the fields that everybody has' },
  csv: { flags: '--csv', summary: 'one row of a spreadsheet, under the paths of the fields' },
  payslips: {
    flags: '--payslips <n>',
    summary: 'how many payslips there are to be (120)',
    parse: whole(0, 1_000_000),
  },
  port: { flags: '--port <n>', summary: 'the port; 0 takes a free one', parse: whole(0, 65_535) },
  database: { flags: '--database <file>', summary: 'another database than the one of the sandbox profile' },
  fault: {
    flags: '--fault <name[=rate][@operation]>',
    summary:
      'what goes wrong, how often (5%, first:2; always) and where (writes, reads, or an id) (repeatable)',
    parse: collect,
  },
  map: { flags: '--map <file>', summary: 'which column fills which field, as a JSON object' },
  dateFormat: {
    flags: '--date-format <order>',
    summary: 'how dates are written where that is not plain: dmy, mdy or ymd',
    parse: oneOf(['dmy', 'mdy', 'ymd']),
  },
  encoding: { flags: '--encoding <name>', summary: 'of the file, where it is not UTF-8: windows-1252' },
  settle: {
    flags: '--settle <seconds>',
    summary: 'how long a request without an answer may still arrive (60)',
    parse: whole(0, 86_400),
  },
  concurrency: {
    flags: '--concurrency <n>',
    summary: 'requests under way at once, at most (4)',
    parse: whole(1, 64),
  },
  rejects: { flags: '--rejects <file>', summary: 'where refused rows go (beside the file, as .rejects)' },
  resume: { flags: '--resume', summary: 'go on where an earlier run stopped, as it does without' },
}
