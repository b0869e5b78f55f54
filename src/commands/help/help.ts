import { type Failure, usage } from '../../errors.ts'
import { capital } from '../../text/words.ts'
import {
  aliasesOf,
  argumentWord,
  describeVerbOption,
  type Entry,
  type GlobalOption,
  type Group,
  type Note,
  type Resource,
  type Verb,
  verbsOf,
} from '../cli/verb.ts'
import { commands, type Item, list, page, paragraph, section } from './layout.ts'
import { topicNamed, topics } from './topics.ts'

/** What help is made of. */
export interface HelpSource {
  readonly entries: readonly Entry[]
  readonly globalOptions: readonly GlobalOption[]
  /** In columns. */
  readonly width: number
}

/**
 * What `help <words>` prints, and `<words> --help`: the page of a command. A topic has a page too, as `topicText`
 * gives it. Throws a usage failure for words that lead to no command.
 */
export async function helpText(source: HelpSource, words: readonly string[]): Promise<string> {
  const { entries, width } = source
  const [noun] = words
  if (noun === undefined || noun === 'help') return rootPage(entries, width)
  const { here, beside, about, path } = await findCommand(entries, words)
  return 'run' in here
    ? verbPage(here, beside, { path, about, width })
    : nounPage(verbsOf(here), { path, about, width })
}

/** What words lead to. */
interface FoundCommand {
  /** The first word. */
  readonly entry: Entry
  readonly here: Resource | Group
  /** The names of the verbs beside it. */
  readonly beside: readonly string[]
  readonly summary: string
  /** What its help says first, as a sentence: of verbs that stand together more than the summary. */
  readonly about: string
  /** The words, `payroll` first, without other words for a verb. */
  readonly path: string
}

/** The command of these words. Throws a usage failure for words that lead to none. */
export async function findCommand(
  entries: readonly Entry[],
  [noun = '', ...rest]: readonly string[],
): Promise<FoundCommand> {
  const entry = entries.find(({ name }) => name === noun)
  if (!entry) throw await unknown('payroll', noun, [...entries.map(({ name }) => name), ...topics])
  let path = `payroll ${noun}`
  let here: Resource | Group = await entry.load()
  let { summary } = 'run' in here ? here : entry
  let about = summary
  let beside: readonly string[] = []
  for (const word of rest) {
    const verbs = verbsOf(here)
    beside = verbs.map(({ name }) => name)
    const next: Verb | Group | undefined = verbs.find(({ name }) => isWordFor(word, name, beside))
    if (!next) throw await unknown(path, word, beside)
    path = `${path} ${next.name}`
    summary = next.summary
    about = 'about' in next ? next.about : summary
    here = next
  }
  return { entry, here, beside, summary, about: sentence(about), path }
}

/** The page of a topic; undefined where there is none of this name. */
export async function topicText(
  { globalOptions, width }: HelpSource,
  word: string,
): Promise<string | undefined> {
  const name = topicNamed(word)
  if (name === undefined) return undefined
  const { topicPages } = await import('./topic-pages.ts')
  const parts = topicPages[name](globalOptions)
  return page(parts.map((part) => (typeof part === 'string' ? paragraph(part, width) : list(part, width))))
}

function isWordFor(word: string, verb: string, beside: readonly string[]): boolean {
  return word === verb || aliasesOf(verb, beside).includes(word)
}

async function unknown(path: string, word: string, known: readonly string[]): Promise<Failure> {
  const { nearest } = await import('../../model/fields/nearest.ts')
  const near = nearest(known, word)
  const what = path === 'payroll' ? `There is no command or topic ${word}.` : `${path} has no verb ${word}.`
  return usage(near ? `${what} Did you mean ${near}?` : what, `See ${path} --help.`)
}

/** How a command is typed: `payroll candidates get <id> [options]`. `path`: the words that lead to it, `payroll` first. */
export function typedLine(path: string, command?: Resource | Group): string {
  if (!command || !('run' in command)) return `${path} <verb> [options]`
  const { arguments: words = [], options = [] } = command
  return [path, ...words.map(argumentWord), ...(options.length > 0 ? ['[options]'] : [])].join(' ')
}

/** What help says of payroll alone. */
export const root = {
  about:
    'UK and Irish payroll at the command line: people, rates, timesheets, payslips and documents. Results go to standard output, as JSON in a pipe or a file; messages go to standard error.',
  /** The first works at once: at a terminal the sandbox is used until a service is set up. */
  examples: [
    'payroll candidates create --ireland             # try the form',
    'payroll profiles set production --base-url …    # the address of your service',
    'payroll auth login --profile production         # its key',
  ],
}

