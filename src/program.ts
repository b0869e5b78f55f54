import { Command } from 'commander'
import { nameInErrors, registerCommands, takeGlobals } from './commands/cli/register.ts'
import type { ProgramEntry } from './commands/cli/verb.ts'
import { createContext } from './context/create-context.ts'
import type { GlobalOptions } from './context/global-options.ts'
import type { Host, RedactingHost } from './context/host.ts'
import { countries } from './model/countries/countries.ts'
import { write } from './render/output.ts'
import { wordList } from './text/words.ts'

/** What loads the verbs of each word that can follow `payroll`. */
const loads = {
  candidates: async () => (await import('./commands/candidates/candidates.ts')).candidates,
  'payment-rates': async () => (await import('./commands/payment-rates/payment-rates.ts')).paymentRates,
  'vat-codes': async () => (await import('./commands/vat-codes.ts')).vatCodes,
  timesheets: async () => (await import('./commands/timesheets/timesheets.ts')).timesheets,
  payslips: async () => (await import('./commands/payslips/payslips.ts')).payslips,
  documents: async () => (await import('./commands/documents/documents.ts')).documents,
  check: async () => (await import('./commands/check/check.ts')).check,
  changes: async () => (await import('./commands/changes/changes.ts')).changes,
  history: async () => (await import('./commands/history.ts')).history,
  undo: async () => (await import('./commands/undo/undo.ts')).undo,
  auth: async () => (await import('./commands/auth/auth.ts')).auth,
  profiles: async () => (await import('./commands/profiles.ts')).profiles,
  routes: async () => (await import('./commands/routes/routes.ts')).routes,
  journal: async () => (await import('./commands/journal.ts')).journal,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  api: async () => (await import('./commands/api.ts')).api,
  facts: async () => (await import('./commands/facts.ts')).facts,
  explain: async () => (await import('./commands/explain.ts')).explain,
  template: async () => (await import('./commands/template.ts')).template,
  schema: async () => (await import('./commands/schema.ts')).schema,
  commands: async () => (await import('./commands/commands.ts')).commandsOf(entries),
  completion: async () => (await import('./commands/completion.ts')).completion,
} satisfies Readonly<Record<string, ProgramEntry['load']>>

const places = wordList(
  countries.map(({ inPlace }) => inPlace),
  'and',
)

/** The words that can follow `payroll`, under the headings of the help. */
const words: Readonly<Record<string, Partial<Readonly<Record<keyof typeof loads, string>>>>> = {
  'People and pay': {
    candidates: `the people on the payroll, ${places}`,
    'payment-rates': 'the rates of pay for hours and other units of work',
    'vat-codes': 'the default VAT codes',
    timesheets: 'the work that people did, in hours and other units',
    payslips: 'what people were paid',
    documents: "a person's documents",
    check: 'what is wrong before payday',
    changes: 'who is new, gone or changed since a mark',
  },
  'Look back and undo': {
    history: 'what this computer has written to services, and what became of it',
    undo: 'send the old values of an update back',
  },
  'Set up': {
    auth: 'sign in to a service, check it, sign out',
    profiles: 'the services that payroll can use',
    routes: 'the method and path of each operation, and how to correct them',
    journal: 'the journal that several computers share: set it up, look at it',
    doctor: 'check the set-up, and say what is wrong',
    completion: 'completion with the Tab key, in your shell',
  },
  'Look up and try': {
    sandbox: 'a practice copy of the service, inside this tool',
    api: 'send any request to the service',
    facts: 'the rates and thresholds of the law that pay is judged by',
    explain: 'what a field means, with its type and example values',
    template: 'a file to fill in',
    schema: 'the JSON Schema of a record, or the OpenAPI document of the service',
    commands: 'every command as data, for another program',
  },
}

/** These words, each with what loads its verbs. */
export const entries: readonly ProgramEntry[] = Object.entries(words).flatMap(([group, summaries]) =>
  Object.entries(summaries).map(([name, summary]) => ({
    name,
    group,
    summary,
    load: loads[name as keyof typeof loads],
  })),
)

/** The root command. */
export function createProgram(host: RedactingHost, version: string): Command {
  const program = new Command('payroll')
    // main writes the version, and help, which it can load first. The text of an error is in what commander throws.
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .configureHelp({ formatHelp: () => '' })
    .helpCommand(false)
    .showSuggestionAfterError(false)
    // Without this, `--sort -rateHour` would be read as the option -r of every command.
    .enablePositionalOptions()
  takeGlobals(nameInErrors(program))

  const contextOf = (options: GlobalOptions, command: readonly string[]) =>
    createContext(host, options, { version, command, nouns: entries.map(({ name }) => name) })
  const asked: ProgramEntry = {
    name: 'complete',
    group: '',
    summary: 'print the suggestions for a completion script',
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).complete(entries),
  }
  const all = [...entries, asked]
  // The part before a dot is the noun: `candidates.ireland list` is about candidates.
  const typed = all.filter(({ name }) => host.argv.some((word) => word.split('.')[0] === name))
  // Only the nouns that were typed are registered; all of them where there are none. Help is made from the
  // entries.
  for (const { name, hidden = false } of typed.length > 0 ? typed : all)
    nameInErrors(program.command(name, { hidden }))
  program.hook('preSubcommand', async (_, command) => {
    takeGlobals(command)
    const entry = all.find(({ name }) => name === command.name())
    if (entry) registerCommands(command, await entry.load(), contextOf)
  })
  nameInErrors(program.command('help', { hidden: true }).argument('[words...]')).action(
    async (words: string[]) => write(host.stdout, await helpFor(words, host.stdout)),
  )
  return program
}

/** The page of help for a command, or else a topic, as wide as the stream. `isShort`: without words, the short page. */
export async function helpFor(
  words: readonly string[],
  { isTTY, columns }: Host['stdout'],
  isShort?: boolean,
): Promise<string> {
  const { helpPage, shortPage } = await import('./commands/help/help.ts')
  // What is not a terminal has no width, and some terminals report 0.
  const source = { entries, width: (isTTY && columns) || 80 }
  return isShort && words.length === 0 ? shortPage(source) : helpPage(source, words)
}
