import type { Client } from '../api/client.ts'
import type { Profile } from '../profile/resolve.ts'
import type { Settings } from '../profile/settings.ts'
import type { Format, Output } from '../render/output.ts'
import type { Style } from '../render/text/style.ts'
import type { ConnectOptions } from './create-client.ts'
import type { GlobalOptions } from './global-options.ts'
import type { GuardedHost } from './host.ts'
import type { SignalListener } from './signals.ts'
import type { WriteTracker } from './write-tracker.ts'

/** What a command is handed. Everything that costs anything is made when it is asked for. */
export interface Context {
  readonly host: GuardedHost
  /** Of this tool. */
  readonly version: string
  readonly options: GlobalOptions
  /** Whether somebody sits there who can be asked. */
  readonly interactive: boolean
  readonly output: Output
  /** The same in a form of its own, whatever was asked for. */
  outputAs(format: Format): Output
  /** For what stands on standard error. */
  readonly style: Style
  /** What was done at the service so far. */
  readonly writes: WriteTracker
  /** How the run hears that it is to stop. */
  readonly interruption: SignalListener
  /** Today in the form of a date field. */
  today(): string
  /** Where everything is kept that this tool keeps. */
  directory(): Promise<string>
  settings(): Promise<Settings>
  profile(): Promise<Profile>
  /** The client of the profile in force. Throws a Failure when there is no address or no key. */
  client(): Promise<Client>
  /** A client of another profile, or one that is listened to. Throws as `client` does. */
  clientOf(profile: Profile, others?: Partial<ConnectOptions>): Promise<Client>
  /** Writes the file of --out, whole, once the answer is complete. */
  finish(): Promise<void>
  /** Leaves nothing behind of a file that was not finished. */
  discard(): Promise<void>
  /** A line for the person, on standard error; not with --quiet. */
  note(text: string): void
  /** A line that matters even when all else is quiet. */
  warn(text: string): void
}
