import type { Command, CommanderError, Option } from 'commander'
import { type Failure, usage } from '../../errors.ts'
import { countries } from '../../model/countries/countries.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { exportFormats } from '../../render/formats.ts'
import { shellWord } from '../../text/shell-word.ts'
import { capital, wordList } from '../../text/words.ts'
import { everyCommand, findCommand } from './find-command.ts'
import { type OptionName, optionDeclarations, optionWord } from './options.ts'
import { commandPath } from './register.ts'
import type { ProgramEntry, Verb } from './verb.ts'

/** Other tools' words for our commands. */
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
  'documents upload': 'documents create <person> <file>',
  'documents download': 'documents get <id> --employee <reference> --out <folder>',
}

/** Other tools' words for our options. A command suggests those that it has. */
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

/** Options and commands of the last version, by verb or noun, and what to type now. An entry stays for one version. */
const removed: Readonly<Record<string, string>> = {
  'login --with-secret': 'Set PAYROLL_CLIENT_SECRET to the secret of the client application in its place.',
  'login --redirect-port': 'Type --redirect-uri http://127.0.0.1:<port>/callback in its place.',
  'set --key-command':
    'No command is run any more. Give the key with each command: PAYROLL_API_KEY=$(pass show payroll) payroll … Or store it: payroll auth login',
  'set --key-command-timeout': 'No command is run for a key any more: leave it out.',
  'token --store': 'To sign in and store what comes of it: payroll auth login --browser',
  'import --resume':
    'It had no effect: leave it out. An import always continues where an earlier run stopped.',
  'template --csv': 'Type -o csv in its place.',
  'export --format': `Type -o in its place: ${wordList(
    exportFormats.map((name) => `-o ${name}`),
    'or',
  )}.`,
  'routes import':
    'Name the file in PAYROLL_ROUTES, for one command or for all. Or set each route: payroll routes set <operation> "<method> /svc/…"',
}

/** How --where begins that narrows a list to a person or a name, by the noun of the list. */
const narrowing: Readonly<Record<string, string>> = {
  timesheets: 'subcontractorRef=',
  'payment-rates': 'description~',
  'vat-codes': 'description~',
}

interface Mistake {
  readonly command: Command
  readonly argv: readonly string[]
  readonly quote: (...words: readonly string[]) => string
  readonly entries: readonly ProgramEntry[]
  /** The sentence that names the help of the command. */
  readonly see: string
}

/** Gives the hint for one kind of mistake; undefined where it is another one. */
type Judge = (mistake: Mistake) => string | undefined | Promise<string | undefined>

const didYouMean = ({ see }: Mistake, words: string | undefined): string | undefined =>
  words && `Did you mean ${words}? ${see}`

/** By the code of the parser. The first that gives a hint is used. */
const judges: Readonly<Record<string, readonly Judge[]>> = {
  'commander.unknownOption': [
    ({ command }) => own(removed, `${command.name()} ${unknownOption(command)}`),
    ({ command }) =>
      countries.some(({ flag }) => flag === unknownOption(command))
        ? 'Leave it out: this command is for people of every country.'
        : undefined,
    (mistake) => didYouMean(mistake, otherOption(mistake.command)),
    ofOtherCommands,
    (mistake) => didYouMean(mistake, nearOption(mistake.command)),
  ],
  'commander.unknownCommand': [
    ({ command }) => own(removed, `${command.name()} ${command.args[0]}`),
    (mistake) => {
      const { parent, args } = mistake.command
      const word = args[0]
      const other = own(otherWords, parent ? `${mistake.command.name()} ${word}` : word)
      return didYouMean(mistake, other && `payroll ${other}`)
    },
    (mistake) => {
      const { command, entries } = mistake
      // Only the nouns that were typed are known to the parser.
      const names = command.parent ? namesIn(command) : [...entries.map(({ name }) => name), 'help']
      return didYouMean(mistake, nearest(names, command.args[0] ?? ''))
    },
    verbsOfNoun,
  ],
  'commander.excessArguments': [
    (mistake) => {
      const near = nearest(namesIn(mistake.command), mistake.command.args[0] ?? '')
      return didYouMean(mistake, near && `${commandPath(mistake.command)} ${near}`)
    },
    // Somebody typed `list` after a command that lists without a verb.
    (mistake) =>
      /^(list|ls|show|view|get)$/.test(mistake.command.args[0] ?? '') ? nameVerbsAfter(mistake) : undefined,
    inQuotes,
    somethingToChangeOrFind,
    (mistake) => (mistake.command.registeredArguments.length === 0 ? nameVerbsAfter(mistake) : undefined),
  ],
}

