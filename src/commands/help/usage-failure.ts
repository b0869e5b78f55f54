import { type Failure, usage } from '../../errors.ts'
import { countries } from '../../model/countries/countries.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { exportFormats } from '../../render/formats.ts'
import { shellWord } from '../../text/shell-word.ts'
import { capital, wordList } from '../../text/words.ts'
import { type OptionName, optionDeclarations, optionWord } from '../cli/options.ts'
import { pathOf } from '../cli/register.ts'
import { aliasesOf, type Entry, type Group, type Resource, type Verb, verbsOf } from '../cli/verb.ts'

/** A command as the parser knows it. */
interface Command {
  name(): string
  readonly parent: Command | null
  readonly commands: readonly Command[]
  /** The words that are no options. */
  readonly args: readonly string[]
  /** The arguments that it takes. */
  readonly registeredArguments: readonly { name(): string }[]
  readonly options: readonly TakenOption[]
  getOptionValue(name: string): unknown
  getOptionValueSource(name: string): string | undefined
}

/** An option as the parser knows it: by its names, and whether a value follows it. */
interface TakenOption {
  readonly long?: string | undefined
  readonly short?: string | undefined
  readonly required: boolean
}

/** What the parser says of a command line that it refused. */
interface ParserError {
  /** `commander.unknownOption`, … */
  readonly code: string
  readonly message: string
  /** The command that it is about. */
  readonly command?: Command
}

/** What people call the commands before they know them. */
const otherWords: Readonly<Record<string, string>> = {
  find: 'candidates find <text>',
  search: 'candidates find <text>',
  people: 'candidates',
  person: 'candidates',
  persons: 'candidates',
  employees: 'candidates',
  employee: 'candidates',
  workers: 'candidates',
  worker: 'candidates',
  staff: 'candidates',
  contractors: 'candidates',
  starters: 'candidates',
  rates: 'payment-rates',
  vat: 'vat-codes',
  hours: 'timesheets',
  files: 'documents',
  login: 'auth login',
  logout: 'auth logout',
  status: 'auth status',
  key: 'auth login',
  config: 'profiles',
  profile: 'profiles',
  settings: 'profiles',
  init: 'profiles set production --base-url <url>',
  import: 'candidates import <file>',
  export: 'candidates export',
  version: '--version',
}

/** What people call the verbs of a noun, where another word beside ours would be wrong for all other nouns. */
const otherVerbs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documents: {
    upload: 'create <person> <file>',
    download: 'get <id> --employee <reference> --out <folder>',
  },
}

/** What people call the options before they know them. A command is asked about those that it has. */
const otherOptions: Readonly<Record<string, readonly string[]>> = {
  '--filter': ['--where'],
  '--search': ['--where'],
  '--employee': ['--where'],
  '--person': ['--employee', '--where'],
  '--jq': ['--query'],
  '--jmespath': ['--query'],
  '--fields': ['--columns'],
  '--select': ['--columns'],
  '--data': ['--file', '--set'],
  '--body': ['--file', '--set'],
  '--input': ['--file', '--set'],
  '--field': ['--set'],
  '--order': ['--sort'],
  '--order-by': ['--sort'],
  '--max': ['--limit'],
  '--per-page': ['--size'],
  '--page-size': ['--size'],
  '--format': ['--output'],
  '--verbose': ['--debug'],
  '--silent': ['--quiet'],
  '--show': ['--reveal'],
  '--non-interactive': ['--no-input'],
  '--check': ['--dry-run'],
  '--token': ['--with-token'],
}

/** Options of the last version, by verb, and what to type now. An entry goes one version after its option. */
const removedOptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  login: {
    '--with-secret': 'Set PAYROLL_CLIENT_SECRET to the secret of the client application in its place.',
    '--redirect-port': 'Type --redirect-uri http://127.0.0.1:<port>/callback in its place.',
  },
  set: {
    '--key-command':
      'No command is run any more. Give the key with each command: PAYROLL_API_KEY=$(pass show payroll) payroll … Or store it: payroll auth login',
    '--key-command-timeout': 'No command is run for a key any more: leave it out.',
  },
  token: { '--store': 'To sign in and store what comes of it: payroll auth login --browser' },
  import: {
    '--resume': 'It had no effect: leave it out. An import always continues where an earlier run stopped.',
  },
  template: { '--csv': 'Type -o csv in its place.' },
  export: {
    '--format': `Type -o in its place: ${wordList(
      exportFormats.map((name) => `-o ${name}`),
      'or',
    )}.`,
  },
}

