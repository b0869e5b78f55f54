import { capital } from '../../text/words.ts'
import { type Command, lastWord, requireCommand, subcommandsOf } from '../cli/find-command.ts'
import { argumentWord, describeVerbOption, type ProgramEntry, type Verb } from '../cli/verb.ts'
import { commands, definitionList, headedPart, type Item, page, paragraph } from './layout.ts'
import { isTopic, topics } from './topics.ts'

export interface HelpSource {
  readonly entries: readonly ProgramEntry[]
  readonly width: number
}

/** The page of `help <words>` and `<words> --help`. Throws a usage failure for words that are neither a command nor a topic. */
export async function helpPage(source: HelpSource, words: readonly string[]): Promise<string> {
  const { entries, width } = source
  const [noun] = words
  if (noun === undefined || noun === 'help') return rootPage(source)
  const topic = /^\d{1,3}$/.test(noun) ? 'exit-codes' : words.join('-')
  if (!isTopic(topic)) return commandText(await describeCommand(entries, words), width)
  const { topicPages } = await import('./topic-pages.ts')
  return page(topicPages[topic].map((part) => partText(part, width)))
}

/** All that help says of a command: on a screen, and in its man page. */
export interface CommandPage {
  readonly command: Command
  /** How it is typed: `payroll candidates get <id> [options]`. */
  readonly typed: string
  /** What it does, in a sentence or more. */
  readonly about: string
  readonly examples: readonly string[]
  readonly arguments: readonly Item[]
  readonly options: readonly Item[]
  readonly verbs: readonly Item[]
  /** Paragraphs, and lists of words with their meaning. */
  readonly notes: readonly (string | readonly Item[])[]
}

/** The page of a command. Throws a usage failure for words that are none. */
export async function describeCommand(
  entries: readonly ProgramEntry[],
  words: readonly string[],
): Promise<CommandPage> {
  const command = await requireCommand(entries, words, topics)
  const subcommands = subcommandsOf(command)
  const { here, path } = command
  const verb = 'run' in here ? here : undefined
  const { arguments: argumentsOf = [], options = [], notes = [] }: Partial<Verb> = verb ?? {}
  const about = 'about' in here ? here.about : command.summary
  const typed = [path, ...argumentsOf.map(argumentWord), ...(options.length > 0 ? ['[options]'] : [])]
  return {
    command,
    about: /[.!?]$/.test(about) ? capital(about) : `${capital(about)}.`,
    verbs: subcommands.map((each): Item => [lastWord(each), each.summary]),
    typed: verb ? typed.join(' ') : `${path} <verb> [options]`,
    examples:
      verb?.examples ??
      subcommands.flatMap((each) => ('run' in each.here ? each.here.examples.slice(0, 1) : [])),
    arguments: argumentsOf.map((each): Item => [argumentWord(each), each.summary]),
    options: options.flatMap((name): Item[] => {
      const option = verb && describeVerbOption(name, verb)
      return option ? [[option.flags, option.summary]] : []
    }),
    notes: notes.reduce<(string | Item[])[]>((blocks, note) => {
      const last = blocks.at(-1)
      if (typeof note === 'string') blocks.push(note)
      else if (Array.isArray(last)) last.push(note)
      else blocks.push([note])
      return blocks
    }, []),
  }
}

/** More examples would push the verbs of a noun off the screen. */
const mostExamples = 4

const globalOptionsHint = 'Options of every command (--json, --yes, …): payroll help options'

function commandText(described: CommandPage, width: number): string {
  const { command, typed, about, examples, verbs, notes } = described
  const head = [`Usage: ${typed}`, about].map((text) => paragraph(text, width))
  const verbList = headedPart('Verbs', definitionList(verbs, width))
  if (!('run' in command.here))
    return page([
      ...head,
      verbList,
      headedPart('Examples', commands(examples.slice(0, mostExamples))),
      paragraph(`The options of one verb: ${command.path} <verb> --help`, width),
    ])
  return page([
    ...head,
    headedPart('Examples', commands(examples)),
    headedPart('Arguments', definitionList(described.arguments, width)),
    headedPart('Options', definitionList(described.options, width)),
    verbList,
    notes.map((note) => partText(note, width)).join('\n'),
    paragraph(globalOptionsHint, width),
  ])
}

const partText = (part: string | readonly Item[], width: number) =>
  typeof part === 'string' ? paragraph(part, width) : definitionList(part, width)

/** The words about payroll itself, on the page without a command. */
export const aboutPayroll = {
  typed: 'payroll <command> <verb> [options]',
  about:
    'UK and Irish payroll at the command line: people, rates, timesheets, payslips and documents. Results go to standard output, as JSON in a pipe or a file; messages go to standard error.',
  /** The first works at once: at a terminal the sandbox is used until a service is set up. */
  examples: [
    'payroll candidates create --ireland             # try the form',
    'payroll profiles set production --base-url …    # the address of your service',
    'payroll auth login --profile production         # its key',
  ],
}

/** The commands by their group, without the hidden ones. Not by `groupBy`, which help alone would load for it. */
export function commandGroups(
  entries: readonly ProgramEntry[],
): ReadonlyMap<string, readonly ProgramEntry[]> {
  const visible = entries.filter(({ hidden }) => !hidden)
  return new Map(visible.map(({ group }) => [group, visible.filter((entry) => entry.group === group)]))
}

const summaries = (entries: readonly ProgramEntry[]) =>
  entries.map(({ name, summary }): Item => [name, summary])

/** The page of `payroll` alone: what one needs first, on a screen of 24 lines. */
export function shortPage({ entries, width }: HelpSource): string {
  const [[title, first] = ['', []], ...moreGroups] = commandGroups(entries)
  const names = moreGroups.map(([group, each]): Item => [group, each.map(({ name }) => name).join(', ')])
  return page([
    paragraph(`UK and Irish payroll at the command line. Usage: ${aboutPayroll.typed}`, width),
    headedPart(title, definitionList(summaries(first), width)),
    definitionList(names, width),
    headedPart('Examples', commands(aboutPayroll.examples.slice(0, 2))),
    paragraph('All of it: payroll help. One command: payroll help <command>', width),
  ])
}

function rootPage({ entries, width }: HelpSource): string {
  return page([
    paragraph(`Usage: ${aboutPayroll.typed}`, width),
    paragraph(aboutPayroll.about, width),
    ...[...commandGroups(entries)].map(([group, each]) =>
      headedPart(group, definitionList(summaries(each), width)),
    ),
    headedPart('Examples', commands(aboutPayroll.examples)),
    paragraph(`More: payroll help <command>, or payroll help ${topics.join(', ')}.`, width),
    paragraph(globalOptionsHint, width),
  ])
}
