import type { Command, Option } from 'commander'
import { assertEffective, fileOf } from '../../context/choose-format.ts'
import { configuredCountry } from '../../context/configured-country.ts'
import type { Context } from '../../context/context.ts'
import { type GlobalOptions, globalDeclarations, outDeclaration } from '../../context/global-options.ts'
import { appliedButNotPrinted, type WriteTracker } from '../../context/write-tracker.ts'
import {
  Failure,
  type FailureDetails,
  Interrupted,
  isNoRoom,
  isTemporary,
  type Outcome,
  usage,
} from '../../errors.ts'
import { defaultCountry } from '../../model/countries/countries.ts'
import { spokenOf } from '../../text/named-commands.ts'
import { chosenCountry, type Options, optionWord, parserOption } from './options.ts'
import { argumentWord, type Input, optionOf, type Resource, takesOut, type Verb } from './verb.ts'

/** Registers the verbs of a resource with commander. */
export function registerCommands(command: Command, resource: Resource, contextOf: CreateContext): void {
  if ('run' in resource) {
    registerVerb(command, resource, contextOf)
    // `import resolve` is parsed with the options of both verbs, so that one of `import` alone is refused by name.
    if (resource.verbs) command.enablePositionalOptions(false)
    for (const below of resource.verbs ?? [])
      registerVerb(nameInErrors(command.command(below.name)), below, contextOf, { command, verb: resource })
  } else {
    for (const { name } of resource.verbs) nameInErrors(command.command(name))
    // Only the verb that was typed gets its options: to declare all of them takes longer than to read a list.
    command.hook('preSubcommand', (_, subcommand) => {
      takeGlobals(subcommand)
      const verb = resource.verbs.find(({ name }) => name === subcommand.name())
      if (verb) registerCommands(subcommand, verb, contextOf)
    })
  }
}

/** Has errors of the command line, and requests for help, name their command. */
export function nameInErrors(command: Command): Command {
  return command.exitOverride((error) => {
    throw Object.assign(error, { command })
  })
}

/** Lets a command take the options of every command: they can be typed before it or after it. main writes the version. */
export function takeGlobals(command: Command): void {
  command.version('')
  globals ??= Object.entries(globalDeclarations).map(([name, declaration]) => parserOption(name, declaration))
  for (const option of globals) addOption(command, option)
}

/**
 * Adds an option. Another option behind it is not its value, for which the parser alone would take it; behind an equals
 * sign it is: `--person=--uk`. Nothing is no value either: in a script it is a variable that is empty.
 */
function addOption(command: Command, option: Option): void {
  const isNamed = ({ short, long }: Option, word = '') => word !== '' && (word === short || word === long)
  command.on(`option:${option.name()}`, (value?: string) => {
    const isWord = typedWords(command).some(
      (word, at, words) => word === value && isNamed(option, words[at - 1]),
    )
    const [long] = value?.startsWith('--') ? value.split('=') : [value]
    const isOther = option.required && isWord && command.options.some((each) => isNamed(each, long))
    if (isOther || value === '')
      command.error(`error: option '${option.flags}' argument missing: ${long}`, {
        code: 'commander.optionMissingArgument',
      })
  })
  command.addOption(option)
}

/** The words of the whole command line, as the parser keeps them. */
function typedWords(command: Command): readonly string[] {
  return command.parent ? typedWords(command.parent) : (command as unknown as { rawArgs: string[] }).rawArgs
}

/** The options of every command, as the parser takes them: made once, at the first need. */
let globals: readonly Option[] | undefined

function typedOf<Values>(command: Command, names: readonly (keyof Values & string)[]): Partial<Values> {
  const namesOnLine = names.filter((name) => command.getOptionValueSource(name) === 'cli')
  return Object.fromEntries(
    namesOnLine.map((name) => [name, command.getOptionValue(name)]),
  ) as Partial<Values>
}

const globalNames = Object.keys(globalDeclarations) as (keyof typeof globalDeclarations)[]

/** The options of every command, wherever they were typed. Where one was typed twice, the last counts. */
function globalsOf(command: Command): GlobalOptions {
  const before = command.parent ? globalsOf(command.parent) : {}
  return { ...before, ...typedOf<GlobalOptions>(command, globalNames) }
}

/** The words that lead to a command: `payroll candidates list`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name()
}

/** `command`: the words that lead to the verb, without `payroll`. */
type CreateContext = (options: GlobalOptions, command: readonly string[]) => Context

interface RegisteredVerb {
  readonly command: Command
  readonly verb: Verb
}

function registerVerb(command: Command, verb: Verb, contextOf: CreateContext, above?: RegisteredVerb): void {
  const args = verb.arguments ?? []
  for (const each of args) command.argument(argumentWord(each), each.summary)
  for (const name of verb.options ?? []) addOption(command, parserOption(name, optionOf(name, verb)))
  if (takesOut(verb)) addOption(command, parserOption('out', outDeclaration))
  command.action((...parameters: unknown[]) => {
    const words = parameters.find((value) => Array.isArray(value)) as string[] | undefined
    const text = words?.length ? words.join(' ') : undefined
    const values = args.map(({ name, variadic }, at) => [name, variadic ? text : parameters[at]])
    const own = typedOf<Options>(command, verb.options ?? [])
    const options = { ...(above && optionsAbove(above, verb)), ...own }
    const out = takesOut(verb) ? (outOf(command) ?? (above && outOf(above.command))) : undefined
    const globals: GlobalOptions = { ...globalsOf(command), ...(out !== undefined && { out }) }
    const input: Input = { arguments: Object.fromEntries(values), words, options }
    return runVerb(command, verb, input, globals, contextOf)
  })
}

