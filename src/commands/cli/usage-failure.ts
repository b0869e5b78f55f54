import type { Command, CommanderError } from 'commander'
import { type Failure, usage } from '../../errors.ts'
import { countries } from '../../model/countries/countries.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { spokenOf } from '../../text/named-commands.ts'
import { shellWord } from '../../text/shell-word.ts'
import { agree, capital, nameSome } from '../../text/words.ts'
import {
  commandsOfVerb,
  everyCommand,
  type Command as FoundCommand,
  findCommand,
  operandsOf,
} from './find-command.ts'
import { optionWord } from './options.ts'
import { commandPath } from './register.ts'
import { argumentWord, type ProgramEntry, type Verb } from './verb.ts'

/** What people call our nouns. */
const otherNouns: Readonly<Record<string, string>> = {
  people: 'candidates',
  person: 'candidates',
  employees: 'candidates',
  employee: 'candidates',
  workers: 'candidates',
  staff: 'candidates',
  contractors: 'candidates',
  starter: 'candidates',
  starters: 'candidates',
  pay: 'payment-rates',
  rates: 'payment-rates',
  vat: 'vat-codes',
  hours: 'timesheets',
  files: 'documents',
  config: 'profiles',
  settings: 'profiles',
}

/** What other tools call our options. A command suggests those that it has. */
const otherOptions: Readonly<Record<string, string>> = {
  '-v': '--version',
  '--filter': '--where',
  '--search': '--where',
  '--jq': '--query',
  '--fields': '--columns',
  '--data': '--file',
  '--order': '--sort',
  '--max': '--limit',
  '--format': '--output',
  '--verbose': '--debug',
  '--silent': '--quiet',
  ...Object.fromEntries(countries.flatMap(({ flag, mistyped }) => mistyped.map((typed) => [typed, flag]))),
}

const own = (table: Readonly<Record<string, string>>, word: string) =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** The failure of a refused command line, with what was probably meant, or the help of the command. */
export async function usageFailure(
  error: CommanderError & { readonly command?: Command },
  platform: NodeJS.Platform | undefined,
  entries: readonly ProgramEntry[],
  findTopic: (word: string) => string | undefined,
): Promise<Failure> {
  const { code, command } = error
  if (code === 'payroll.quoted')
    return usage(
      'Single quotation marks came with a word, and would be a part of it.',
      'Put the whole word in double quotes, and none inside: "city=York". cmd of Windows knows no others.',
    )
  const see = `See ${command ? commandPath(command) : 'payroll'} --help.`
  if (code === 'commander.help') return usage('The command is incomplete: a verb is missing.', see)
  if (code === 'commander.conflictingOption')
    return usage(`${error.message.match(/--[\w-]+/g)?.join(' and ')} cannot be combined.`, see)
  const isExcess = command && code === 'commander.excessArguments'
  const sentence = isExcess
    ? sayExcess(command)
    : capital(lacksValue(error) ?? error.message.replace(/^error: /, '')).replace(/\.?$/, '.')
  const hint = command && (await hintFor(code, command, platform, entries, findTopic))
  return usage(sentence, hint ? `${hint} ${see}` : see)
}

/** It repeats no word, which may be a key. */
function sayExcess(command: Command): string {
  const [expectedCount, count] = [command.registeredArguments.length, command.args.length]
  return `Too many words: ${spokenOf(commandPath(command))} takes ${expectedCount || 'none'} after it, and there ${agree(count, 'is')} ${count}.`
}

async function hintFor(
  code: string,
  command: Command,
  platform: NodeJS.Platform | undefined,
  entries: readonly ProgramEntry[],
  findTopic: (word: string) => string | undefined,
): Promise<string | undefined> {
  const word = command.args[0] ?? ''
  const verbs = command.commands.map((each) => each.name()).filter((name) => name !== 'complete')
  const theVerbs = verbs.length > 0 ? `The verbs of ${command.name()} are: ${verbs.join(', ')}.` : undefined
  switch (code) {
    case 'commander.unknownOption':
      return (await ofOtherCommands(command, entries)) ?? didYouMean(nearOption(command))
    case 'commander.unknownCommand': {
      // Who leaves is a person, and other pages are about no noun.
      const topic = !command.parent || command.name() === 'candidates' ? findTopic(word) : undefined
      if (topic !== undefined) return didYouMean(`payroll help ${topic}`)
      if (command.parent) return didYouMean(nearest(verbs, word)) ?? theVerbs
      // Only the nouns that were typed are known to the parser.
      const nouns = [...entries.map(({ name }) => name), 'help']
      const nounOf = (word: string) => own(otherNouns, word) ?? nearest(nouns, word)
      const commands = await commandsOfVerb(entries, word, nounOf(command.args[1] ?? ''))
      return didYouMean(commands.map(withArguments).join(', or ')) ?? didYouMean(nounOf(word))
    }
    case 'commander.excessArguments': {
      const near = nearest(verbs, word)
      if (near) return didYouMean(near)
      // cmd of Windows knows no other quotation marks, and takes the word apart.
      if (command.args.some((each) => each.endsWith("'")))
        return 'Put a value that has a blank in double quotes.'
      const takesVerb = command.registeredArguments.length === 0
      if (takesVerb && theVerbs && isReading.test(word)) return theVerbs
      return (
        placeOfExcess(command, platform) ??
        (takesVerb ? theVerbs : undefined) ??
        (hasOption(command) ? 'Put a value that has a blank in quotes.' : undefined)
      )
    }
    default:
      return undefined
  }
}

