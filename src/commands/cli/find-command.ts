import { type Declaration, globalDeclarations, outDeclaration } from '../../context/global-options.ts'
import { usage } from '../../errors.ts'
import { spokenOf } from '../../text/named-commands.ts'
import { optionDeclarations, optionWord } from './options.ts'
import { type ProgramEntry, type Resource, type VerbGroup, verbsOf } from './verb.ts'

/** A noun, a group or a verb, with the words that lead to it. */
export interface Command {
  /** All its words: `payroll candidates list`. */
  readonly path: string
  readonly here: Resource | VerbGroup
  readonly summary: string
}

/** The name of a command within its group: `list` for `payroll candidates list`. */
export const lastWord = ({ path }: Command): string => path.slice(path.lastIndexOf(' ') + 1)

async function nounCommand({ name, summary, load }: ProgramEntry): Promise<Command> {
  const here = await load()
  return {
    path: `payroll ${name}`,
    here,
    summary: 'run' in here ? here.summary : summary,
  }
}

/** The commands one level below a command. */
export function subcommandsOf({ path, here }: Command): Command[] {
  return verbsOf(here).map((each) => ({ path: `${path} ${each.name}`, here: each, summary: each.summary }))
}

/** Every command, each followed by those below it. */
export async function everyCommand(entries: readonly ProgramEntry[]): Promise<Command[]> {
  const withSubcommands = (command: Command): Command[] => [
    command,
    ...subcommandsOf(command).flatMap(withSubcommands),
  ]
  const nouns = await Promise.all(entries.filter(({ hidden }) => !hidden).map(nounCommand))
  return nouns.flatMap(withSubcommands)
}

/** `candidates.ireland`, which is typed for `candidates` and its option. */
const countryInNoun = /^candidates\.\w+$/

/** Follows the words to a command, as far as they lead. `rest`: the words that are left. Only the noun is loaded. */
export async function findCommand(
  entries: readonly ProgramEntry[],
  [noun = '', ...words]: readonly string[],
): Promise<{ readonly command: Command | undefined; readonly rest: readonly string[] }> {
  const entry = entries.find(({ name }) => name === noun.replace(countryInNoun, 'candidates'))
  if (!entry) return { command: undefined, rest: [noun, ...words] }
  let command = await nounCommand(entry)
  for (const [at, word] of words.entries()) {
    const next = subcommandsOf(command).find((each) => lastWord(each) === word)
    if (!next) return { command, rest: words.slice(at) }
    command = next
  }
  return { command, rest: [] }
}

/** The declaration of every option that takes a value, by how it is typed. */
export const optionsWithValue: ReadonlyMap<string, Declaration> = new Map(
  Object.entries<Declaration>({ ...globalDeclarations, ...optionDeclarations, out: outDeclaration })
    .filter(([, { value }]) => value !== undefined)
    .flatMap(([name, declaration]) => [
      [optionWord(name), declaration],
      [`-${declaration.short}`, declaration],
    ]),
)

/** The words of a line that are no option, and no value of one. */
export const operandsOf = (words: readonly string[]): string[] =>
  words.filter((word, at) => !word.startsWith('-') && !optionsWithValue.has(words[at - 1] ?? ''))

/** The command of all these words. Throws a usage failure with what was probably meant. `more`: what may be meant too. */
export async function requireCommand(
  entries: readonly ProgramEntry[],
  words: readonly string[],
  more: readonly string[] = [],
): Promise<Command> {
  const { command, rest } = await findCommand(entries, words)
  const [word] = rest
  if (command && word === undefined) return command
  const path = command?.path ?? 'payroll'
  const what = command ? `${spokenOf(path)} has no verb ${word}.` : `There is no command ${word}.`
  const names = command ? subcommandsOf(command).map(lastWord) : [...entries.map(({ name }) => name), ...more]
  const { nearest } = await import('../../model/fields/nearest.ts')
  const near = nearest(names, word ?? '')
  throw usage(near ? `${what} Did you mean ${near}?` : what, `See ${path} --help.`)
}
