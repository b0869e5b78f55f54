import type { Declaration } from '../context/global-options.ts'
import type { JsonObject } from '../files/json/path.ts'
import {
  anyObject,
  anything,
  array,
  choice,
  flag,
  integer,
  number,
  object,
  text,
  type ValuesOf,
} from '../model/fields/field.ts'
import { answerSchema, type Direction, recordSchemaId } from '../model/openapi/json-schema.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { errorFields } from '../render/error-fields.ts'
import { allExitCodes, exitCodesOf } from './cli/exit-codes.ts'
import { type Command, everyCommand, requireCommand } from './cli/find-command.ts'
import {
  type DescribedOption,
  globalOptions,
  type OptionName,
  optionDeclarations,
  optionWord,
  outOption,
} from './cli/options.ts'
import { recordTypesByName } from './cli/record-types.ts'
import {
  type Argument,
  answerOf,
  describeVerbOption,
  type InputUse,
  type ProgramEntry,
  type Shape,
  takesOut,
  type Verb,
  type VerbAnswer,
} from './cli/verb.ts'

/** `commands`: everything that can be typed, for a program or an agent that has to choose. */
export function commandsOf(entries: readonly ProgramEntry[]): Verb {
  return {
    name: 'commands',
    isLocal: true,
    summary:
      'List the commands, each with a sentence; with its words, all of one: arguments, options, exit codes',
    notes: [
      'Begin without words: the names, and what each does. Then the words of one: all of it. With --all every command is written out, which is long.',
      'With --all the first row has the version, the version of this format, the options that every command understands, and the JSON Schema of an error. An error as JSON names commands that help, as next: payroll help errors.',
      'answers are JSON Schemas (2020-12) of what is printed with --json, and into a pipe: one for each form of the answer, with the option that leads to it as x-with. $ref names the record of a service by the $id that payroll schema prints. A record may have more fields than are declared, and a later payroll may say more.',
      'readsInput is what standard input is for: record, rows or secret. type is what follows an option, or stands for an argument: number, choice, list, file, day or text; a flag stands alone. conflicts are the options that cannot be combined with this one. notes are what the help says besides.',
    ],
    arguments: [
      {
        name: 'words',
        summary:
          'this command and its subcommands, such as candidates import; for a group, such as candidates, the names in it',
        optional: true,
        variadic: true,
      },
    ],
    options: ['all'],
    optionTexts: { all: 'all of every command, or of those in a group' },
    answer: {
      prints: 'json',
      shapes: [
        { list: true, fields: nameFields },
        { with: '--all', list: true, fields: commandFields },
        { about: 'One command, by its words, and its subcommands:', list: true, fields: commandFields },
      ],
    },
    examples: [
      'payroll commands',
      'payroll commands candidates',
      'payroll commands candidates list --json',
      'payroll commands --all --json | jq -r ".[] | select(.writes).command"',
    ],
    async run(context, { words = [], options }) {
      const commands = await everyCommand(entries)
      const path = words.length > 0 ? (await requireCommand(entries, words)).path : 'payroll'
      const inPath = commands.filter((command) => `${command.path} `.startsWith(`${path} `))
      const isOne = inPath[0]?.path === path && 'run' in inPath[0].here
      const runs = inPath.filter(({ here }) => 'run' in here)
      if (!options.all && !isOne)
        return context.output.list(runs.map(nameRow), { columns: ['command', 'summary'] })
      const root = { ...rootRow, version: context.version, formatVersion, error: errorSchema }
      const rows = await Promise.all(runs.map(commandRow))
      return context.output.list(options.all && words.length === 0 ? [root, ...rows] : rows, {
        columns: ['command', 'writes', 'summary'],
      })
    },
  }
}

const nameFields = { command: text('The words to type'), summary: text('What it does') }

const nameRow = ({ path, summary }: Command): ValuesOf<typeof nameFields> => ({
  command: path,
  summary: summary.split('. ')[0] ?? summary,
})

/** An error as JSON: `payroll help errors`. */
const errorSchema = answerSchema({ error: object('', errorFields) })

/** Counted up when a member of a row is removed or changes its meaning, not for a new member. */
const formatVersion = 1

const optionFields = {
  name: text('As it is typed'),
  flags: text('As help shows it'),
  takes: text('What follows it, as help shows it', { nullable: true, help: 'null: it stands alone.' }),
  type: choice('What that is', ['flag', 'number', 'choice', 'list', 'file', 'day', 'text']),
  values: array('The words that it takes', text('')),
  least: number('The least number', { nullable: true }),
  most: number('The greatest number', { nullable: true }),
  repeatable: flag('Whether it can be given several times'),
  summary: text('What it does'),
  conflicts: array('The options that it cannot be combined with', text('')),
}

