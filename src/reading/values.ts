import { isNumber } from '../files/json/numbers.ts'
import type { Json } from '../files/json/path.ts'
import { numberIn } from '../model/fields/amounts.ts'
import type { Field } from '../model/fields/field.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import { textIn } from '../model/records/identity.ts'
import { isBlank } from '../model/records/record-type.ts'
import { dayOfTimestamp, isDay } from '../text/day.ts'

/** Earlier days stand for no day in many databases: `0001-01-01`, `1900-01-01`. */
const firstRealDay = '1950-01-01'

/** The day (YYYY-MM-DD) of a date or timestamp; undefined where it is not a day, or stands for none. */
export function dayIn(value: Json, earliest = firstRealDay): string | undefined {
  const day = dayOfTimestamp(textIn(value)).slice(0, 10)
  return isDay(day) && day >= earliest ? day : undefined
}

/** Why a value is not seen. `hidden`: no record shows it, or this one was not read. `unmarked`: the mark lacks it. */
export type Unseen = 'hidden' | 'masked' | 'unreadable' | 'unmarked'

/** Makes a test for the values of a field: why one cannot be used; undefined where it can. */
export function unseenBecause(
  field: Field | undefined,
  name: string,
): (value: Json) => Exclude<Unseen, 'hidden' | 'unmarked'> | undefined {
  const isMask = maskFinder(name, field?.standard)
  const kind = field && comparedKinds[field.type]
  const earliest = field?.standard === 'birth-date' ? '1900-01-02' : firstRealDay
  return (value) => {
    if (isBlank(value)) return undefined
    if (kind === 'amount' && isNumber(value)) return undefined
    if (isMask(value)) return 'masked'
    const read = { day: () => dayIn(value, earliest), amount: () => numberIn(value) }
    return kind && read[kind]() === undefined ? 'unreadable' : undefined
  }
}

const comparedKinds: Readonly<Partial<Record<Field['type'], 'day' | 'amount'>>> = {
  date: 'day',
  timestamp: 'day',
  number: 'amount',
  integer: 'amount',
  decimal: 'amount',
}
