import { InvalidArgumentError, Option } from 'commander'
import {
  type Declaration,
  globalDeclarations,
  type OptionValues,
  outDeclaration,
} from '../../context/global-options.ts'
import { keyStores } from '../../credentials/profile-words.ts'
import { defaults } from '../../defaults.ts'
import { readEndings } from '../../files/table/read-formats.ts'
import { type Country, type CountryId, countries, countryIds } from '../../model/countries/countries.ts'
import { limits, resourceName } from '../../model/records/operation.ts'
import { dateOrders } from '../../model/values/date-order.ts'
import { readDuration } from '../../text/duration.ts'
import { wordList } from '../../text/words.ts'

interface VerbOption extends Declaration {
  readonly conflicts?: readonly string[]
}

type CountryOption = { readonly summary: string; readonly conflicts: readonly CountryId[] }

const countryDeclarations = Object.fromEntries(
  countries.map((country): [CountryId, CountryOption] => {
    const conflicts = countryIds.filter((id) => id !== country.id)
    return [country.id, { summary: `for people paid ${country.inPlace}`, conflicts }]
  }),
) as Record<CountryId, CountryOption>

/**
 * The note of the help on when `create` or `update` reads standard input. `more`: more options that say
 * what to write, such as `--edit`.
 */
export function standardInputNote(...more: readonly string[]): string {
  const options = ['--set', '--set-raw', '--unset', ...more]
  return `In scripts: JSON from a pipe is read without --file where nothing else says what to write. With ${options.slice(0, -1).join(', ')} or ${options.at(-1)}, standard input is left alone, for loops; --file - reads it too. What get prints can be changed and sent back.`
}