/** Commands of the last version, and what to type now. An entry goes one version after its command. */
const removedCommands: Readonly<Record<string, string>> = {
  'routes import':
    'Name the file in PAYROLL_ROUTES, for one command or for all. Or set each route: payroll routes set <operation> "<method> /svc/…"',
}

/** How a list of records is narrowed to a person or a name, by what the list is of. */
const narrowing: Readonly<Record<string, string>> = {
  timesheets: 'subcontractorRef=',
  'payment-rates': 'description~',
  'vat-codes': 'description~',
}

/**
 * A command line that the parser refused, with what was probably meant and the help of the command it is about.
 *
 * @param typed the words after `payroll`, and the system on which they were typed
 * @param others the commands that have an option that this one does not have
 */
export function usageFailure(
  error: ParserError,
  { argv, platform }: { readonly argv: readonly string[]; readonly platform?: NodeJS.Platform },
  others: readonly string[] = [],
): Failure {
  const { command } = error
  const see = `See ${command ? pathOf(command) : 'payroll'} --help.`
  if (error.code === 'commander.help') return usage('The command is incomplete: a verb is missing.', see)
  if (command && error.code === 'commander.conflictingOption')
    return usage(`${conflictIn(command).join(' and ')} cannot be combined.`, see)
  const said = capital(error.message.replace(/^error: /, '')).replace(/\.?$/, '.')
  const removed =
    command && error.code === 'commander.unknownOption'
      ? removedOptions[command.name()]?.[unknownOption(command)]
      : undefined
  const gone =
    command && error.code === 'commander.unknownCommand'
      ? removedCommands[`${command.name()} ${command.args[0]}`]
      : undefined
  if ((removed ?? gone) !== undefined) return usage(said, removed ?? gone)
  const isCountry =
    command &&
    error.code === 'commander.unknownOption' &&
    countries.some(({ flag }) => flag === unknownOption(command))
  if (isCountry) return usage(said, 'Leave it out: this command is for people of every country.')
  if (command && error.code === 'commander.excessArguments') {
    const near = nearest(namesIn(command), command.args[0] ?? '')
    if (near !== undefined) return usage(said, `Did you mean ${pathOf(command)} ${near}? ${see}`)
    // A command that lists by itself is asked for a verb that lists.
    if (/^(list|ls|show|view|get)$/.test(command.args[0] ?? '') && namesIn(command).length > 0)
      return usage(said, `${behindHint(command)}${see}`)
    const again = withOptionAgain(command, argv)
    if (again !== undefined) return usage(said, `Write the option again: ${again}`)
    const unquoted = withQuotes(command, argv, platform)
    if (unquoted !== undefined) return usage(said, `Put it in quotes: ${unquoted}`)
  }
  const isOther = command && error.code === 'commander.unknownOption' && !otherOption(command)
  if (isOther && others.length > 0) return usage(said, `${optionOf(command, others)} ${see}`)
  const meant = command && suggestion(error.code, command, platform)
  if (meant !== undefined) return usage(said, `Did you mean ${meant}? ${see}`)
  const verbs =
    error.code === 'commander.unknownCommand' && command?.parent
      ? verbsHint(command)
      : error.code === 'commander.excessArguments' && command?.registeredArguments.length === 0
        ? behindHint(command)
        : ''
  return usage(said, `${verbs}${see}`)
}

/** More commands than this are not listed. */
const mostOthers = 3

/** Of which commands an option is that this one does not have: of its own noun, or else of others. */
function optionOf(command: Command, others: readonly string[]): string {
  const noun = `${pathOf(command).split(' ').slice(0, 2).join(' ')} `
  const siblings = others.filter((path) => path.startsWith(noun))
  const named = siblings.length > 0 ? siblings : others
  const rest = named.length > mostOthers ? ['others'] : []
  // Without payroll: what a hint names whole is what to type next.
  const words = named.slice(0, mostOthers).map((path) => path.replace(/^payroll /, ''))
  return `${unknownOption(command)} is an option of ${wordList([...words, ...rest], 'and')}.`
}

