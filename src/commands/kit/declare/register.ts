import type { Command } from 'commander'
import type { Context } from '../../../context/context.ts'
import type { GlobalOptions } from '../../../context/global-options.ts'
import { appliedButNotPrinted } from '../../../context/write-tracker.ts'
import { isNoRoom } from '../../../errors.ts'
import { type OptionName, type Options, optionDeclarations } from './options.ts'
import type { Input, Resource, Verb } from './verb.ts'

/** Gives a command its verbs. The only place that knows both commander and a verb. */
export function registerCommands(command: Command, resource: Resource, contextOf: CreateContext): void {
  if ('run' in resource) registerVerb(command, resource, contextOf)
  else {
    for (const each of resource.verbs) {
      const { name, summary } = each
      const about = 'about' in each ? each.about : summary
      registerCommands(command.command(name).summary(summary).description(about), each, contextOf)
    }
  }
}

type CreateContext = (options: GlobalOptions) => Context

function registerVerb(command: Command, verb: Verb, contextOf: CreateContext): void {
  command.description(verb.summary)
  const args = verb.arguments ?? []
  for (const { name, summary, optional, variadic } of args) {
    const word = variadic ? `${name}...` : name
    command.argument(optional ? `[${word}]` : `<${word}>`, summary)
  }
  for (const name of verb.options ?? []) addOption(command, name)
  const ownsOut = verb.options?.includes('out') ?? false
  if (!ownsOut)
    command.option(
      '--out <file>',
      'write the result to this file: all of it or nothing, readable only by you',
    )
  if (verb.notes) command.addHelpText('after', `\n${verb.notes.join('\n')}`)
  command.addHelpText('after', `\nExamples:\n${verb.examples.map((example) => `  ${example}\n`).join('')}`)
  command.action(async (...received: unknown[]) => {
    const values = args.map(({ name }, at) => [name, received[at] as string | undefined])
    const words = received.find((value) => Array.isArray(value)) as string[] | undefined
    const options = received[args.length] as Options
    const globals = command.optsWithGlobals<GlobalOptions>()
    // An invalid expression is reported before any request is sent.
    if (globals.query !== undefined) (await import('../../../render/query.ts')).query(globals.query)
    const { out, ...others } = globals
    // A verb with its own --out writes something other than its result there.
    const input: Input = { arguments: Object.fromEntries(values), ...(words && { words }), options }
    const context = contextOf(ownsOut ? others : globals)
    try {
      await Promise.race([verb.run(context, input), context.interruption.interrupted])
      await context.finish()
    } catch (error) {
      // A write that was applied before the disk was full must not be reported as if nothing had happened.
      throw error instanceof Error && 'code' in error && isNoRoom(error.code)
        ? appliedButNotPrinted(error, context.writes)
        : error
    } finally {
      await context.discard()
      context.interruption.release()
    }
  })
}

function addOption(command: Command, name: OptionName): void {
  const { flags, summary, parse } = optionDeclarations[name]
  if (parse) command.option(flags, summary, parse as (value: string, before: unknown) => unknown)
  else command.option(flags, summary)
}
