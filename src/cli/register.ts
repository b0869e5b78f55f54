import type { Command } from 'commander'
import { defaultVariant, variants } from '../api/contract/variants.ts'
import { assertEffective, fileOf } from '../context/choose-format.ts'
import type { Context, GlobalOptions } from '../context/context.ts'
import { defaultCountry } from '../context/default-country.ts'
import { appliedButNotPrinted, type WriteTracker } from '../context/write-tracker.ts'
import {
  Failure,
  type FailureDetails,
  Interrupted,
  isNoRoom,
  type Outcome,
  usage,
  withHint,
} from '../errors.ts'
import { aliasesOf } from './aliases.ts'
import { type OptionName, type Options, optionDeclarations } from './options.ts'
import { argumentWord, type Input, type Resource, type Verb } from './verb.ts'

/** Gives a command its verbs. The only place that knows both commander and a verb. */
export function registerCommands(command: Command, resource: Resource, contextOf: CreateContext): void {
  if ('run' in resource) {
    registerVerb(command, resource, contextOf)
    for (const below of resource.verbs ?? [])
      registerVerb(nameInErrors(command.command(below.name)), below, contextOf, command)
  } else {
    const names = resource.verbs.map(({ name }) => name)
    for (const each of resource.verbs) {
      const { name, summary } = each
      const about = 'about' in each ? each.about : summary
      nameInErrors(command.command(name).summary(summary).description(about).aliases(aliasesOf(name, names)))
    }
    // A verb that was not typed needs no options: to declare those of all the others takes longer than to read a list.
    command.hook('preSubcommand', (_, typed) => {
      const verb = resource.verbs.find(({ name }) => name === typed.name())
      if (verb) registerCommands(typed, verb, contextOf)
    })
  }
}

/** Lets an error of the command line, and a request for help, say which command it is about. */
export function nameInErrors(command: Command): Command {
  return command.exitOverride((error) => {
    throw Object.assign(error, { command })
  })
}

interface NamedCommand {
  name(): string
  readonly parent: NamedCommand | null
}

/** The words that lead to a command: `payroll candidates list`. */
export function pathOf(command: NamedCommand): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** Of every verb that has no --out of its own. */
export const outOption = {
  flags: '--out <file>',
  summary: 'write the result to this file: all of it or nothing, readable only by you; - is standard output',
}

type CreateContext = (options: GlobalOptions) => Context

/** `above`: the command of the verb that this one stands behind. */
function registerVerb(command: Command, verb: Verb, contextOf: CreateContext, above?: Command): void {
  command.description(verb.summary)
  const args = verb.arguments ?? []
  for (const each of args) command.argument(argumentWord(each), each.summary)
  for (const name of verb.options ?? []) addOption(command, name)
  const ownsOut = verb.options?.includes('out') ?? false
  if (!ownsOut) command.option(outOption.flags, outOption.summary)
  command.action(async (...received: unknown[]) => {
    const values = args.map(({ name }, at) => [name, received[at] as string | undefined])
    const words = received.find((value) => Array.isArray(value)) as string[] | undefined
    const options = { ...(above && optionsAbove(above, verb)), ...(received[args.length] as Options) }
    const globals = command.optsWithGlobals<GlobalOptions>()
    // An invalid expression is reported before any request is sent.
    if (globals.query !== undefined) await assertQuery(globals.query, verb)
    const { out, ...others } = globals
    // A verb with its own --out writes something other than its result there.
    const input: Input = { arguments: Object.fromEntries(values), ...(words && { words }), options }
    const context = contextOf({ ...(ownsOut ? others : globals), ...(verb.ownFile && { ownFile: true }) })
    try {
      if (!ownsOut) assertEffective(context.output.format, globals)
      const run = withCountry(context, verb, input).then((complete) => verb.run(context, complete))
      await Promise.race([run, context.interruption.interrupted])
      await context.finish()
      if (!ownsOut && fileOf(out) !== undefined) context.note(`Wrote ${out}.`)
    } catch (error) {
      // A write that was applied before the disk was full must not be reported as if nothing had happened.
      // So must not one that was applied before --columns or --query turned out not to fit its result.
      const isPrinting =
        error instanceof Error && 'code' in error && (isNoRoom(error.code) || error.code === 'usage')
      const failure = isPrinting ? appliedButNotPrinted(error, context.writes) : error
      throw withEffect(withHelp(failure, command), verb, context.writes)
    } finally {
      await context.discard()
      context.interruption.release()
    }
  })
}

/**
 * The options that commander gave to the verb above this one, because both have them. Throws a usage failure for one
 * that only the other has.
 */
function optionsAbove(above: Command, { name, options = [] }: Verb): Options {
  const given = above.opts()
  const own: readonly string[] = [...options, 'out']
  const other = above.options.find((each) => {
    const key = each.attributeName()
    return given[key] !== undefined && !own.includes(key)
  })
  if (other) throw usage(`${other.long} has no effect on ${pathOf(above)} ${name}: leave it out.`)
  return given
}

/** The country that the profile or the environment sets, for a verb that has one and was given none. */
async function withCountry(
  context: Context,
  { options = [], namesCountry }: Verb,
  input: Input,
): Promise<Input> {
  const isNamed = namesCountry === true || variants.some(({ id }) => input.options[id])
  if (isNamed || !options.includes(defaultVariant.id)) return input
  const country = await defaultCountry(context)
  return country === defaultVariant.id ? input : { ...input, options: { ...input.options, [country]: true } }
}

async function assertQuery(text: string, verb: Verb): Promise<void> {
  try {
    ;(await import('../render/query.ts')).query(text)
  } catch (error) {
    throw withEffect(error, verb)
  }
}

/** A usage failure that has nothing better to say names the help of its own verb. */
function withHelp(error: unknown, command: Command): unknown {
  if (!(error instanceof Failure) || error.code !== 'usage') return error
  if (error.details.hint !== undefined || error.details.declined) return error
  return withHint(error, `See ${pathOf(command)} --help.`)
}

/** Whether a verb sends records to the service. */
const writesRecords = ({ writes, signsIn }: Verb) => writes !== undefined && signsIn === undefined

/**
 * A failure of a verb that writes, with what it left undone: said also where the command line was wrong. A write that
 * was applied, or may have been, leaves nothing to say.
 *
 * @param verb the one that was typed, where the command line leads to one
 * @param writes what the run has written, where it came so far
 */
export function withEffect<T>(error: T, verb: Verb | undefined, writes?: WriteTracker): T {
  if (!(error instanceof Failure || error instanceof Interrupted)) return error
  if (verb === undefined || !writesRecords(verb)) return error
  const nothing = leftUndone(error, writes?.worstWrite()?.outcome)
  return nothing === undefined ? error : Object.assign(error, { details: { ...error.details, nothing } })
}

/** `worst`: the outcome of the writes of this run. */
function leftUndone(
  { details }: Failure | Interrupted,
  worst: Outcome | undefined,
): FailureDetails['nothing'] {
  const { outcome, method } = details
  if ([outcome, worst].some((each) => each === 'applied' || each === 'unknown')) return undefined
  if (outcome === 'not-sent' && worst !== 'refused') return 'sent'
  // A read that failed, or a request that was refused: of other failures it is not known here what they mean.
  return method === undefined ? undefined : 'applied'
}

function addOption(command: Command, name: OptionName): void {
  const { flags, summary, parse } = optionDeclarations[name]
  if (parse) command.option(flags, summary, parse as (value: string, before: unknown) => unknown)
  else command.option(flags, summary)
}
