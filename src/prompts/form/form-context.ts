import type { PickedFrom } from '../../api/contract/fields/field.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import type { Shown } from '../questions/format-value.ts'
import { type Ask, createAsk } from '../terminal/ask.ts'
import { columnsOf, type PromptHost } from '../terminal/prompt.ts'

/** What the parts of the form share. */
export interface FormContext {
  readonly ask: Ask
  /** The type of record that the form fills in. */
  readonly type: RecordType
  readonly style: Style
  /** YYYY-MM-DD. */
  readonly today: string
  /** How values are shown now. */
  readonly shown: () => Shown
  /** Hides sensitive values from now on, or shows them. */
  readonly mask: (masked: boolean) => void
  /** The records that a value is picked from, read once; undefined if they cannot be read. */
  readonly recordsOf: (from: PickedFrom) => Promise<readonly PickedRecord[] | undefined>
  /** The width of the screen now. */
  readonly columns: () => number
  /** Writes a paragraph, wrapped to the screen, each line after `indent`. */
  readonly say: (text: string, indent?: string) => void
}

export function createFormContext(host: FormHost, type: RecordType): FormContext {
  const { stderr, style, today } = host
  const columns = () => columnsOf(host)
  const currency = type.currency ?? ''
  const asked = new Map<PickedFrom, ReturnType<FormContext['recordsOf']>>()
  const known = new Map<PickedFrom, readonly PickedRecord[]>()
  const nameOf = (from: PickedFrom, value: string) =>
    known.get(from)?.find((record) => record.value === value)?.name
  let { masked } = host
  return {
    ask: createAsk(host),
    type,
    style,
    today,
    shown: () => ({ masked, currency, nameOf }),
    mask: (now) => {
      masked = now
    },
    recordsOf: (from) => {
      const records = asked.get(from) ?? host.recordsOf(from)
      asked.set(from, records)
      return records.then((read) => {
        known.set(from, read ?? [])
        return read
      })
    },
    columns,
    say: (text, indent = '') => void stderr.write(`${wrapText(text, columns(), indent)}\n`),
  }
}

/** A record that can be picked: what is sent for it, and how a person knows it. */
export interface PickedRecord {
  readonly value: string
  readonly name: string
}

/** What a command gives the form that it opens. */
export interface FormHost extends PromptHost {
  /** YYYY-MM-DD. */
  readonly today: string
  /** Whether sensitive values are hidden from the start. */
  readonly masked: boolean
  /** Where the record would be sent. */
  readonly place: FormPlace
  /** Reads the records that a value is picked from; undefined if they cannot be read. */
  readonly recordsOf: (from: PickedFrom) => Promise<readonly PickedRecord[] | undefined>
}

export interface FormPlace {
  /** The name of the profile. */
  readonly name: string
  /** The address of the service, if the profile has one. */
  readonly origin?: string | undefined
  /** Whether writes there must be confirmed; the form asks for it. */
  readonly protected: boolean
}