/** The commands that have the option that a command line has and its command does not. */
export async function commandsWithOption(
  entries: readonly Entry[],
  { code, command }: ParserError,
): Promise<string[]> {
  if (code !== 'commander.unknownOption' || !command) return []
  const option = unknownOption(command)
  const below = (path: string, verb: Verb | Group): string[] => {
    const name = `${path} ${verb.name}`
    const isOwn = 'run' in verb && (verb.options ?? []).some((each) => optionWord(each) === option)
    return [...(isOwn ? [name] : []), ...verbsOf(verb).flatMap((each) => below(name, each))]
  }
  const shown = entries.filter(({ hidden }) => !hidden)
  const all = await Promise.all(
    shown.map(async ({ name, load }) => {
      const resource = await load()
      return 'run' in resource
        ? below('payroll', resource)
        : resource.verbs.flatMap((each) => below(`payroll ${name}`, each))
    }),
  )
  return all.flat()
}

/** The options of a command line that exclude each other: the first that is declared to, and those that it names. */
function conflictIn(command: Command): string[] {
  const names = Object.keys(optionDeclarations) as OptionName[]
  const typed = names.filter((name) => command.getOptionValueSource(name) === 'cli')
  const excludedBy = (name: OptionName) =>
    typed.filter((other) => optionDeclarations[name].conflicts?.includes(other))
  const first = typed.find((name) => excludedBy(name).length > 0)
  return first === undefined ? [] : [first, ...excludedBy(first)].map(optionWord)
}

/** The words of a command line that are neither an option nor its value. */
export function operandsIn(argv: readonly string[], options: readonly TakenOption[]): string[] {
  const withValue = options.flatMap(({ required, short, long }) => (required ? [short, long] : []))
  return argv.filter((word, at) => !word.startsWith('-') && (at === 0 || !withValue.includes(argv[at - 1])))
}

/** The verb that these words lead to; what follows its name are its arguments. Undefined where they name none. */
export async function verbNamed(
  entries: readonly Entry[],
  [noun, ...words]: readonly string[],
): Promise<Verb | undefined> {
  let here: Resource | Group | undefined = await entries.find(({ name }) => name === noun)?.load()
  for (const word of words) {
    const verbs: readonly (Verb | Group)[] = here ? verbsOf(here) : []
    const names = verbs.map(({ name }) => name)
    const next = verbs.find(({ name }) => name === word || aliasesOf(name, names).includes(word))
    if (!next) break
    here = next
  }
  return here && 'run' in here ? here : undefined
}

function verbsHint(command: Command): string {
  const isDeletion = ['delete', 'remove', 'rm'].includes(command.args[0] ?? '')
  const reason = isDeletion ? `The service cannot delete ${command.name().replace('-', ' ')}. ` : ''
  return `${reason}The verbs of ${command.name()} are: ${namesIn(command).join(', ')}. `
}

/** Of a command that does something by itself too: history, which lists, and forget behind it. */
function behindHint(command: Command): string {
  const names = namesIn(command)
  return names.length === 0 ? '' : `Behind ${command.name()} comes ${wordList([...names, 'nothing'], 'or')}. `
}

const namesIn = ({ commands }: Command) =>
  commands.map((each) => each.name()).filter((name) => name !== 'complete')

/** The option that a command does not have, without its value: behind the words, the parser leaves what it does not know. */
function unknownOption({ args }: Command): string {
  const [option = ''] = args.find((word) => /^-./.test(word))?.split('=') ?? []
  return option
}

function suggestion(
  code: string,
  command: Command,
  platform: NodeJS.Platform | undefined,
): string | undefined {
  const [typed = ''] = command.args
  if (code === 'commander.unknownOption') return nearOption(unknownOption(command), command)
  if (code === 'commander.excessArguments') return meantByExcess(command, platform)
  if (code !== 'commander.unknownCommand') return undefined
  const verbs = otherVerbs[command.name()] ?? {}
  if (Object.hasOwn(verbs, typed)) return `${pathOf(command)} ${verbs[typed]}`
  const near = nearest(namesIn(command), typed)
  if (near !== undefined || command.parent) return near
  const other = Object.hasOwn(otherWords, typed) ? otherWords[typed] : undefined
  return other && `payroll ${other}`
}