const declarations = {
  ...countryDeclarations,
  file: { value: 'path', summary: 'read the JSON from this file; - means standard input' },
  set: {
    value: 'path=value',
    summary: 'set one field, read as in the form; it wins over any other value (repeatable)',
    repeats: true,
  },
  setRaw: { value: 'path=text', summary: 'the same, sent as it stands', repeats: true },
  unset: { value: 'field', summary: 'clear one field (repeatable)', repeats: true },
  from: {
    value: 'id | file',
    summary: 'start from a copy of the record with this id or reference, or from a JSON file',
    conflicts: ['file'],
  },
  dryRun: { ofOneRun: true, summary: 'check everything, show what would happen, and send nothing' },
  changes: { summary: 'print what was changed instead of the record' },
  mask: { summary: 'hide numbers and birth dates in the form' },
  find: {
    summary: 'look the new record up by its agencyRef when the service returns no id',
  },
  unique: {
    summary: 'fail (exit 6) and send nothing if a record has the same reference already',
  },
  samePerson: {
    summary: 'send a person whom the service seems to have already under another reference',
  },
  overlapping: {
    summary: 'send a timesheet whose days overlap those of another one of the person, which may pay twice',
  },
  missingLines: {
    value: 'what',
    summary: 'with --update: hours that the service has and the sheet lacks: keep them, or remove them',
    choices: ['keep', 'remove'],
  },
  strict: { summary: 'refuse what is doubtful too (exit 3)' },
  incomplete: {
    summary: 'send a candidate without a forename or surname too, or one that loses its reference',
  },
  allowMissing: {
    value: 'field',
    summary: 'send the record although it came back without this field or section, such as bank (repeatable)',
    repeats: true,
  },
  edit: { summary: 'edit the record as JSON in your editor ($VISUAL or $EDITOR)' },
  legacy: { summary: 'use the older version of this list (v1)' },
  employee: {
    value: 'id',
    summary:
      'the person whose documents these are, by the id or your own reference (to read, also by the name); reference:… or id:… says which',
  },
  id: { summary: '<id> is the id of the record: no list is read', conflicts: ['reference'] },
  reference: { summary: 'read <id> as your own reference' },
  upload: {
    value: 'path',
    summary: 'the file to upload as the document, at most 16 MiB',
    conflicts: ['file'],
  },
  force: { summary: 'overwrite an existing file' },
  out: { value: 'path', summary: 'write to this file; - is standard output' },
  page: {
    value: 'n',
    summary: 'read only this page',
    range: [1],
    conflicts: ['limit', 'where', 'sort'],
  },
  size: {
    value: 'n',
    summary: `read one page of this many items, at most ${limits.maximumSize}`,
    range: [1, limits.maximumSize],
    conflicts: ['limit', 'where', 'sort'],
  },
  where: {
    value: 'condition',
    summary: 'show only items that match (repeatable)',
    repeats: true,
  },
  sort: { value: 'field', summary: 'in the order of this field; -field for the reverse order' },
  sum: {
    value: 'fields',
    mayBeBare: true,
    summary:
      'add the amounts up instead of listing: those of the table, or of these fields, such as gross,margin',
    conflicts: ['sort'],
  },
  by: { value: 'field', summary: 'with --sum: a total for each value of this field' },
  limit: {
    value: 'n',
    summary: 'at most this many items, after --where and --sort',
    range: [1],
  },
  consistent: {
    summary: 'read the list twice, and fail (exit 10) if it changed meanwhile',
    conflicts: ['page', 'size'],
  },
  sinceLast: {
    value: 'name',
    summary: 'only records that no earlier run with this name has written',
  },
  expectMin: {
    value: 'n',
    summary: 'fail (exit 10) and write nothing if there are fewer records than this',
    range: [1],
  },
  baseUrl: { value: 'url', summary: 'the address of the service' },
  prefix: { value: 'segment', summary: 'the first segment of every path' },
  country: {
    value: 'country',
    summary: `the country of commands that name none: ${wordList(countryIds, 'or')}`,
    choices: countryIds,
  },
  journal: {
    value: 'address',
    summary: 'the PostgreSQL database that several computers share, without a password; or none',
  },
  sql: { summary: 'print the SQL instead, with the rights that payroll needs' },
  history: {
    value: 'days',
    summary:
      'for how many days this computer remembers its writes; names: without their values; off: not at all',
  },
  emptyFields: {
    value: 'word',
    summary:
      'what it means where the service does not show a field: left-out, it is empty; hidden, it may be filled in; or ask',
    choices: ['left-out', 'hidden', 'ask'],
  },
  since: { value: 'day', summary: 'since this day, such as 2026-11-01 or 1/11/2026' },
  mark: { value: 'name', summary: 'make a mark of this name' },
  fields: {
    value: 'name',
    summary: 'only this field, or bank (repeatable)',
    repeats: true,
  },
  failIfChanged: { summary: 'exit 9 if something changed' },
  before: { value: 'day', summary: 'the writes before this day, such as 2026-11-01 or 1/11/2026' },
  run: { value: 'id', summary: 'only the writes of one command' },
  last: { summary: 'the last update that was not undone' },
  unsealed: { summary: 'undo changes too whose line of the history has no seal that can be checked' },
  failed: { summary: 'only writes that were not applied, or whose outcome is unknown' },
  protected: { summary: 'ask for confirmation before every write', conflicts: ['unprotected'] },
  unprotected: { summary: 'write without asking for confirmation' },
  authorization: {
    value: 'form',
    summary: "how the key is presented: '{token}' (the default), 'Bearer {token}', 'X-Api-Key: {token}'",
  },
  readOnly: { summary: 'refuse every write (exit 2), before anything is sent', conflicts: ['writable'] },
  writable: { summary: 'allow writes again' },
  withToken: {
    summary: 'read the secret from standard input instead of asking for it',
  },
  paginate: { summary: 'read every page of a list, as one array' },
  refresh: { summary: 'exchange a refresh token instead of an authorization code' },
  save: { summary: 'store the paths that were found in the profile' },
  clientId: { value: 'id', summary: 'the id of the client application' },
  certificateAuthority: {
    value: 'file',
    summary: 'the authority of its certificate, beside those that Node trusts (PEM); or none',
  },
  clientCertificate: {
    value: 'file',
    summary: 'the certificate that payroll shows it (PEM, may have the key too); or none',
  },
  clientKey: { value: 'file', summary: 'the private key of that certificate (PEM); or none' },
  keyStore: {
    value: 'place',
    summary:
      'where its key lies: file (the default) or keyring, that of the system; a stored key moves there',
    choices: keyStores,
  },
  key: { summary: 'sign in with an API key', conflicts: ['browser'] },
  browser: { summary: 'sign in by consent in the browser', conflicts: ['withToken'] },
  redirectUri: {
    value: 'uri',
    summary: 'the registered address that the browser is sent back to',
  },
  answer: { summary: 'the record as the service returns it, not as it is sent' },
  all: { summary: 'all of them' },
  example: { summary: 'with made-up values' },
  payslips: {
    value: 'n',
    summary: 'how many payslips there should be in total',
    range: [0, 1_000_000],
  },
  port: {
    value: 'n',
    summary: 'the port to listen on; 0 picks a free one',
    range: [0, 65_535],
  },
  fault: {
    value: 'name[=times][@operation]',
    summary: 'make requests fail (repeatable)',
    repeats: true,
  },
  parameter: {
    value: 'name=other',
    summary:
      'what the service calls a parameter of auth.token or auth.connectUrl, page, size, items or totalDocs of a list (data.rows: rows in data), or the id of a record (repeatable)',
    repeats: true,
  },
  bodyAs: {
    value: 'encoding',
    summary: 'how the body of auth.token is sent: form or json',
    choices: ['form', 'json'],
  },
  map: {
    value: 'file',
    summary: 'a JSON file of headings and their fields; or: remembered',
  },
  dateFormat: {
    value: 'order',
    summary: `the order in dates such as 03/04/2026: ${wordList(dateOrders, 'or')}`,
    choices: dateOrders,
  },
  ignoreColumn: {
    value: 'heading',
    summary: 'do not import the column with this heading (repeatable)',
    repeats: true,
  },
  encoding: {
    value: 'name',
    summary: 'the text encoding of the file if it is not UTF-8, such as windows-1252',
  },
  headingRow: {
    value: 'n',
    summary: 'the row of the headings',
    range: [1, 1000],
  },
  sheet: { value: 'name', summary: 'the sheet of a workbook, where several have data' },
  settle: {
    value: 'seconds',
    summary: 'how long to wait before looking for a row whose answer was lost',
    range: [0, 86_400],
  },
  concurrency: {
    value: 'n',
    summary: 'how many requests at the same time, at most',
    range: [1, 64],
  },
  rejects: {
    value: 'file',
    ofOneRun: true,
    summary: 'the file for refused rows (default: starters.rejects.csv for starters.csv)',
  },
  update: { summary: 'change records that exist too, where a cell has a value; [clear] empties a field' },
  bank: { summary: 'with --update: bank details too' },
  plan: {
    value: 'file',
    ofOneRun: true,
    summary:
      'with --update: write every change to this .csv, .xlsx, .ndjson or .json, and what is created or held back',
  },
  asPlanned: {
    value: 'file',
    summary: 'with --update: send only what this file, written by --plan, has; all else is held back',
  },
  row: {
    value: 'n',
    summary: 'the row, by its number in the file; one that is no longer in the file by its reference',
    isAlone: true,
  },
  created: {
    value: 'id',
    summary: 'it was created, as the record with this id',
    conflicts: ['sendAgain', 'leave'],
  },
  sendAgain: {
    summary: 'it is not on the service: the next import sends it again',
    conflicts: ['created', 'leave'],
  },
  leave: { summary: 'leave it as it is, for good', conflicts: ['created', 'sendAgain'] },
  readyOnly: {
    ofOneRun: true,
    summary: 'create the rows that are ready, and put the others into the rejects file (exit 9)',
  },
  payDate: { value: 'day', summary: 'the day on which it is paid: the tax week and year go by it' },
  payDay: {
    value: 'weekday',
    summary: 'the weekday on which a week that has ended is paid: the tax week goes by it; or none',
    choices: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'none'],
  },
  on: { value: 'day', summary: 'as on this day, such as 2027-04-06 (otherwise today)' },
  weekEnding: {
    value: 'day',
    summary: 'the week whose last day this is, such as 2026-04-26 or "last sunday"',
  },
  only: { value: 'rule', summary: 'only this rule (repeatable)', repeats: true },
  period: {
    value: 'period',
    summary: 'the tax period, as payslips list shows it: 33, "week 33" or "month 8"',
  },
  with: { value: 'period', summary: 'the tax period to compare it with' },
  taxYear: { value: 'year', summary: 'the tax year of the period, such as 2026/27 (otherwise the latest)' },
  person: { value: 'reference', summary: 'the person, by your own reference' },
  until: { value: 'day', summary: 'the last day on which it is quiet', conflicts: ['again'] },
  again: { summary: 'report it again' },
  results: {
    value: 'file',
    ofOneRun: true,
    summary: `write the rows to this file, each with outcome, id and time: ${readEndings}`,
  },
} as const satisfies Readonly<Record<string, VerbOption>>