const own = (table: Readonly<Record<string, string>>, word = '') =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** The failure of a refused command line, with what was probably meant, or the help of the command. */
export async function usageFailure(
  error: CommanderError & { readonly command?: Command },
  { argv, platform }: { readonly argv: readonly string[]; readonly platform?: NodeJS.Platform | undefined },
  entries: readonly ProgramEntry[],
): Promise<Failure> {
  const { code, command } = error
  const see = `See ${command ? commandPath(command) : 'payroll'} --help.`
  if (code === 'commander.help') return usage('The command is incomplete: a verb is missing.', see)
  if (command && code === 'commander.conflictingOption')
    return usage(`${conflictIn(command).join(' and ')} cannot be combined.`, see)
  const said = capital(lacksValue(error) ?? error.message.replace(/^error: /, '')).replace(/\.?$/, '.')
  const quote = (...words: readonly string[]) => shellWord(words.join(' '), platform)
  for (const judge of command ? (judges[code] ?? []) : []) {
    const hint = await judge({ command: command as Command, argv, quote, entries, see })
    if (hint) return usage(said, hint)
  }
  return usage(said, see)
}

/** Says that an option has no value, at the end of the line or before another option. */
function lacksValue({ message }: CommanderError): string | undefined {
  const [, flags, option, next] =
    /^error: option '(?:-\w, )?((--\S+) .*)' argument missing(?:: (.*))?$/.exec(message) ?? []
  if (option === undefined) return undefined
  return `${option} needs a value: ${flags}${next ? `. ${next} behind it is another option` : ''}`
}

const mostOthers = 3

/** Which commands have the option that this one lacks: those of its own noun, or else others. */
async function ofOtherCommands({ command, entries, see }: Mistake): Promise<string | undefined> {
  const option = unknownOption(command)
  const others = (await everyCommand(entries))
    .filter(({ here }) => 'run' in here && here.options?.some((each) => optionWord(each) === option))
    .map(({ path }) => path.replace(/^payroll /, ''))
  const [, noun = ''] = commandPath(command).split(' ')
  const siblings = others.filter((path) => path.startsWith(`${noun} `))
  const named = siblings.length > 0 ? siblings : others
  if (named.length === 0) return undefined
  const words = [...named.slice(0, mostOthers), ...(named.length > mostOthers ? ['others'] : [])]
  return `${option} is an option of ${wordList(words, 'and')}. ${see}`
}

/** The first option that cannot be combined with others that were typed, and those others. */
function conflictIn(command: Command): string[] {
  const names = Object.keys(optionDeclarations) as OptionName[]
  const typed = names.filter((name) => command.getOptionValueSource(name) === 'cli')
  const excludedBy = (name: OptionName) =>
    typed.filter((other) => optionDeclarations[name].conflicts?.includes(other))
  const first = typed.find((name) => excludedBy(name).length > 0)
  return first === undefined ? [] : [first, ...excludedBy(first)].map(optionWord)
}

/** The verb of a command line. `words`: as far as the parser came, which a wrong value of a global option ends early. */
export async function verbOf(
  entries: readonly ProgramEntry[],
  words: readonly string[],
  argv: readonly string[],
  globals: readonly Option[],
): Promise<Verb | undefined> {
  const withValue = globals.flatMap(({ required, short, long }) => (required ? [short, long] : []))
  const operands = argv.filter(
    (word, at) => !word.startsWith('-') && (at === 0 || !withValue.includes(argv[at - 1])),
  )
  const { command } = await findCommand(entries, words.length > 0 ? words : operands)
  return command && 'run' in command.here ? command.here : undefined
}

function verbsOfNoun({ command, see }: Mistake): string | undefined {
  if (!command.parent) return undefined
  const isDeletion = ['delete', 'remove', 'rm'].includes(command.args[0] ?? '')
  const reason = isDeletion ? `The service cannot delete ${command.name().replace('-', ' ')}. ` : ''
  return `${reason}The verbs of ${command.name()} are: ${namesIn(command).join(', ')}. ${see}`
}

/** Names the verbs of a command that also runs without one, as `history` does and `history forget`. */
function nameVerbsAfter({ command, see }: Mistake): string | undefined {
  const names = namesIn(command)
  if (names.length === 0) return undefined
  return `${capital(command.name())} is followed by ${wordList([...names, 'nothing'], 'or')}. ${see}`
}

const namesIn = ({ commands }: Command) =>
  commands.map((each) => each.name()).filter((name) => name !== 'complete')

