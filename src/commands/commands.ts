import { nearest } from '../api/contract/fields/nearest.ts'
import { allExitCodes, exitCodesOf } from '../cli/exit-codes.ts'
import { describeOption, type OptionName, optionDeclarations, optionWord } from '../cli/options.ts'
import {
  type Argument,
  aliasesOf,
  describeVerbOption,
  type Entry,
  type GlobalOption,
  type Group,
  type InputUse,
  type Note,
  type Resource,
  type Verb,
  verbsOf,
} from '../cli/verb.ts'
import { type Declaration, globalDeclarations, outDeclaration } from '../context/global-options.ts'
import { usage } from '../errors.ts'
import { isTopic } from './help/topics.ts'

/** `commands`: everything that can be typed, for a program or an agent that has to choose. */
export function commandsOf(entries: readonly Entry[], globals: readonly GlobalOption[]): Verb {
  return {
    name: 'commands',
    summary:
      'List every command with its arguments, its options, its exit codes, and whether it writes to the service',
    notes: [
      'The first row has the version, the version of this format, and the options that every command understands. readsInput is what standard input is for: record, rows or secret. type is what follows an option: number, choice, list, file, day or text; a flag stands alone. conflicts are the options that one cannot be combined with; notes are what the help says besides: paragraphs, and words with their meaning. An error as JSON names commands that help, as next: payroll help errors.',
    ],
    arguments: [
      {
        name: 'words',
        summary: 'only this command and those behind it: candidates list; without the row of payroll itself',
        optional: true,
        variadic: true,
      },
    ],
    examples: [
      'payroll commands',
      'payroll commands --json',
      'payroll commands candidates list --json   # or: payroll help candidates list --json',
      'payroll commands --json | jq -r ".[] | select(.writes).command"',
    ],
    async run(context, { words = [] }) {
      const visible = entries.filter(({ hidden }) => !hidden)
      const inside = await Promise.all(
        visible.map(async ({ name, group, load }) => rowsOf(group, `payroll ${name}`, await load())),
      )
      const all = inside.flat()
      const rows =
        words.length > 0
          ? all.filter(startsWith(findPath(all, words)))
          : [{ ...rootRow(globals), version: context.version, formatVersion }, ...all]
      await context.output.list(rows, { columns: ['command', 'writes', 'summary'] })
    },
  }
}

const startsWith =
  (path: string) =>
  ({ command }: Row) =>
    `${command} `.startsWith(`${path} `)

/** The command that words lead to, without other words for a verb. Throws a usage failure for words that lead to none. */
function findPath(rows: readonly Row[], words: readonly string[]): string {
  const [topic = ''] = words
  if (words.length === 1 && isTopic(topic)) {
    throw usage(
      `${topic} is a page of help, which is text, and no command.`,
      `To read it: payroll help ${topic}`,
    )
  }
  return words.reduce((path, word) => {
    const depth = path.split(' ').length
    const below = rows.filter(startsWith(path)).flatMap(({ command }) => command.split(' ')[depth] ?? [])
    const names = [...new Set(below)]
    const name = names.find((each) => each === word || aliasesOf(each, names).includes(word))
    if (name !== undefined) return `${path} ${name}`
    const near = nearest(names, word)
    const known = near === undefined ? '' : ` Did you mean ${near}?`
    throw usage(`There is no command ${path} ${word}.${known}`, 'To list the commands: payroll commands')
  }, 'payroll')
}

/** Counts up where a member of a row goes away or means something else; a new member is no reason. */
const formatVersion = 1

/** What holds for every command. */
function rootRow(globals: readonly GlobalOption[]) {
  return {
    command: 'payroll',
    summary: 'what every command understands',
    writes: false,
    deletes: false,
    readsInput: null as InputUse | null,
    aliases: [] as readonly string[],
    arguments: [] as readonly ReturnType<typeof argumentRow>[],
    options: globals.map(({ flags, description }) =>
      optionRow(flags, description, globalOption(flags) ?? { summary: description }),
    ),
    notes: [] as readonly Note[],
    exitCodes: allExitCodes,
    examples: [] as readonly string[],
  }
}