/** The value of an option, or the name of a file, that a blank cut in two, as it is to be typed: `--set "postcode=LS1 4DY"`. */
function withQuotes(
  command: Command,
  argv: readonly string[],
  platform: NodeJS.Platform | undefined,
): string | undefined {
  const { args, registeredArguments } = command
  const options = [...command.options, ...rootOf(command).options].filter(({ required }) => required)
  for (const [at, word] of argv.entries()) {
    const option = options.find(({ long, short }) => word === long || word === short)
    const value = argv[at + 1]
    // A blank cuts no number: `--limit 3 UMB-1`.
    if (!option || value === undefined || /^\d+$/.test(value)) continue
    const rest = argv.slice(at + 2)
    const end = rest.findIndex((each) => each.startsWith('-'))
    const words = end < 0 ? rest : rest.slice(0, end)
    // Of the words after the value, the last may be the arguments of the command.
    const missing = Math.max(0, registeredArguments.length - (args.length - words.length))
    const cut = words.slice(0, words.length - missing)
    if (cut.length > 0) return `${word} ${inQuotes([value, ...cut], platform)}`
  }
  const isFile = registeredArguments.length === 1 && registeredArguments[0]?.name() === 'file'
  return isFile && /\.\w+$/.test(args.at(-1) ?? '') ? inQuotes(args, platform) : undefined
}

const inQuotes = (words: readonly string[], system?: NodeJS.Platform) => shellWord(words.join(' '), system)

/** `--only a b` as `--only a --only b`: a rule is one word, and the option takes one rule. */
function withOptionAgain(command: Command, argv: readonly string[]): string | undefined {
  const option = '--only'
  const at = argv.indexOf(option)
  if (at < 0 || !command.options.some(({ long }) => long === option)) return undefined
  const rest = argv.slice(at + 1)
  const end = rest.findIndex((each) => each.startsWith('-'))
  const words = end < 0 ? rest : rest.slice(0, end)
  return words.length > 1 && words.every((word) => /^[a-z-]+$/i.test(word))
    ? words.map((word) => `${option} ${word}`).join(' ')
    : undefined
}

/** The id of a run, as the history shows it. */
const runId = /^[0-9a-f]{8}$/

/** What a word too many can mean: a change without --set, whose documents or writes, a field of two words, or somebody to look for in a list. */
function meantByExcess(command: Command, platform: NodeJS.Platform | undefined): string | undefined {
  const { args, registeredArguments } = command
  const last = args.at(-1) ?? ''
  const has = (option: string) => command.options.some(({ long }) => long === option)
  if (has('--set') && /^[\w.[\]-]+=/.test(last)) return `--set ${quotedText(last)}`
  if (has('--where') && /^[\w.[\] -]+(?:=|!=|<|>|~)/.test(last)) return `--where ${quotedText(last)}`
  const excess = inQuotes(args.slice(registeredArguments.length), platform)
  const isRun = has('--run') && runId.test(excess)
  const option = ['--employee', isRun ? '--run' : '--person'].find(has)
  const isOneWord = args.length === registeredArguments.length + 1
  if (option && isOneWord && !command.getOptionValue(option.slice(2))) {
    const before = args.slice(0, registeredArguments.length).map((word) => shellWord(word, platform))
    return [pathOf(command), ...before, option, excess].join(' ')
  }
  if (command.name() === 'explain') return `${pathOf(command)} ${inQuotes(args, platform)}`
  const isAboutRecords = has('--where') || registeredArguments[0]?.name() === 'id'
  if (!isAboutRecords) return undefined
  const siblings = command.parent?.commands ?? []
  const canFind = siblings.some((each) => each.name() === 'find')
  if (canFind && !args.some((word) => word.startsWith('-')))
    return `${pathOf(command.parent as Command)} find ${args.map((word) => shellWord(word, platform)).join(' ')}`
  const field = has('--where') && narrowing[command.parent?.name() ?? '']
  return field ? `${pathOf(command)} --where ${quotedText(`${field}${args.join(' ')}`)}` : undefined

  /** A change or a condition in quotes, also where no shell needs them: the next one that is typed may. */
  function quotedText(text: string): string {
    const word = shellWord(text, platform)
    return word === text ? `"${text}"` : word
  }
}

/** The nearest option of the command itself; else of every command. */
function nearOption(typed: string, command: Command): string | undefined {
  const longs = ({ options }: Command) => options.flatMap(({ long }) => (long ? [long] : []))
  if (typed === '-v') return '--version'
  const ofEvery = longs(rootOf(command))
  const own = longs(command).filter((option) => !ofEvery.includes(option))
  const other = otherOption(command)
  if (other !== undefined) return other
  return nearest(own, typed) ?? nearest([...ofEvery, '--help'], typed)
}

/** What an option is called here that people know by another name. */
function otherOption(command: Command): string | undefined {
  const all = [...command.options, ...rootOf(command).options].map(({ long }) => long)
  const other = otherOptions[unknownOption(command)]?.filter((option) => all.includes(option)) ?? []
  return other.length > 0 ? other.join(' or ') : undefined
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command
}