const commandFields = {
  ...nameFields,
  writes: flag('Whether it can change something on the service'),
  deletes: flag(
    'Whether it can remove something for good: on the service if it writes, and else on this computer',
  ),
  readsInput: choice('What standard input is for', ['record', 'rows', 'secret'] satisfies InputUse[], {
    nullable: true,
  }),
  prints: choice(
    'What standard output has, in a pipe or a file',
    ['json', 'csv', 'text', 'nothing'] satisfies VerbAnswer['prints'][],
    { nullable: true },
  ),
  answers: array('The JSON Schemas of its answer', anyObject(''), {
    help: 'One for each form that it has; none where nothing of it is JSON. What it prints as csv has that of -o json.',
  }),
  arguments: array(
    'Arguments',
    object('', {
      name: text('Name'),
      summary: text('What it is'),
      type: choice('What stands there', ['choice', 'file', 'text']),
      values: array('The words that it takes', text('')),
      required: flag('Whether it is required'),
      repeatable: flag('Whether it takes several words'),
    }),
  ),
  options: array('Options', object('', optionFields)),
  notes: array('Paragraphs of its help, and words with their meaning', anything('')),
  exitCodes: array('The exit codes that it ends with', integer('')),
  examples: array('Examples', text('')),
  version: text('The version of payroll', { optional: true }),
  formatVersion: integer('The version of this format', { optional: true }),
  error: anyObject('The JSON Schema of an error, the last line of standard error', { optional: true }),
}

type CommandRow = ValuesOf<typeof commandFields>
type OptionRow = ValuesOf<typeof optionFields>

const rootRow: CommandRow = {
  command: 'payroll',
  summary: 'what every command understands',
  writes: false,
  deletes: false,
  readsInput: null,
  prints: null,
  answers: [],
  arguments: [],
  options: globalOptions.map(optionRow),
  notes: [],
  exitCodes: allExitCodes,
  examples: [],
}

async function commandRow({ path, here }: Command): Promise<CommandRow> {
  const verb = here as Verb
  const own = verb.options ?? []
  const answer = await answerOf(verb)
  return {
    command: path,
    summary: verb.summary,
    writes: verb.writes !== undefined,
    deletes: verb.deletes ?? false,
    readsInput: verb.readsInput ?? null,
    prints: answer.prints,
    answers: (answer.shapes ?? []).map(shapeSchema),
    arguments: (verb.arguments ?? []).map(argumentRow),
    options: [
      ...own.map((name) => {
        const conflicts = conflictsOf(name, own).map(optionWord)
        return { ...optionRow(describeVerbOption(name, verb)), conflicts }
      }),
      ...(takesOut(verb) ? [optionRow(outOption)] : []),
    ],
    notes: verb.notes ?? [],
    exitCodes: exitCodesOf(verb),
    examples: verb.examples,
  }
}

/** A record of the service is named by the $id under which `payroll schema` prints it. */
function shapeSchema({ list, records = [], sent, fields, open, with: option, about }: Shape): JsonObject {
  const references = records.map((type) => ({ $ref: shapeId(type, sent ? 'sent' : 'answered') }))
  const one = {
    ...(references.length > 1 ? { anyOf: references } : references[0]),
    ...(fields && answerSchema(fields)),
    ...(open && { additionalProperties: true }),
  }
  return {
    ...(option !== undefined && { 'x-with': option }),
    ...(about !== undefined && { description: about }),
    ...(list ? { type: 'array', items: one } : one),
  }
}

function shapeId(type: RecordType, direction: Direction): string {
  const record = Object.entries(recordTypesByName).find(([, each]) => each[direction]?.fields === type.fields)
  if (!record) throw new TypeError(`no schema of ${type.displayName} is printed`)
  return recordSchemaId(record[0], direction)
}

function argumentRow({
  name,
  summary,
  choices = [],
  optional,
  variadic,
}: Argument): CommandRow['arguments'][number] {
  const type = choices.length > 0 ? 'choice' : name === 'file' ? 'file' : 'text'
  return { name, summary, type, values: choices, required: !optional, repeatable: variadic ?? false }
}

function optionRow(option: DescribedOption): OptionRow {
  const { flags, summary, choices = [], repeats = false, range = [] } = option
  const [least = null, most = null] = range
  return {
    name: /--[\w-]+/.exec(flags)?.[0] ?? flags,
    flags,
    takes: / <(.+)>$/.exec(flags)?.[1] ?? null,
    type: optionType(option),
    values: choices,
    least,
    most,
    repeatable: repeats,
    summary,
    conflicts: [],
  }
}

function optionType({ value, choices, range, commas }: Declaration): OptionRow['type'] {
  if (value === undefined) return 'flag'
  if (choices) return 'choice'
  if (range) return 'number'
  if (commas) return 'list'
  if (value === 'path' || value === 'file') return 'file'
  return value === 'day' ? 'day' : 'text'
}

/** Which of these options one cannot be combined with, whichever of the two declares it. */
function conflictsOf(name: OptionName, among: readonly OptionName[]): readonly OptionName[] {
  const excludes = (one: OptionName, other: OptionName) =>
    optionDeclarations[one].conflicts?.includes(other) ?? false
  return among.filter((other) => other !== name && (excludes(name, other) || excludes(other, name)))
}
