import type { Client } from '../api/client.ts'
import type { SettingsPlace, StoredProfileKeys } from '../credentials/keys.ts'
import type { Access, Profile } from '../credentials/profile.ts'
import type { Settings } from '../credentials/settings.ts'
import type { Facts } from '../model/facts/facts.ts'
import type { Format } from '../render/formats.ts'
import type { Output } from '../render/output.ts'
import type { Style } from '../render/text/style.ts'
import type { ServiceKnowledge } from '../write/service-knowledge.ts'
import type { ConnectOptions } from './create-client.ts'
import type { GlobalOptions } from './global-options.ts'
import type { RedactingHost } from './host.ts'
import type { SignalListener } from './signals.ts'
import type { WriteTracker } from './write-tracker.ts'

/** The run of a command. Everything expensive is created on first use. */
export interface Context {
  readonly host: RedactingHost
  readonly version: string
  /** The words that lead to the verb, without `payroll`: candidates, create. */
  readonly command: readonly string[]
  readonly options: GlobalOptions
  readonly interactive: boolean
  /** Whether nothing is said but the answer, warnings and errors. */
  readonly quiet: boolean
  /** Whether sensitive values are shown to a person. */
  readonly reveal: boolean
  /** Whether a line that changes by itself may be drawn on standard error: a spinner, a progress. */
  readonly draws: boolean
  readonly output: Output
  /** The output in this format, whatever the options say. */
  outputAs(format: Format): Output
  readonly style: Style
  readonly writes: WriteTracker
  readonly interruption: SignalListener
  today(): string
  /** The directory of the settings and of everything else that this tool stores. Throws if there is none. */
  directory(): Promise<string>
  /** The folder of the settings, for what can be done without one: undefined if there is none. */
  directoryIfAny(): Promise<string | undefined>
  readonly place: SettingsPlace
  settings(): Promise<Settings>
  /** Changes what is stored of a profile, as `changeProfile` of the credentials does, and shows the warnings. */
  changeProfile(name: string, change: (stored: StoredProfileKeys) => StoredProfileKeys): Promise<void>
  /** The facts of the law in force: what was imported on this computer, and ours. */
  facts(): Promise<Facts>
  profile(): Promise<Profile>
  /** The profile with its key. Throws a Failure where the keyring does not give it. */
  access(): Promise<Access>
  withKey(profile: Profile): Promise<Access>
  /** The client of the chosen profile. Throws a Failure if there is no address or no key. */
  client(): Promise<Client>
  /** A client of another profile, or one with its own event listener. Throws as `client` does. */
  clientOf(access: Access, others?: Partial<ConnectOptions>): Promise<Client>
  /** The fields that the service of the profile shows, as far as this computer knows. */
  knowledge(): Promise<ServiceKnowledge>
  knowledgeOf(profile: Profile): Promise<ServiceKnowledge>
  /** Moves the finished --out file into place, once the output is complete, and says so. */
  finish(): Promise<void>
  /** Finishes a run that fails and has a whole answer, as an import has. */
  finishWhole(): Promise<void>
  discard(): Promise<void>
  /** Waits until the history has what became of every write. Afterwards nothing is said or sent any more. */
  release(): Promise<void>
  /** The text, whose commands have the --profile of this run. Notes, warnings and failures do it themselves. */
  inProfile(text: string): string
  /** Prints a line on standard error, unless --quiet is given. */
  note(text: string): void
  /** Shows lines that are not the answer: in the pager where the screen has no room for them and what follows, else as notes. */
  noteAll(lines: readonly string[]): Promise<void>
  /** Prints a warning on standard error, even with --quiet. */
  warn(text: string): void
  /** Warns about a write that succeeded: the answer has it among its warnings, and --quiet leaves the line out. */
  remark(text: string): void
  readonly warned: readonly string[]
}