/** The option that the command does not have, without its value. The parser leaves it among the arguments. */
function unknownOption({ args }: Command): string {
  const [option = ''] = args.find((word) => /^-./.test(word))?.split('=') ?? []
  return option
}

/** The words after a word of the command line, up to the next option. */
function wordsAfter(argv: readonly string[], at: number): readonly string[] {
  const rest = argv.slice(at + 1)
  const end = rest.findIndex((each) => each.startsWith('-'))
  return end < 0 ? rest : rest.slice(0, end)
}

/** How to type the value of an option, or the name of a file, that a blank cut in two: `--set "postcode=LS1 4DY"`. */
function inQuotes({ command, argv, quote }: Mistake): string | undefined {
  const { args, registeredArguments } = command
  const options = [...command.options, ...rootOf(command).options].filter(({ required }) => required)
  for (const [at, word] of argv.entries()) {
    const [value, ...words] = wordsAfter(argv, at)
    const isOption = options.some(({ long, short }) => word === long || word === short)
    // A number has no blank to be cut at: `--limit 3 UMB-1`.
    if (!isOption || value === undefined || /^\d+$/.test(value)) continue
    // Of the words after the value, the last may be the arguments of the command.
    const missing = Math.max(0, registeredArguments.length - (args.length - words.length))
    const cut = words.slice(0, words.length - missing)
    if (cut.length > 0) return `Put it in quotes: ${word} ${quote(value, ...cut)}`
  }
  const isFile = registeredArguments.length === 1 && registeredArguments[0]?.name() === 'file'
  if (!isFile || !/\.\w+$/.test(args.at(-1) ?? '')) return undefined
  return `Put it in quotes: ${quote(...args)}`
}

const runId = /^[0-9a-f]{8}$/

/** What an extra word probably is: a change without --set, a person of --employee or --person, or somebody to look for. */
function somethingToChangeOrFind(mistake: Mistake): string | undefined {
  const { command, quote } = mistake
  const { args, registeredArguments, parent } = command
  const path = commandPath(command)
  const last = args.at(-1) ?? ''
  const has = (option: string) => command.options.some(({ long }) => long === option)
  // In quotes even where this value needs none: the next one may.
  const always = (text: string) => (quote(text) === text ? `"${text}"` : quote(text))
  if (has('--set') && /^[\w.[\]-]+=/.test(last)) return didYouMean(mistake, `--set ${always(last)}`)
  if (has('--where') && /^[\w.[\] -]+(?:=|!=|<|>|~)/.test(last))
    return didYouMean(mistake, `--where ${always(last)}`)
  const excess = quote(...args.slice(registeredArguments.length))
  const option = ['--employee', has('--run') && runId.test(excess) ? '--run' : '--person'].find(has)
  const isOneWord = args.length === registeredArguments.length + 1
  if (option && isOneWord && !command.getOptionValue(option.slice(2))) {
    const before = args.slice(0, registeredArguments.length).map((word) => quote(word))
    // A document is named by its file; the person may stand before it, as in documents create.
    const isDocumentLast = option === '--employee' && /\.\w+$/.test(last)
    const words = isDocumentLast ? [excess, option, ...before] : [...before, option, excess]
    return didYouMean(mistake, [path, ...words].join(' '))
  }
  if (command.name() === 'explain') return didYouMean(mistake, `${path} ${quote(...args)}`)
  if (!has('--where') && registeredArguments[0]?.name() !== 'id') return undefined
  const canFind = parent?.commands.some((each) => each.name() === 'find')
  if (parent && canFind && !args.some((word) => word.startsWith('-')))
    return didYouMean(mistake, [commandPath(parent), 'find', ...args.map((word) => quote(word))].join(' '))
  const field = has('--where') && narrowing[parent?.name() ?? '']
  return field ? didYouMean(mistake, `${path} --where ${always(`${field}${args.join(' ')}`)}`) : undefined
}

function nearOption(command: Command): string | undefined {
  const typed = unknownOption(command)
  if (typed === '-v') return '--version'
  const longs = ({ options }: Command) => options.flatMap(({ long }) => long ?? [])
  const ofEvery = longs(rootOf(command))
  const ofItself = longs(command).filter((option) => !ofEvery.includes(option))
  return nearest(ofItself, typed) ?? nearest([...ofEvery, '--help'], typed)
}

/** Our word for an option that people know by another name. */
function otherOption(command: Command): string | undefined {
  const all = [...command.options, ...rootOf(command).options].map(({ long }) => long)
  const other = otherOptions[unknownOption(command)]?.filter((option) => all.includes(option)) ?? []
  return other.length > 0 ? other.join(' or ') : undefined
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)
