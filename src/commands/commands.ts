import { allExitCodes, exitCodesOf } from '../cli/exit-codes.ts'
import { describeOption, optionDeclarations, optionWord } from '../cli/options.ts'
import {
  type Argument,
  aliasesOf,
  describeVerbOption,
  type Entry,
  type GlobalOption,
  type Group,
  type Note,
  type Resource,
  type Verb,
  verbsOf,
} from '../cli/verb.ts'
import { outDeclaration } from '../context/global-options.ts'

/** `commands`: everything that can be typed, for a program or an agent that has to choose. */
export function commandsOf(entries: readonly Entry[], globals: readonly GlobalOption[]): Verb {
  return {
    name: 'commands',
    summary:
      'List every command with its arguments, its options, its exit codes, and whether it writes to the service',
    notes: [
      'The first row has the version, and the options that every command understands. conflicts are the options that one cannot be combined with; notes are what the help says besides: paragraphs, and words with their meaning. An error as JSON names commands that help, as next: payroll help errors.',
    ],
    examples: [
      'payroll commands',
      'payroll commands --json',
      'payroll commands --json | jq -r ".[] | select(.writes).command"',
    ],
    async run(context) {
      const visible = entries.filter(({ hidden }) => !hidden)
      const inside = await Promise.all(
        visible.map(async ({ name, group, load }) => rowsOf(group, `payroll ${name}`, await load())),
      )
      const rows = [{ ...rootRow(globals), version: context.version }, ...inside.flat()]
      await context.output.list(rows, { columns: ['command', 'writes', 'summary'] })
    },
  }
}

/** What holds for every command. */
function rootRow(globals: readonly GlobalOption[]) {
  return {
    command: 'payroll',
    summary: 'what every command understands',
    writes: false,
    aliases: [] as readonly string[],
    arguments: [] as readonly ReturnType<typeof argumentRow>[],
    options: globals.map(({ flags, description, argChoices = [] }) =>
      optionRow(flags, description, argChoices, false),
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
    aliases,
    arguments: (verb.arguments ?? []).map(argumentRow),
    options: [
      ...own.map((name) => {
        const { flags, summary } = describeVerbOption(name, verb)
        const { choices = [], repeats = false, conflicts = [] } = optionDeclarations[name]
        return { ...optionRow(flags, summary, choices, repeats), conflicts: conflicts.map(optionWord) }
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

/** `takes`: what stands behind the option, as help shows it; null for one that stands alone. */
function optionRow(flags: string, summary: string, values: readonly string[], repeatable: boolean) {
  const [, takes = null] = / <(.+)>$/.exec(flags) ?? []
  const [name = flags] = /--[\w-]+/.exec(flags) ?? []
  return { name, flags, takes, values, repeatable, summary, conflicts: [] as readonly string[] }
}

const out = describeOption('out', outDeclaration)
const outRow = optionRow(out.flags, out.summary, [], false)
