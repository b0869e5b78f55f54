import { InvalidArgumentError } from 'commander'
import { limits } from '../api/contract/operations/operation.ts'
import { defaultVariant, type VariantId, variants } from '../api/contract/variants.ts'
import { readEndings } from '../table/read-formats.ts'

/** The values of an option that may be given several times. */
const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** A whole number from a smallest to a largest. Throws commander's own error: exit 2. */
export function whole(smallest: number, largest = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= smallest && number <= largest) return number
    const range = largest === Number.MAX_SAFE_INTEGER ? `from ${smallest}` : `from ${smallest} to ${largest}`
    throw new InvalidArgumentError(`Expected a whole number ${range}.`)
  }
}

/** One of these words. Throws commander's own error: exit 2. */
function oneOf(words: readonly string[]): (value: string) => string {
  return (value) => {
    if (words.includes(value)) return value
    throw new InvalidArgumentError(`Expected one of: ${words.join(', ')}.`)
  }
}

/** The options about the journal that several computers share. */
interface JournalOptions {
  readonly journal?: string
  readonly sql?: boolean
}

const journalDeclarations = {
  journal: {
    flags: '--journal <address>',
    summary: 'the PostgreSQL database that several computers share, without a password; or none',
  },
  sql: { flags: '--sql', summary: 'print the SQL instead, with the rights that payroll needs' },
} as const

export type { OptionName, Options }

interface Declaration {
  readonly flags: string
  readonly summary: string
  /** The words that it takes, where they are known. */
  readonly values?: readonly string[]
  readonly parse?: (value: string, before: never) => unknown
}

const variantDeclarations = Object.fromEntries(
  variants.map((variant) => {
    const summary =
      variant.displayName +
      (variant === defaultVariant
        ? ' (the default, unless the profile or PAYROLL_COUNTRY says otherwise)'
        : '')
    return [variant.id, { flags: variant.flag, summary }]
  }),
) as Record<VariantId, Declaration>

/** When `create` or `update` reads standard input, for its help. `others`: what else says what to write, `--edit`. */
export function standardInputNote(...others: readonly string[]): string {
  const options = ['--set', '--set-raw', '--unset', ...others]
  return `Piped JSON is read without --file where nothing else says what to write. With ${options.slice(0, -1).join(', ')} or ${options.at(-1)}, standard input is left alone, for loops; --file - reads it too. What get prints can be changed and sent back.`
}

