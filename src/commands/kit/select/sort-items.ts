import type { ExactNumber } from '../../../json/exact-number.ts'
import type { Json } from '../../../json/path.ts'
import { compareNumbers } from '../../../json/written-number.ts'
import type { ChosenField } from './chosen-field.ts'
import { compareText, flagOf, isMissing, numberOf, textOf } from './compare-values.ts'
import { momentOf, startOf } from './times.ts'

/** What an item is sorted by: numbers, dates among them, before text; what has no value is at the end. */
type Key = { readonly number: number | ExactNumber } | { readonly text: string } | undefined

/** The items in the order of a field; those that are equal stay in the order in which they came. */
export function sortItems(items: readonly Json[], field: ChosenField, isDescending: boolean): Json[] {
  const keyed = items.map((item) => ({ item, key: keyOf(field, field.read(item)) }))
  const direction = isDescending ? -1 : 1
  keyed.sort(({ key: one }, { key: other }) => {
    if (!one || !other) return Number(!one) - Number(!other)
    return direction * compareKeys(one, other)
  })
  return keyed.map(({ item }) => item)
}

function compareKeys(one: NonNullable<Key>, other: NonNullable<Key>): number {
  if ('number' in one) return 'number' in other ? compareNumbers(one.number, other.number) : -1
  return 'number' in other ? 1 : compareText(one.text, other.text)
}

function keyOf({ kind }: ChosenField, value: Json): Key {
  const first: Json = Array.isArray(value) ? value[0] : value
  if (isMissing(first)) return undefined
  const moment = kind === 'date' || kind === 'any' ? momentOf(textOf(first)) : undefined
  if (moment) return { number: startOf(moment) }
  const flag = kind === 'flag' || typeof first === 'boolean' ? flagOf(first) : undefined
  if (flag !== undefined) return { number: Number(flag) }
  const number = kind === 'text' ? undefined : numberOf(first)
  return number === undefined ? { text: textOf(first) } : { number }
}
