import { Command } from 'commander'
import { globalsOf, nameInErrors, registerCommands, runVerb, takeGlobals } from './commands/cli/register.ts'
import type { Entry } from './commands/cli/verb.ts'
import { createContext } from './context/create-context.ts'
import type { GlobalOptions } from './context/global-options.ts'
import type { GuardedHost, Host } from './context/host.ts'
import { countries } from './model/countries/countries.ts'

/** The words that can follow `payroll`. */
export const entries: readonly Entry[] = [
  {
    name: 'candidates',
    group: 'People and pay',
    summary: `the people on the payroll, ${countries.map(({ inPlace }) => inPlace).join(' and ')}`,
    load: async () => (await import('./commands/candidates.ts')).candidates,
  },
  {
    name: 'payment-rates',
    group: 'People and pay',
    summary: 'the rates of pay for hours and other units of work',
    load: async () => (await import('./commands/payment-rates/payment-rates.ts')).paymentRates,
  },
  {
    name: 'vat-codes',
    group: 'People and pay',
    summary: 'the default VAT codes',
    load: async () => (await import('./commands/vat-codes.ts')).vatCodes,
  },
  {
    name: 'timesheets',
    group: 'People and pay',
    summary: 'the work that people did, in hours and other units',
    load: async () => (await import('./commands/timesheets/timesheets.ts')).timesheets,
  },
  {
    name: 'payslips',
    group: 'People and pay',
    summary: 'what people were paid',
    load: async () => (await import('./commands/payslips.ts')).payslips,
  },
  {
    name: 'documents',
    group: 'People and pay',
    summary: "a person's documents",
    load: async () => (await import('./commands/documents/documents.ts')).documents,
  },
  {
    name: 'check',
    group: 'People and pay',
    summary: 'what is wrong before payday',
    load: async () => (await import('./commands/check/check.ts')).check,
  },
  {
    name: 'changes',
    group: 'People and pay',
    summary: 'who is new, gone or changed since a mark',
    load: async () => (await import('./commands/changes/changes.ts')).changes,
  },
  {
    name: 'facts',
    group: 'People and pay',
    summary: 'the rates and thresholds of the law that pay is judged by',
    load: async () => (await import('./commands/facts.ts')).facts,
  },
  {
    name: 'auth',
    group: 'Set up',
    summary: 'sign in to a service, check it, sign out',
    load: async () => (await import('./commands/auth/auth.ts')).auth,
  },
  {
    name: 'profiles',
    group: 'Set up',
    summary: 'the services that payroll can use',
    load: async () => (await import('./commands/profiles.ts')).profiles,
  },
  {
    name: 'routes',
    group: 'Set up',
    summary: 'the method and path of each operation, and how to correct them',
    load: async () => (await import('./commands/routes/routes.ts')).routes,
  },
  {
    name: 'history',
    group: 'Look up and try',
    summary: 'what this computer has written to services, and what became of it',
    load: async () => (await import('./commands/history.ts')).history,
  },
  {
    name: 'undo',
    group: 'Look up and try',
    summary: 'send the old values of an update back',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  {
    name: 'journal',
    group: 'Set up',
    summary: 'the journal that several computers share: set it up, look at it',
    load: async () => (await import('./commands/journal.ts')).journal,
  },
  {
    name: 'doctor',
    group: 'Set up',
    summary: 'check the set-up, and say what is wrong',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    group: 'Look up and try',
    summary: 'a practice copy of the service, inside this tool',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  {
    name: 'api',
    group: 'Look up and try',
    summary: 'send any request to the service',
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'explain',
    group: 'Look up and try',
    summary: 'what a field means, with its type and example values',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'template',
    group: 'Look up and try',
    summary: 'a file to fill in',
    load: async () => (await import('./commands/template.ts')).template,
  },
  {
    name: 'schema',
    group: 'Look up and try',
    summary: 'the JSON Schema of a record, or the OpenAPI document of the service',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'commands',
    group: 'Look up and try',
    summary: 'every command as data, for another program',
    load: async (globals = []) => (await import('./commands/commands.ts')).commandsOf(entries, globals),
  },
  {
    name: 'completion',
    group: 'Set up',
    summary: 'completion with the Tab key, in your shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]

/** The root command. Help goes to `out`, commander's error messages to `err`. */
export function createProgram(
  host: GuardedHost,
  version: string,
  write: { out: (text: string) => void; err: (text: string) => void },
): Command {
  const program = new Command('payroll')
    .configureOutput({
      writeOut: write.out,
      writeErr: write.err,
    })
    // Help is written by main, which can load it first.
    .configureHelp({ formatHelp: () => '' })
    .helpCommand(false)
    .showSuggestionAfterError(false)
    // So that an option of a verb takes the word behind it, whatever the options of every command are: `--sort -rateHour`.
    .enablePositionalOptions()
  takeGlobals(nameInErrors(program), version)

  const contextOf = (options: GlobalOptions, command: readonly string[]) =>
    createContext(host, options, { version, command })
  const asked: Entry = {
    name: 'complete',
    group: '',
    summary: 'print the suggestions for a completion script',
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).complete(entries, program.options),
  }
  const all = [...entries, asked]
  // What help says of them is made from the entries: help.ts.
  for (const { name, hidden = false } of all) nameInErrors(program.command(name, { hidden }))
  program.hook('preSubcommand', async (_, command) => {
    takeGlobals(command, version)
    const entry = all.find(({ name }) => name === command.name())
    if (entry) registerCommands(command, await entry.load(program.options), contextOf, version)
  })
  const help = program.command('help', { hidden: true }).argument('[words...]')
  nameInErrors(help).action(async (words: string[]) => {
    const globals = globalsOf(help)
    const option = optionsOfData.find((name) => name in globals)
    if (option) {
      const { commandsOf } = await import('./commands/commands.ts')
      const input = { arguments: {}, words, options: {}, typed: {} }
      return runVerb(help, commandsOf(entries, program.options), input, globals, contextOf)
    }
    write.out(await helpFor(program, words, host.stdout))
  })
  return program
}

/** The options with which help is data, for a program. */
const optionsOfData = ['json', 'output', 'columns', 'query', 'raw', 'excel'] as const

/** The page of help for these words, as wide as the stream that it goes to: of a command, or else of a topic. `isShort`: of `payroll` alone. */
export async function helpFor(
  { options }: Command,
  words: readonly string[],
  { isTTY, columns }: Host['stdout'],
  isShort = false,
): Promise<string> {
  const { helpText, shortPage } = await import('./commands/help/help.ts')
  // What is not a terminal has no width, and some terminals report 0.
  const source = { entries, globalOptions: options, width: (isTTY && columns) || 80 }
  return isShort && words.length === 0 ? shortPage(source) : helpText(source, words)
}
