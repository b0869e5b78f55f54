import { Command, Option } from 'commander'
import { whole } from './commands/kit/declare/options.ts'
import { registerCommands } from './commands/kit/declare/register.ts'
import type { Entry } from './commands/kit/declare/verb.ts'
import { createContext } from './context/create-context.ts'
import type { GlobalOptions } from './context/global-options.ts'
import type { GuardedHost } from './context/host.ts'
import { formats } from './render/output.ts'

/** What a person can name after `payroll`. */
export const entries: readonly Entry[] = [
  {
    name: 'candidates',
    summary: 'the people who are paid, in the UK and in Ireland',
    load: async () => (await import('./commands/candidates.ts')).candidates,
  },
  {
    name: 'payment-rates',
    summary: 'the rates that turn worked units into pay',
    load: async () => (await import('./commands/payment-rates.ts')).paymentRates,
  },
  {
    name: 'vat-codes',
    summary: 'the default VAT codes',
    load: async () => (await import('./commands/vat-codes.ts')).vatCodes,
  },
  {
    name: 'timesheets',
    summary: 'the work that was done',
    load: async () => (await import('./commands/timesheets.ts')).timesheets,
  },
  {
    name: 'payslips',
    summary: 'what was paid',
    load: async () => (await import('./commands/payslips.ts')).payslips,
  },
  {
    name: 'documents',
    summary: "the documents on a person's profile",
    load: async () => (await import('./commands/documents/documents.ts')).documents,
  },
  {
    name: 'auth',
    summary: 'the key of a profile',
    load: async () => (await import('./commands/auth/auth.ts')).auth,
  },
  {
    name: 'profiles',
    summary: 'the services this tool talks to',
    load: async () => (await import('./commands/profiles.ts')).profiles,
  },
  {
    name: 'routes',
    summary: 'the 27 operations of the interface, and how well each is known',
    load: async () => (await import('./commands/routes/routes.ts')).routes,
  },
  {
    name: 'doctor',
    summary: 'what is set up here, and what is wrong',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'the service in small, inside this tool: the place to practise',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  {
    name: 'api',
    summary: 'a raw call of the service',
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'explain',
    summary: 'what a field is, which values were seen, and what nobody has shown',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'template',
    summary: 'an example file to fill in',
    load: async () => (await import('./commands/template.ts')).template,
  },
  {
    name: 'schema',
    summary: 'the form of a record in JSON Schema, or of the whole interface in OpenAPI',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'completion',
    summary: 'completion for bash, zsh, fish and PowerShell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]

/** The root command. Output for people who asked for help goes to `out`, commander's own complaints to `err`. */
export function createProgram(
  host: GuardedHost,
  version: string,
  write: { out: (text: string) => void; err: (text: string) => void },
): Command {
  const program = new Command('payroll')
    .description('UK and Irish payroll at the command line: the people who are paid, and what they are paid.')
    .version(version)
    .option('--profile <name>', 'production, development, sandbox, or one of your own')
    .addOption(
      new Option('-o, --output <format>', 'a table on a terminal, JSON into a pipe or a file').choices(
        formats,
      ),
    )
    .option('--json', 'the same as -o json: every field, as the service sent it')
    .option('--columns <paths>', 'of a table or of CSV: id,bank.sortCode', (paths) => paths.split(','))
    .option('--query <expression>', 'JMESPath, over the whole answer')
    .option('--excel', 'CSV with the byte-order mark and the line ends of Excel')
    .option('-q, --quiet', 'say nothing but the answer, warnings and errors')
    .option('--debug', 'each request and its status, on standard error')
    .option('--no-color', 'plain text')
    .option('--no-input', 'never ask')
    .option('-y, --yes', 'take every confirmation as given')
    .option('--timeout <seconds>', 'for each request, its answer included (120)', whole(1, 86_400))
    .option('--reveal', 'show account numbers, dates of birth and the like in full')
    .exitOverride()
    .configureOutput({ writeOut: write.out, writeErr: write.err })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Start here:
  payroll candidates create --ireland             asks, and creates in the sandbox until you set more up
  payroll profiles set production --base-url …    the address of your service
  payroll auth login --profile production         its key

Standard output is the answer and nothing else; into a pipe or a file it is JSON.`,
    )

  const contextOf = (options: GlobalOptions) => createContext(host, options, version)
  const asked: Entry = {
    name: 'complete',
    summary: 'answer a completion script',
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).complete(entries, program.options),
  }
  const all = [...entries, asked]
  for (const { name, summary, hidden = false } of all) {
    program.command(name, { hidden }).summary(summary).description(capital(summary))
  }
  program.hook('preSubcommand', async (_, command) => {
    const entry = all.find(({ name }) => name === command.name())
    if (entry) registerCommands(command, await entry.load(), contextOf)
  })
  return program
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
