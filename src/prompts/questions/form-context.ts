import { type JsonObject, valueAt } from '../../files/json/path.ts'
import { type Country, type CountryId, countries } from '../../model/countries/countries.ts'
import type { Facts } from '../../model/facts/facts.ts'
import type { PickedFrom } from '../../model/fields/field.ts'
import { leafFields } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { ServiceWords } from '../../model/values/read-code.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { type Ask, createAsk } from '../terminal/ask.ts'
import type { PromptHost } from '../terminal/prompt.ts'
import type { ValueDisplay } from './format-value.ts'

/** What the parts of a form share. Records to pick from are read once. */
export interface FormContext extends Omit<FormHost, 'country'> {
  readonly ask: Ask
  readonly type: RecordType
  readonly shown: ValueDisplay
  /** The country of the record: that of its picked person, else that of the run; undefined if it is not clear. */
  readonly country: () => Promise<Country | undefined>
  readonly columns: () => number
  readonly rows: () => number
  readonly print: (text: string) => void
  /** Writes a paragraph, wrapped to the screen, each line after `indent`. */
  readonly say: (text: string, indent?: string) => void
}

/** @param body the record as it is answered so far */
export function createFormContext(host: FormHost, type: RecordType, body: () => JsonObject): FormContext {
  const { stderr, masked } = host
  const columns = () => screenWidth(stderr)
  const currency = type.currency ?? ''
  const requests = new Map<PickedFrom, ReturnType<FormContext['recordsOf']>>()
  const lists = new Map<PickedFrom, readonly PickedRecord[]>()
  const nameOf = (from: PickedFrom, value: string) =>
    lists.get(from)?.find((record) => record.value === value)?.name
  const recordsOf: FormContext['recordsOf'] = (from) => {
    const records = requests.get(from) ?? host.recordsOf(from)
    requests.set(from, records)
    return records.then((list) => {
      lists.set(from, list ?? [])
      return list
    })
  }
  const person = leafFields(type.fields).find(({ field }) => field.picks === 'person')
  return {
    ...host,
    ask: createAsk(host),
    type,
    shown: { masked, currency, nameOf },
    recordsOf,
    country: async () => {
      const picked = person && valueAt(body(), person.path)
      const people = picked ? ((await recordsOf('person')) ?? []).filter(({ value }) => value === picked) : []
      const ids = new Set(people.length > 0 ? people.map(({ country }) => country) : [host.country])
      return ids.size === 1 ? countries.find(({ id }) => ids.has(id)) : undefined
    },
    columns,
    rows: () => stderr.rows ?? 24,
    print: (text) => void stderr.write(text),
    say: (text, indent = '') => void stderr.write(`${wrapText(text, columns(), indent)}\n`),
  }
}

/** A record to pick: the value that is sent for it, and the name that people know. */
export interface PickedRecord {
  readonly value: string
  readonly name: string
  readonly country?: CountryId | undefined
}

/** What a form needs of the command that runs it. */
export interface FormHost extends PromptHost {
  /** YYYY-MM-DD. */
  readonly today: string
  readonly facts: Facts
  /** The words that the records of the service have. */
  readonly serviceWords: ServiceWords
  readonly masked: boolean
  readonly service: {
    readonly name: string
    readonly origin?: string | undefined
    /** Whether writes must be confirmed there. The form does that itself. */
    readonly protected: boolean
  }
  readonly country: CountryId
  /** Reads the records that a value is picked from; undefined if they cannot be read. */
  readonly recordsOf: (from: PickedFrom) => Promise<readonly PickedRecord[] | undefined>
}
