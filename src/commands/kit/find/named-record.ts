import type { Failure } from '../../../errors.ts'
import type { Options } from '../../cli/options.ts'
import type { Target } from '../../cli/target.ts'
import type { RecordName } from './choose-meant.ts'

/** The record that a verb is about, as a person names it. */
export interface NamedRecord extends Omit<RecordName, 'meaning'> {
  readonly target: Target
  readonly list: Target | undefined
  readonly options: Options
  /** Whether the record may be of another country than the options say. */
  readonly anyCountry?: true
  /** A text that no list has is no id: only a list shows that something may be created below it. */
  readonly mustBeListed?: boolean
}

/** A record that may have to be looked for in the lists. */
export interface NamedInLists extends NamedRecord {
  readonly list: Target
  readonly meaning: RecordName['meaning']
}

/** The record that a text means. */
export interface FoundRecord {
  readonly id: string
  /** The options that choose the record's country. */
  readonly options: Options
  /** The id or reference by which it was named. */
  readonly name: string
}

export interface Found {
  readonly record: FoundRecord
  /** Where the text is only tried as an id: finds what else is meant. `notThere`: the service's 404 for the id. */
  readonly instead?: (notThere: Failure) => Promise<Found>
}

/** What a text says that may begin with `id:` or `reference:`. */
export function readName(text: string): Pick<RecordName, 'typed' | 'meaning'> {
  const [, meaning, typed = text] = /^(id|reference):(.+)$/s.exec(text) ?? []
  return { typed, meaning: meaning as RecordName['meaning'] }
}