type Row = ReturnType<typeof rootRow>

function rowsOf(group: string, command: string, resource: Resource | Group): Row[] {
  const ownRow = 'run' in resource ? [rowOf(group, command, resource, [])] : []
  const verbs = verbsOf(resource)
  const names = verbs.map(({ name }) => name)
  const below = verbs.flatMap((each) => {
    const path = `${command} ${each.name}`
    const inside = verbsOf(each).length > 0 ? rowsOf(group, path, { verbs: verbsOf(each) }) : []
    return 'run' in each ? [rowOf(group, path, each, aliasesOf(each.name, names)), ...inside] : inside
  })
  return [...ownRow, ...below]
}

function rowOf(group: string, command: string, verb: Verb, aliases: readonly string[]): Row {
  const own = verb.options ?? []
  return {
    command,
    summary: verb.summary,
    writes: verb.writes ?? false,
    deletes: verb.deletes ?? false,
    readsInput: verb.readsInput ?? null,
    aliases,
    arguments: (verb.arguments ?? []).map(argumentRow),
    options: [
      ...own.map((name) => {
        const { flags, summary } = describeVerbOption(name, verb)
        const conflicts = conflictsOf(name, own).map(optionWord)
        return { ...optionRow(flags, summary, optionDeclarations[name]), conflicts }
      }),
      ...(own.includes('out') ? [] : [outRow]),
    ],
    notes: verb.notes ?? [],
    exitCodes: exitCodesOf(group, command, verb),
    examples: verb.examples,
  }
}

function argumentRow({ name, summary, optional, variadic }: Argument) {
  return { name, summary, required: !optional, repeatable: variadic ?? false }
}

/**
 * `takes`: what stands behind the option, as help shows it; null for one that stands alone. `type`: what that is; `least` and
 * `most`: of a number.
 */
function optionRow(flags: string, summary: string, declaration: Declaration) {
  const { choices = [], repeats = false, range: [least = null, most = null] = [] } = declaration
  const [, takes = null] = / <(.+)>$/.exec(flags) ?? []
  const [name = flags] = /--[\w-]+/.exec(flags) ?? []
  return {
    name,
    flags,
    takes,
    type: optionType(declaration),
    values: choices as readonly string[],
    least,
    most,
    repeatable: repeats,
    summary,
    conflicts: [] as readonly string[],
  }
}

/** The declaration of an option of every command; undefined for --version. */
function globalOption(flags: string): Declaration | undefined {
  const declared = Object.entries<Declaration>(globalDeclarations)
  return declared.find(([name, each]) => describeOption(name, each).flags === flags)?.[1]
}

/** What the value of an option is, for a program; a `flag` has none. */
type OptionType = 'flag' | 'number' | 'choice' | 'list' | 'file' | 'day' | 'text'

const typesOfValues: Readonly<Record<string, OptionType>> = {
  path: 'file',
  file: 'file',
  day: 'day',
}

function optionType({ value, choices, range, commas }: Declaration): OptionType {
  if (value === undefined) return 'flag'
  if (choices) return 'choice'
  if (range) return 'number'
  return commas ? 'list' : (typesOfValues[value] ?? 'text')
}

/** The options among these that one cannot be combined with, whichever of the two declares it. */
function conflictsOf(name: OptionName, among: readonly OptionName[]): readonly OptionName[] {
  const excludes = (one: OptionName, other: OptionName) =>
    optionDeclarations[one].conflicts?.includes(other) ?? false
  return among.filter((other) => other !== name && (excludes(name, other) || excludes(other, name)))
}

const out = describeOption('out', outDeclaration)
const outRow = optionRow(out.flags, out.summary, outDeclaration)
