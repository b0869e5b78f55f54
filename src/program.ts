import { Command, Option } from 'commander'
import { whole } from './commands/kit/declare/options.ts'
import { registerCommands } from './commands/kit/declare/register.ts'
import type { Entry } from './commands/kit/declare/verb.ts'
import { createContext } from './context/create-context.ts'
import type { GlobalOptions } from './context/global-options.ts'
import type { GuardedHost } from './context/host.ts'
import { capital } from './formats/words.ts'
import { formats } from './render/output.ts'

/** The words that can follow `payroll`. */
export const entries: readonly Entry[] = [
  {
    name: 'candidates',
    summary: 'the people on the payroll, in the UK and in Ireland',
    load: async () => (await import('./commands/candidates.ts')).candidates,
  },
  {
    name: 'payment-rates',
    summary: 'the rates of pay for hours and other units of work',
    load: async () => (await import('./commands/payment-rates.ts')).paymentRates,
  },
  {
    name: 'vat-codes',
    summary: 'the default VAT codes',
    load: async () => (await import('./commands/vat-codes.ts')).vatCodes,
  },
  {
    name: 'timesheets',
    summary: 'the work that people did, in hours and other units',
    load: async () => (await import('./commands/timesheets.ts')).timesheets,
  },
  {
    name: 'payslips',
    summary: 'what people were paid',
    load: async () => (await import('./commands/payslips.ts')).payslips,
  },
  {
    name: 'documents',
    summary: "a person's documents",
    load: async () => (await import('./commands/documents/documents.ts')).documents,
  },
  {
    name: 'auth',
    summary: 'the key of a profile: store it, check it, remove it',
    load: async () => (await import('./commands/auth/auth.ts')).auth,
  },
  {
    name: 'profiles',
    summary: 'the services that payroll can use',
    load: async () => (await import('./commands/profiles.ts')).profiles,
  },
  {
    name: 'routes',
    summary: 'the method and path of each operation, and how to correct them',
    load: async () => (await import('./commands/routes/routes.ts')).routes,
  },
  {
    name: 'doctor',
    summary: 'check the set-up, and say what is wrong',
    load: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'a practice copy of the service, inside this tool',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  {
    name: 'api',
    summary: 'send any request to the service',
    load: async () => (await import('./commands/api.ts')).api,
  },
  {
    name: 'explain',
    summary: 'what a field means, with its type and example values',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'template',
    summary: 'an example file to fill in',
    load: async () => (await import('./commands/template.ts')).template,
  },
  {
    name: 'schema',
    summary: 'the JSON Schema of a record, or the OpenAPI document of the service',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'completion',
    summary: 'completion with the Tab key for bash, zsh, fish and PowerShell',
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
    .description(
      'UK and Irish payroll at the command line: people, rates, timesheets, payslips and documents.',
    )
    .version(version)
    .option('--profile <name>', 'the service to use: production, development, sandbox, or one of your own')
    .addOption(
      new Option(
        '-o, --output <format>',
        'the output format (default: a table on a terminal, else JSON)',
      ).choices(formats),
    )
    .option('--json', 'the same as -o json: every field, as the service sent it')
    .option('--columns <paths>', 'the columns of a table or of CSV, such as id,bank.sortCode', (paths) =>
      paths.split(','),
    )
    .option('--query <expression>', 'select from the result with a JMESPath expression')
    .option('--excel', 'write CSV as Excel expects it (byte-order mark, CRLF line ends)')
    .option('-q, --quiet', 'print only the result, warnings and errors')
    .option('--debug', 'print each request and its status on standard error')
    .option('--no-color', 'print without colours')
    .option('--no-input', 'never ask a question')
    .option('-y, --yes', 'answer yes to every confirmation')
    .option(
      '--timeout <seconds>',
      'the time limit of each call to the service, retries included (default: 120)',
      whole(1, 86_400),
    )
    .option('--reveal', 'show account numbers, dates of birth and the like in full')
    .exitOverride()
    .configureOutput({ writeOut: write.out, writeErr: write.err })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Start here:
  payroll candidates create --ireland             try the form; it uses the sandbox until you set up a service
  payroll profiles set production --base-url …    enter the address of your service
  payroll auth login --profile production         enter its key

Results go to standard output, as JSON in a pipe or a file. Messages go to standard error.`,
    )

  const contextOf = (options: GlobalOptions) => createContext(host, options, version)
  const asked: Entry = {
    name: 'complete',
    summary: 'print the suggestions for a completion script',
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).complete(entries, program.options),
  }
  const all = [...entries, asked]
  for (const { name, summary, hidden = false } of all) {
    program
      .command(name, { hidden })
      .summary(summary)
      .description(`${capital(summary)}.`)
  }
  program.hook('preSubcommand', async (_, command) => {
    const entry = all.find(({ name }) => name === command.name())
    if (entry) registerCommands(command, await entry.load(), contextOf)
  })
  return program
}