/** A command as it is typed, with what has to be filled in: `payroll candidates get <id>`. */
function withArguments({ path, here }: FoundCommand): string {
  const needed = 'run' in here ? (here.arguments ?? []).filter(({ optional }) => !optional) : []
  return [path, ...needed.map(argumentWord)].join(' ')
}

const didYouMean = (words = ''): string | undefined => (words === '' ? undefined : `Did you mean ${words}?`)

/** Says that an option has no value, at the end of the line or before another option. */
function lacksValue({ message }: CommanderError): string | undefined {
  const [, flags, option, next] =
    /^error: option '(?:-\w, )?((--\S+) .*)' argument missing(?:: (.*))?$/.exec(message) ?? []
  if (option === undefined) return undefined
  return `${option} needs a value: ${flags}${next ? `. ${next} behind it is another option` : ''}`
}

const mostOthers = 3

/** Which commands have the option that this one lacks: those of its own noun, or else others. */
async function ofOtherCommands(
  command: Command,
  entries: readonly ProgramEntry[],
): Promise<string | undefined> {
  const option = unknownOption(command)
  const isCountry = countries.some(({ flag }) => flag === (own(otherOptions, option) ?? option))
  if (isCountry && !command.options.some(({ long }) => countries.some(({ flag }) => flag === long)))
    return `${spokenOf(commandPath(command))} is for every country: leave ${option} out.`
  const otherCommands = (await everyCommand(entries))
    .filter(({ here }) => 'run' in here && here.options?.some((each) => optionWord(each) === option))
    .map(({ path }) => spokenOf(path))
  const [, noun = ''] = commandPath(command).split(' ')
  const siblings = otherCommands.filter((path) => path.startsWith(`${noun} `))
  const suggestions = siblings.length > 0 ? siblings : otherCommands
  return suggestions.length > 0
    ? `${option} is an option of ${nameSome(suggestions, mostOthers)}.`
    : undefined
}

/** A verb that people type after a command that lists without one. */
const isReading = /^(list|ls|show|view|get)$/

/** Where a word belongs that is one too many: behind --set, --where, --employee or --person, or to `find`. */
function placeOfExcess(command: Command, platform: NodeJS.Platform | undefined): string | undefined {
  const line = (...words: readonly string[]) => words.map((word) => shellWord(word, platform)).join(' ')
  const { args, options, registeredArguments, parent } = command
  const [before, after] = [args.slice(0, registeredArguments.length), args.slice(registeredArguments.length)]
  const has = (option: string) => options.some(({ long }) => long === option)
  if (/^[\w.[\]-]+(?:=|!=|<|>|~)/.test(after.join(' '))) {
    const option = ['--set', '--where'].find(has)
    return didYouMean(option && `${option} ${line(after.join(' '))}`)
  }
  const option = ['--employee', '--person'].find(has)
  const [excess] = after
  if (option && excess !== undefined && after.length === 1) {
    // A document is named by its file or its id; the person may stand before it, as in documents create.
    const isDocument = (word = '') => /\.\w+$|^[\da-f-]{36}$/i.test(word)
    const isLast = option === '--employee' && isDocument(excess) && !isDocument(before[0])
    const words = isLast ? [excess, option, ...before] : [...before, option, excess]
    return didYouMean(`${commandPath(command)} ${line(...words)}`)
  }
  // A person's timesheets are a part of the list, as they are of payslips and documents.
  if (has('--where') && parent?.name() === 'timesheets' && after.length === 1)
    return didYouMean(`${commandPath(command)} --where ${line(`person=${excess}`)}`)
  const isReadByName = has('--where') || command.name() === 'get'
  if (!isReadByName || !parent?.commands.some((each) => each.name() === 'find')) return undefined
  return didYouMean(`${commandPath(parent)} find ${line(...args)}`)
}

const hasOption = (command: Command): boolean =>
  command.options.some((each) => command.getOptionValueSource(each.attributeName()) === 'cli')

/** The verb of a command line. `words`: as far as the parser came, which a wrong value of a global option ends early. */
export async function verbOf(
  entries: readonly ProgramEntry[],
  words: readonly string[],
  argv: readonly string[],
): Promise<Verb | undefined> {
  const { command } = await findCommand(entries, words.length > 0 ? words : operandsOf(argv))
  return command && 'run' in command.here ? command.here : undefined
}

/** The option that the command does not have, without its value. The parser leaves it among the arguments. */
function unknownOption({ args }: Command): string {
  const [option = ''] = args.find((word) => /^-./.test(word))?.split('=') ?? []
  return option
}

function nearOption(command: Command): string | undefined {
  const longs = [command, rootOf(command)].flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))
  const word = unknownOption(command)
  const other = own(otherOptions, word)
  const [begun, another] = longs.filter((each) => each.startsWith(`${word}-`))
  return (
    longs.find((each) => each === other) ??
    nearest([...longs, '--help'], word) ??
    (another ? undefined : begun)
  )
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)
