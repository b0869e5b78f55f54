import type { Json } from '../../files/json/path.ts'
import { numberIn } from '../fields/amounts.ts'
import { isBlank, type PayNeed, type RecordType } from './record-type.ts'

interface KnownPerson {
  readonly value: (path: string) => Json
  /** Whether it is not known that there is no value, although none was seen. */
  readonly isHidden?: (path: string) => boolean
}

/** The fields that pay needs and somebody lacks, for the form and for `check`. Without a name, those of all needs. */
export function lackingForPay(
  { payNeeds = [] }: RecordType,
  { value, isHidden = () => false }: KnownPerson,
  name?: PayNeed['name'],
): string[] {
  return payNeeds.flatMap((need) => {
    const { fields, or = [], butNot = () => false, unless = {}, given, aboveZero } = need
    if (name !== undefined && need.name !== name) return []
    const textOf = (path: string) => String(value(path) ?? '')
    const begins = (path: string, words: readonly string[]) =>
      words.some((word) => textOf(path).toUpperCase().startsWith(word))
    if (Object.entries(unless).some(([path, words]) => begins(path, words))) return []
    const hasValue = (path: string) =>
      !isBlank(value(path)) && !(aboveZero && (numberIn(value(path)) ?? 1) <= 0)
    if (given !== undefined && !hasValue(given)) return []
    const doesAsWell = (path: string) => hasValue(path) && !butNot(textOf(path), textOf)
    if (or.some((paths) => paths.every(doesAsWell))) return []
    return fields.filter((path) => !hasValue(path) && !isHidden(path))
  })
}

/** The fields that pay needs of a record, under a name; others may stand in for them. */
export const neededForPay = ({ payNeeds = [] }: RecordType, name: PayNeed['name']): readonly string[] =>
  payNeeds.flatMap((need) => (need.name === name ? need.fields : []))

/** The one field that does as well as another: a salary in place of a rate. */
export function alternativeTo({ payNeeds = [] }: RecordType, path: string): string | undefined {
  const { fields = [], or = [] } = payNeeds.find((need) => need.fields.includes(path)) ?? {}
  return fields.length === 1 && or.length === 1 && or[0]?.length === 1 ? or[0][0] : undefined
}