/** What `payroll` alone prints: what one needs first, on a screen of 24 lines. */
export function shortPage({ entries, width }: HelpSource): string {
  const [first = '', ...others] = new Set(entries.map(({ group }) => group))
  const inGroup = (group: string) => entries.filter((entry) => entry.group === group)
  return page([
    paragraph(`UK and Irish payroll at the command line. Usage: ${typedLine('payroll <command>')}`, width),
    section(
      first,
      list(
        inGroup(first).map(({ name, summary }): Item => [name, summary]),
        width,
      ),
    ),
    list(
      others.map(
        (group): Item => [
          group,
          inGroup(group)
            .map(({ name }) => name)
            .join(', '),
        ],
      ),
      width,
    ),
    section('Examples', commands(root.examples.slice(0, 2), width)),
    paragraph('All of it: payroll help. One command: payroll help <command>', width),
  ])
}

/** The help of `payroll help`: the commands by what a person wants to do. */
function rootPage(entries: readonly Entry[], width: number): string {
  const groups = [...new Set(entries.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const items = entries
      .filter((entry) => entry.group === group)
      .map(({ name, summary }): Item => [name, summary])
    return section(group, list(items, width))
  })
  return page([
    paragraph(`Usage: ${typedLine('payroll <command>')}`, width),
    paragraph(root.about, width),
    ...sections,
    section('Examples', commands(root.examples, width)),
    paragraph(`More: payroll help <command>, or payroll help ${topics.join(', ')}.`, width),
    paragraph(globalOptionsHint, width),
  ])
}

/** Of a noun: more would push its verbs off the screen. */
const mostExamples = 4

/** Where the options stand that every command understands. */
const globalOptionsHint = 'Options of every command (--json, --yes, …): payroll help options'

/** What a page needs to know besides what it is about. */
interface Page {
  /** The words that lead to the command, `payroll` first. */
  readonly path: string
  /** What it says first. */
  readonly about: string
  /** In columns. */
  readonly width: number
}

/** The help of one verb: how it is typed, then its own options. `others`: the verbs beside it. */
function verbPage(verb: Verb, others: readonly string[], { path, about, width }: Page): string {
  const words = (verb.arguments ?? []).map((each): Item => [argumentWord(each), each.summary])
  const options = (verb.options ?? []).map((name): Item => {
    const { flags, summary } = describeVerbOption(name, verb)
    return [flags, summary]
  })
  const aliases = aliasesOf(verb.name, others)
  return page([
    paragraph(`Usage: ${typedLine(path, verb)}`, width),
    paragraph(about, width),
    section('Examples', commands(verb.examples, width)),
    section('Arguments', list(words, width)),
    section('Options', list(options, width)),
    section(
      'Verbs',
      list(
        (verb.verbs ?? []).map(({ name, summary }): Item => [name, summary]),
        width,
      ),
    ),
    notesText(verb.notes ?? [], width),
    aliases.length > 0 ? paragraph(`Also typed as: ${aliases.join(', ')}.`, width) : '',
    paragraph(globalOptionsHint, width),
  ])
}

/** The help of a noun: its verbs, and an example of each of the first. */
function nounPage(verbs: readonly (Verb | Group)[], { path, about, width }: Page): string {
  const examples = verbs.flatMap((verb) => ('examples' in verb ? verb.examples.slice(0, 1) : []))
  return page([
    paragraph(`Usage: ${typedLine(path)}`, width),
    paragraph(about, width),
    section(
      'Verbs',
      list(
        verbs.map(({ name, summary }): Item => [name, summary]),
        width,
      ),
    ),
    section('Examples', commands(examples.slice(0, mostExamples), width)),
    paragraph(`The options of one verb: ${path} <verb> --help`, width),
  ])
}

function notesText(notes: readonly Note[], width: number): string {
  return blocksOf(notes)
    .map((block) => (typeof block === 'string' ? paragraph(block, width) : list(block, width)))
    .join('\n')
}

/** Notes as paragraphs, and as lists of the words that stand together. */
export function blocksOf(notes: readonly Note[]): (string | readonly Item[])[] {
  const blocks: (string | Item[])[] = []
  for (const note of notes) {
    const last = blocks.at(-1)
    if (typeof note === 'string') blocks.push(note)
    else if (Array.isArray(last)) last.push(note)
    else blocks.push([note])
  }
  return blocks
}

/** A summary as a sentence. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`
}
