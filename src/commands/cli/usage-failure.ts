import type { Command, CommanderError } from 'commander'
import { type Failure, usage } from '../../errors.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { spokenOf } from '../../text/named-commands.ts'
import { agree, capital } from '../../text/words.ts'
import { findCommand, operandsOf } from './find-command.ts'
import { commandPath } from './register.ts'
import type { ProgramEntry, Verb } from './verb.ts'

/** What people type first for our commands. */
const otherCommands: Readonly<Record<string, string>> = {
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
  login: 'auth login',
  logout: 'auth logout',
  import: 'candidates import',
}

/** The failure of a refused command line, with what was probably meant, or the help of the command. */
export function usageFailure(
  error: CommanderError & { readonly command?: Command },
  entries: readonly ProgramEntry[],
): Failure {
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
  const hint = command && hintFor(code, command, entries)
  return usage(sentence, hint ? `${hint} ${see}` : see)
}

/** It repeats no word, which may be a key. */
function sayExcess(command: Command): string {
  const [expectedCount, count] = [command.registeredArguments.length, command.args.length]
  return `Too many words: ${spokenOf(commandPath(command))} takes ${expectedCount || 'none'} after it, and there ${agree(count, 'is')} ${count}.`
}

function hintFor(code: string, command: Command, entries: readonly ProgramEntry[]): string | undefined {
  const word = command.args[0] ?? ''
  const verbs = command.commands.map((each) => each.name())
  switch (code) {
    case 'commander.unknownOption':
      return didYouMean(nearest([...optionsOf(command), '--help'], unknownOption(command)))
    case 'commander.unknownCommand': {
      if (command.parent)
        return didYouMean(nearest(verbs, word)) ?? `The verbs of ${command.name()} are: ${verbs.join(', ')}.`
      if (Object.hasOwn(otherCommands, word)) return didYouMean(otherCommands[word])
      // Only the nouns that were typed are known to the parser.
      return didYouMean(nearest([...entries.map(({ name }) => name), 'help'], word))
    }
    case 'commander.excessArguments': {
      const isList = command.options.some(({ long }) => long === '--where')
      const isPeople = command.parent?.name() === 'candidates'
      const part = isPeople
        ? 'To look for a person: payroll candidates find <name>. '
        : 'A part of a list is chosen with --where. '
      return (
        didYouMean(nearest(verbs, word)) ??
        `${isList ? part : ''}A value that has a blank stands in double quotes.`
      )
    }
    default:
      return undefined
  }
}

const optionsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...(command.parent ? optionsOf(command.parent) : []),
]

const didYouMean = (words = ''): string | undefined => (words === '' ? undefined : `Did you mean ${words}?`)

/** Says that an option has no value, at the end of the line or before another option. */
function lacksValue({ message }: CommanderError): string | undefined {
  const [, flags, option, next] =
    /^error: option '(?:-\w, )?((--\S+) .*)' argument missing(?:: (.*))?$/.exec(message) ?? []
  if (option === undefined) return undefined
  return `${option} needs a value: ${flags}${next ? `. ${next} behind it is another option` : ''}`
}

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