/** Runs a verb as it was typed, in a context that is released afterwards. Throws what the verb throws. */
async function runVerb(
  command: Command,
  verb: Verb,
  input: Input,
  globals: GlobalOptions,
  contextOf: CreateContext,
): Promise<void> {
  const path = commandPath(command).split(' ').slice(1)
  const context = contextOf({ ...globals, encodesOutput: verb.encodesOutput }, path)
  try {
    assertFilled(verb, input)
    // An invalid expression is reported before any request is sent.
    if (globals.query !== undefined) (await import('../../render/query.ts')).query(globals.query)
    if (takesOut(verb)) assertEffective(context.output.format, globals)
    const out = fileOf(globals.out)
    if (out !== undefined) await (await import('../../files/local/atomic-file.ts')).assertFileWritable(out)
    const run = withCountry(context, verb, input).then((complete) => verb.run(context, complete))
    await Promise.race([run, context.interruption.interrupted])
    await context.finish()
  } catch (error) {
    await context.finishWhole()
    // A write that was applied must not be reported as if nothing had happened, because the disk was full or
    // --columns or --query did not fit its result.
    const isPrinting =
      error instanceof Error && 'code' in error && (isNoRoom(error.code) || error.code === 'usage')
    const failure = isPrinting ? appliedButNotPrinted(error, context.writes) : error
    throw withEffect(withHelp(failure, command), verb, { input, writes: context.writes })
  } finally {
    await context.release()
    await context.discard()
    context.interruption.release()
  }
}

/** Throws a usage failure for an empty word: in a script it is a variable that has nothing. */
function assertFilled({ arguments: args = [] }: Verb, input: Input): void {
  for (const { name, mayBeEmpty } of args)
    if (!mayBeEmpty && input.arguments[name]?.trim() === '')
      throw usage(`<${name}> is empty.`, 'Write it, or set the variable that stands for it.')
}

const outOf = (command: Command) => typedOf<GlobalOptions>(command, ['out']).out

/** The options that commander gave to the verb above. Throws for one that only that verb has. */
function optionsAbove({ command, verb }: RegisteredVerb, { name, options = [] }: Verb): Partial<Options> {
  const other = (verb.options ?? []).find(
    (each) => command.getOptionValueSource(each) === 'cli' && !options.includes(each),
  )
  if (other)
    throw usage(
      `${optionWord(other)} has no effect on ${spokenOf(commandPath(command))} ${name}: leave it out.`,
    )
  return typedOf<Options>(command, options)
}

/** The country of the profile or the environment, for a verb that takes one and was given none. */
async function withCountry(
  context: Context,
  { options = [], namesCountry }: Verb,
  input: Input,
): Promise<Input> {
  const isNamed = namesCountry === true || chosenCountry(input.options) !== undefined
  if (isNamed || !options.includes(defaultCountry.id)) return input
  const country = await configuredCountry(context)
  return country === defaultCountry.id ? input : { ...input, options: { ...input.options, [country]: true } }
}

/** Adds the help of the verb as the hint, to a usage failure that has none. */
function withHelp(error: unknown, command: Command): unknown {
  if (!(error instanceof Failure) || error.code !== 'usage') return error
  if (error.details.hint !== undefined || error.details.declined) return error
  return error.with({ hint: `See ${commandPath(command)} --help.` })
}

/**
 * Adds to a failure what its verb left undone, and what became of its write; a read has no outcome but `not-sent`.
 * `run`: what was typed, and what the run has written so far; undefined where the command line was wrong.
 */
export function withEffect(
  error: unknown,
  { writes, signsIn, localEffect }: Verb,
  run?: { readonly input: Input; readonly writes: WriteTracker },
): unknown {
  if (!(error instanceof Failure || error instanceof Interrupted)) return error
  const { method, outcome: said } = error.details
  const canWrite = typeof writes === 'function' ? !run || writes(run.input) : writes === true
  const worst = run?.writes.worstWrite()?.outcome
  // No write began, so it is a read that failed or was refused.
  const isOfRead = method !== undefined && worst === undefined && (!said || said === 'refused')
  const ofWrite = isOfRead ? 'not-sent' : said
  const outcome = canWrite ? ofWrite : said === 'not-sent' ? said : undefined
  const unwritten = canWrite && signsIn === undefined ? leftUndone(method, outcome, worst) : undefined
  const nothing = unwritten ?? (isBeforeChange(error, run?.writes) ? localEffect : undefined)
  return error.with({ nothing, outcome })
}

/**
 * Whether it is certain that nothing on this computer was changed: not where the disk is full or the run was stopped.
 */
function isBeforeChange(error: Failure | Interrupted, writes: WriteTracker | undefined): boolean {
  if (error instanceof Interrupted || writes?.hasChangedHere()) return false
  return error.code !== 'bug' && (!isTemporary(error.code) || error.details.method !== undefined)
}

function leftUndone(
  method: string | undefined,
  outcome: Outcome | undefined,
  worst: Outcome | undefined,
): FailureDetails['nothing'] {
  if ([outcome, worst].some((each) => each === 'applied' || each === 'unknown')) return undefined
  if (outcome === 'not-sent' && worst !== 'refused') return 'sent'
  // Only a read that failed and a request that was refused: other failures may mean anything.
  return method === undefined ? undefined : 'applied'
}
