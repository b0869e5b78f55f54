import { valueAt, withoutValueAt, withValueAt } from '../src/files/json/path.ts'
import { fieldAt, leafFields } from '../src/model/fields/field-tree.ts'
import { answeredValue, answerPath } from '../src/model/mapping/field-mapping.ts'
import { mapRecord } from '../src/model/mapping/map-record.ts'
import type { RecordType } from '../src/model/records/record-type.ts'
import { countryCandidates } from '../src/model/resources/country-candidates.ts'
import { paymentRate } from '../src/model/resources/payment-rate.ts'

/** An answered record, and the places in a request of what it lacked. */
interface Whole {
  readonly record: any
  readonly added: readonly (readonly string[])[]
}

/**
 * The record that a test shows in part, as a service answers it that says null where there is none: a record that lacks
 * fields is not sent back. Adds to the sections that the record has, and leaves out what the test is about.
 */
export function whole(type: RecordType, part: object, but: readonly string[] = []): Whole {
  const paths = leafFields(type.fields).map(({ path }) =>
    path.replace(/^(payrollSetting\.openingBalance)\..*/, '$1'),
  )
  let record: any = part
  const added: string[][] = []
  for (const path of new Set(paths)) {
    const item = answerPath(type, path)
    if (!fieldAt((type.answer?.type ?? type).fields, item)) continue
    if (path.split('.').some((name) => but.includes(name))) continue
    if (answeredValue(type, record, path) !== undefined) continue
    const above = (place: string) => place.split('.').slice(0, -1)
    const hasRoom = (place: string) =>
      isObject(above(place).length === 0 ? record : valueAt(record, above(place)))
    const place = path.includes('.') && hasRoom(path) ? path : item
    const inPension = path.split('.').length === 3 && !hasRoom(place)
    const [at, sent] = inPension ? [above(place), above(path)] : [place.split('.'), path.split('.')]
    if (!inPension && !hasRoom(place)) continue
    if (inPension && valueAt(record, at) === null) continue
    record = withValueAt(record, at, null)
    added.push([...sent])
  }
  return { record, added }
}

/** A candidate, or a payment rate, as a command names it. Everything else stays as it is. */
export function wholeFor(words: readonly string[], part: any, but?: readonly string[]): Whole {
  const [noun] = words
  const isIrish = words.includes('--ireland')
  const candidate = countryCandidates.find(({ id }) => id === (isIrish ? 'ireland' : 'uk'))
  const type = noun === 'payment-rates' ? paymentRate : noun === 'candidates' ? candidate?.sent : undefined
  // What cannot be sent back at all is what the test is about.
  const isKnown = type !== undefined && part !== undefined && mapRecord(type, part).misfits.length === 0
  return isKnown ? whole(type, part, but) : { record: part, added: [] }
}

/** A body that was sent, without what was only added to the record. */
export function withoutAdded(body: any, added: Whole['added']): any {
  return added.reduce(
    (left: any, place) => (valueAt(left, place) === null ? withoutValueAt(left, place) : left),
    body,
  )
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
