import type { Options } from '../declare/options.ts'
import type { Target } from '../declare/target.ts'

/** How the record that a verb is about is looked up, where what was typed is not its id. */
export interface Reference {
  /** The operation of the verb. */
  readonly target: Target
  /** The list of such records; without one, only an id is known. */
  readonly list: Target | undefined
  /** What was typed. */
  readonly id: string
  readonly options: Options
  /** Whether the record may be of another country than the options say: to read it, not to change it. */
  readonly anyCountry: boolean
}