/** The options of the verbs, after parsing. */
export type Options = OptionValues<typeof declarations>

/** The country that an option names; undefined where none does. */
export const chosenCountry = (options: Options): Country | undefined =>
  countries.find(({ id }) => options[id])

/** The countries that are meant: the one that an option names, or all. */
export function countriesOf(options: Options): readonly Country[] {
  const country = chosenCountry(options)
  return country ? [country] : countries
}

export type OptionName = keyof Options

/** The declarations of all options of verbs. */
export const optionDeclarations: Readonly<
  Record<OptionName, Declaration & { readonly conflicts?: readonly OptionName[] }>
> = declarations

const defaultOf: Readonly<Partial<Record<string, string | number>>> = defaults

/** The word that an option is typed with: `--dry-run`. */
export const optionWord = (name: string) => `--${resourceName(name)}`

/** An option as it was declared, with how it is typed and its default, as help shows them. */
export type DescribedOption = Declaration & { readonly flags: string }

export function describeOption(name: string, declaration: Declaration): DescribedOption {
  const { short, value, mayBeBare, negated, summary } = declaration
  const word = negated ? `--no-${resourceName(name)}` : optionWord(name)
  const long = value === undefined ? word : mayBeBare ? `${word} [${value}]` : `${word} <${value}>`
  const byDefault = defaultOf[name]
  return {
    ...declaration,
    flags: short === undefined ? long : `-${short}, ${long}`,
    summary: byDefault === undefined ? summary : `${summary} (default: ${byDefault})`,
  }
}

