import type { Command } from 'commander'
import type { Context, GlobalOptions } from '../../context.ts'
import { type OptionName, type Options, optionDeclarations } from './options.ts'
import type { Verb } from './verb.ts'

/** A noun and what can be done with it; or one thing to do, that needs no noun. */
export type Resource = { readonly verbs: readonly Verb[] } | Verb

/** Gives a command its verbs. The only place that knows both commander and a verb. */
export function attach(
  command: Command,
  resource: Resource,
  contextOf: (options: GlobalOptions) => Context,
): void {
  if ('run' in resource) describe(command, resource, contextOf)
  else
    for (const verb of resource.verbs)
      describe(command.command(verb.name).summary(verb.summary), verb, contextOf)
}

function describe(command: Command, verb: Verb, contextOf: (options: GlobalOptions) => Context): void {
  command.description(verb.summary)
  const args = verb.arguments ?? []
  for (const { name, summary, optional, variadic } of args) {
    const word = variadic ? `${name}...` : name
    command.argument(optional ? `[${word}]` : `<${word}>`, summary)
  }
  for (const name of verb.options ?? []) addOption(command, name)
  const ownsOut = verb.options?.includes('out') ?? false
  if (!ownsOut)
    command.option('--out <file>', 'write the answer to a file, whole or not at all, for you alone')
  if (verb.notes) command.addHelpText('after', `\n${verb.notes.join('\n')}`)
  command.addHelpText('after', `\nExamples:\n${verb.examples.map((example) => `  ${example}\n`).join('')}`)
  command.action(async (...received: unknown[]) => {
    const values = args.map(({ name }, at) => [name, received[at] as string | undefined])
    const words = received.find((value) => Array.isArray(value)) as string[] | undefined
    const options = received[args.length] as Options
    const globals = command.optsWithGlobals<GlobalOptions>()
    // An expression that cannot be read is named before anything is asked of the service, or sent to it.
    if (globals.query !== undefined) (await import('../../render/query.ts')).query(globals.query)
    const { out: _own, ...others } = globals
    // A verb with an --out of its own writes something else than its answer there.
    const context = contextOf(ownsOut ? others : globals)
    await verb.run(context, {
      arguments: Object.fromEntries(values),
      ...(words && { words }),
      options,
    })
    await context.finish()
  })
}

function addOption(command: Command, name: OptionName): void {
  const { flags, summary, parse } = optionDeclarations[name]
  if (parse) command.option(flags, summary, parse as (value: string, before: unknown) => unknown)
  else command.option(flags, summary)
}