/** Every option once: how it is typed, and what it does. */
export const optionDeclarations: Readonly<Record<OptionName, Declaration>> = {
  ...variantDeclarations,
  file: { flags: '--file <path>', summary: 'read the JSON from this file; - means standard input' },
  set: {
    flags: '--set <path=value>',
    summary: 'set one field, read as in the form; it wins over any other value (repeatable)',
    parse: collect,
  },
  setRaw: {
    flags: '--set-raw <path=text>',
    summary: 'the same, sent as it stands',
    parse: collect,
  },
  unset: { flags: '--unset <path>', summary: 'clear one field (repeatable)', parse: collect },
  from: {
    flags: '--from <id | file>',
    summary: 'start from a copy of the record with this id or reference, or from a JSON file',
  },
  dryRun: { flags: '--dry-run', summary: 'check everything, show what would happen, and send nothing' },
  changes: { flags: '--changes', summary: 'print what was changed instead of the record' },
  mask: { flags: '--mask', summary: 'hide numbers and birth dates in the form; Ctrl-T shows them' },
  find: {
    flags: '--find',
    summary: 'look the new record up by its agencyRef when the service returns no id',
  },
  unique: {
    flags: '--unique',
    summary: 'fail (exit 6) and send nothing if a record has the same reference already',
  },
  samePerson: {
    flags: '--same-person',
    summary: 'send a person whom the service seems to have already under another reference',
  },
  incomplete: {
    flags: '--incomplete',
    summary: 'send a candidate without a forename or surname too',
  },
  allowMissing: {
    flags: '--allow-missing <field>',
    summary:
      'send the record although it came back without this field or section, such as bank; give it again for another',
    parse: collect,
  },
  edit: { flags: '--edit', summary: 'edit the record as JSON in your editor ($VISUAL or $EDITOR)' },
  legacy: { flags: '--legacy', summary: 'use the older version of this list (v1)' },
  employee: {
    flags: '--employee <id>',
    summary:
      'the person whose documents these are, by id or by your own reference; to read, the first 6 characters of the id will do; id: or reference: before it says which it is',
  },
  id: { flags: '--id', summary: 'what names the record is its id: no list is read' },
  reference: { flags: '--reference', summary: 'what names the record is its reference, and not an id' },
  upload: { flags: '--upload <path>', summary: 'the file to upload as the document, at most 16 MiB' },
  force: { flags: '--force', summary: 'overwrite an existing file' },
  out: { flags: '--out <path>', summary: 'write to this file; - is standard output' },
  page: { flags: '--page <n>', summary: 'read only this page', parse: whole(1) },
  size: {
    flags: '--size <n>',
    summary: `read one page of this many items, at most ${limits.maximumSize}`,
    parse: whole(1, limits.maximumSize),
  },
  where: {
    flags: '--where <condition>',
    summary: 'show only items that match, as the examples do; give it again to narrow further',
    parse: collect,
  },
  sort: { flags: '--sort <field>', summary: 'in the order of this field; -field for the reverse order' },
  limit: {
    flags: '--limit <n>',
    summary: 'at most this many items, after --where and --sort',
    parse: whole(1),
  },
  consistent: {
    flags: '--consistent',
    summary: 'fail (exit 10) if the list changes while it is being read',
  },
  sinceLast: {
    flags: '--since-last <name>',
    summary: 'only records that no earlier run with this name has written',
  },
  expectMin: {
    flags: '--expect-min <n>',
    summary: 'fail (exit 10) and write nothing if there are fewer records than this',
    parse: whole(1),
  },
  baseUrl: { flags: '--base-url <url>', summary: 'the address of the service' },
  prefix: { flags: '--prefix <segment>', summary: 'the first segment of every path (default: svc)' },
  country: {
    flags: '--country <country>',
    summary: 'the country of commands that name none: uk or ireland',
    parse: oneOf(variants.map(({ id }) => id)),
    values: variants.map(({ id }) => id),
  },
  ...journalDeclarations,
  protected: { flags: '--protected', summary: 'ask for confirmation before every write' },
  unprotected: { flags: '--unprotected', summary: 'write without asking for confirmation' },
  authorization: {
    flags: '--authorization <form>',
    summary: "how the key is presented: '{token}' (the default), 'Bearer {token}', 'X-Api-Key: {token}'",
  },
  readOnly: { flags: '--read-only', summary: 'refuse every write (exit 2), before anything is sent' },
  writable: { flags: '--writable', summary: 'allow writes again' },
  withToken: {
    flags: '--with-token',
    summary: 'read the secret from standard input instead of asking for it',
  },
  paginate: { flags: '--paginate', summary: 'read every page of a list, as one array' },
  refresh: { flags: '--refresh', summary: 'exchange a refresh token instead of an authorization code' },
  store: {
    flags: '--store',
    summary: 'save the tokens in the profile and use them from now on, instead of printing them',
  },
  save: { flags: '--save', summary: 'store the paths that were found in the profile' },
  clientId: { flags: '--client-id <id>', summary: 'the id of the client application' },
  redirectPort: {
    flags: '--redirect-port <n>',
    summary: 'the port of 127.0.0.1 that the browser is sent back to (default: any that is free)',
    parse: whole(1, 65_535),
  },
  authorizeUrl: {
    flags: '--authorize-url <url>',
    summary: 'the consent page of auth login --browser (default: the one that auth.connectUrl answers)',
  },
  keyStore: {
    flags: '--key-store <place>',
    summary:
      'where its key lies: file (the default) or keyring, that of the system; a stored key moves there',
    parse: oneOf(['file', 'keyring']),
    values: ['file', 'keyring'],
  },
  keyCommand: {
    flags: '--key-command <command>',
    summary: "a command that prints the key, such as 'pass show payroll', run without a shell; '' for none",
  },
  keyCommandTimeout: {
    flags: '--key-command-timeout <seconds>',
    summary: 'how long the key command may take, such as one that asks for a passphrase (default: 5)',
    parse: whole(1, 600),
  },
  key: { flags: '--key', summary: 'sign in with an API key' },
  browser: { flags: '--browser', summary: 'sign in by consent in the browser' },
  withSecret: {
    flags: '--with-secret',
    summary: 'ask for the secret of the client application, or read it from the first line of standard input',
  },
  redirectUri: {
    flags: '--redirect-uri <uri>',
    summary: 'the address the browser is sent back to, as registered for the client application',
  },
  answer: { flags: '--answer', summary: 'the record as the service returns it, not as it is sent' },
  all: { flags: '--all', summary: 'every field, not only the essential ones' },
  example: { flags: '--example', summary: 'with made-up values' },
  payslips: {
    flags: '--payslips <n>',
    summary: 'how many payslips there should be in total (default: 120)',
    parse: whole(0, 1_000_000),
  },
  port: {
    flags: '--port <n>',
    summary: 'the port to listen on (default: 4010); 0 picks a free one',
    parse: whole(0, 65_535),
  },
  database: { flags: '--database <file>', summary: 'use this database file instead of the usual one' },
  fault: {
    flags: '--fault <name[=rate][@operation]>',
    summary:
      'make requests fail: which fault, how often, and on which operation (repeatable; explained below)',
    parse: collect,
  },
  parameter: {
    flags: '--parameter <name=other>',
    summary: 'what the service calls a parameter of auth.token or auth.connectUrl (repeatable)',
    parse: collect,
  },
  bodyAs: {
    flags: '--body-as <encoding>',
    summary: 'how the body of auth.token is sent: form or json',
    parse: oneOf(['form', 'json']),
    values: ['form', 'json'],
  },
  tokenLifetime: {
    flags: '--token-lifetime <seconds>',
    summary: 'how long an access token lasts (default: 3600)',
    parse: whole(1, 86_400),
  },
  map: {
    flags: '--map <file>',
    summary:
      'a JSON file that says which heading means which field; or: remembered, to use the last one again',
  },
  dateFormat: {
    flags: '--date-format <order>',
    summary: 'the order in dates such as 03/04/2026: dmy, mdy or ymd',
    parse: oneOf(['dmy', 'mdy', 'ymd']),
    values: ['dmy', 'mdy', 'ymd'],
  },
  encoding: {
    flags: '--encoding <name>',
    summary: 'the text encoding of the file if it is not UTF-8, such as windows-1252',
  },
  settle: {
    flags: '--settle <seconds>',
    summary: 'how long to wait before looking for a row whose response was lost (default: 60)',
    parse: whole(0, 86_400),
  },
  concurrency: {
    flags: '--concurrency <n>',
    summary: 'how many requests to send at the same time, at most (default: 4)',
    parse: whole(1, 64),
  },
  rejects: {
    flags: '--rejects <file>',
    summary:
      'the file for refused rows (default: next to the input, as starters.rejects.csv for starters.csv)',
  },
  readyOnly: {
    flags: '--ready-only',
    summary: 'create the rows that are ready, and put the others into the rejects file (exit 9)',
  },
  results: {
    flags: '--results <file>',
    summary: `write the rows to this file, each with outcome, id and time: ${readEndings}`,
  },
}