/** The options of every command, as help shows them. */
export const globalOptions: readonly DescribedOption[] = [
  { flags: '-V, --version', summary: 'output the version number' },
  ...Object.entries<Declaration>(globalDeclarations).map(([name, each]) => describeOption(name, each)),
]

/** The --out of a command that has none of its own, as help shows it. */
export const outOption = describeOption('out', outDeclaration)

/** An option as the parser takes it. */
export function parserOption(name: string, declaration: VerbOption): Option {
  const { choices, aliases = {}, range, duration, repeats, isAlone, commas, conflicts = [] } = declaration
  const { flags, summary } = describeOption(name, declaration)
  const option = new Option(flags, summary).conflicts([...conflicts])
  if (choices) option.choices(choices)
  const { parseArg } = option
  if (parseArg && Object.keys(aliases).length > 0)
    option.parseArg = (value, before) =>
      parseArg(Object.hasOwn(aliases, value) ? (aliases[value] ?? value) : value, before)
  if (range) option.argParser(wholeNumber(...range))
  if (duration) option.argParser(reader(readDuration, 'a time, such as 90s, 2m or 0'))
  if (repeats) option.argParser((value: string, before: readonly string[] = []) => [...before, value])
  if (isAlone)
    option.argParser((value: string, before?: string) => {
      if (before === undefined) return value
      throw new InvalidArgumentError('Name one at a time.')
    })
  if (commas) option.argParser((value) => value.split(','))
  return option
}

/** A parser for a number. Throws commander's own error (exit 2) for a value that is not as expected. */
const reader =
  (parse: (value: string) => number | undefined, expected: string) =>
  (value: string): number => {
    const number = parse(value)
    if (number !== undefined) return number
    throw new InvalidArgumentError(`Expected ${expected}.`)
  }

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`
  const isMeant = (value: string) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
  return reader((value) => (isMeant(value) ? Number(value) : undefined), `a whole number from ${least}${to}`)
}