/** The options of the verbs, after parsing. */
interface Options extends Readonly<Partial<Record<VariantId, boolean>>>, JournalOptions {
  readonly file?: string
  readonly from?: string
  readonly set?: readonly string[]
  readonly setRaw?: readonly string[]
  readonly unset?: readonly string[]
  readonly dryRun?: boolean
  readonly changes?: boolean
  readonly find?: boolean
  readonly unique?: boolean
  readonly incomplete?: boolean
  readonly allowMissing?: readonly string[]
  readonly samePerson?: boolean
  readonly mask?: boolean
  readonly edit?: boolean
  readonly legacy?: boolean
  readonly employee?: string
  readonly id?: boolean
  readonly reference?: boolean
  readonly upload?: string
  readonly force?: boolean
  readonly out?: string
  readonly page?: number
  readonly size?: number
  readonly limit?: number
  readonly where?: readonly string[]
  readonly sort?: string
  readonly consistent?: boolean
  readonly sinceLast?: string
  readonly expectMin?: number
  readonly baseUrl?: string
  readonly prefix?: string
  readonly country?: string
  readonly protected?: boolean
  readonly unprotected?: boolean
  readonly authorization?: string
  readonly readOnly?: boolean
  readonly writable?: boolean
  readonly withToken?: boolean
  readonly paginate?: boolean
  readonly refresh?: boolean
  readonly store?: boolean
  readonly save?: boolean
  readonly clientId?: string
  readonly redirectUri?: string
  readonly redirectPort?: number
  readonly authorizeUrl?: string
  readonly keyStore?: string
  readonly keyCommand?: string
  readonly keyCommandTimeout?: number
  readonly key?: boolean
  readonly browser?: boolean
  readonly withSecret?: boolean
  readonly answer?: boolean
  readonly all?: boolean
  readonly example?: boolean
  readonly payslips?: number
  readonly port?: number
  readonly database?: string
  readonly fault?: readonly string[]
  readonly tokenLifetime?: number
  readonly parameter?: readonly string[]
  readonly bodyAs?: 'form' | 'json'
  readonly map?: string
  readonly dateFormat?: 'dmy' | 'mdy' | 'ymd'
  readonly encoding?: string
  readonly settle?: number
  readonly concurrency?: number
  readonly rejects?: string
  readonly readyOnly?: boolean
  readonly results?: string
}

type OptionName = keyof Options
