import type { PickedFrom } from '../api/contract/fields/field.ts'
import { candidatesByVariant, operations } from '../api/contract/operations/operations.ts'
import { variants } from '../api/contract/variants.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import { isObject, type Json } from '../json/path.ts'
import type { PickedRecord } from '../prompts/form/form-context.ts'
import { type SearchedList, searchLists } from './search-lists.ts'

/** A list to pick from: what is sent for a record, and the words by which a person knows it. */
interface PickList {
  readonly lists: readonly SearchedList[]
  readonly noun: string
  readonly value: string
  readonly names: readonly string[]
}

const pickLists: Readonly<Record<PickedFrom, PickList>> = {
  person: {
    lists: variants.map((variant) => ({ operation: candidatesByVariant[variant.id].list, variant })),
    noun: 'candidates',
    value: 'agencyRef',
    names: ['agencyRef', 'forename', 'surname'],
  },
  'payment-rate': {
    lists: [{ operation: operations.paymentRates.list }],
    noun: 'payment rates',
    value: 'id',
    names: ['code', 'description'],
  },
  'vat-code': {
    lists: [{ operation: operations.vatCodes.list }],
    noun: 'VAT codes',
    value: 'id',
    names: ['VATCode', 'VATRate', 'description'],
  },
}

/** The records that a value is picked from, by name. Undefined, and a note, if they cannot be read: then it is typed. */
export async function pickedRecords(
  context: Context,
  from: PickedFrom,
): Promise<readonly PickedRecord[] | undefined> {
  const { lists, noun, value, names } = pickLists[from]
  try {
    const found = await searchLists(context, lists, () => true, { mayBeMissing: true })
    const records = found.flatMap(({ item, list }) => {
      const sent = textIn(item, value)
      const place = list.variant ? `(${list.variant.place})` : ''
      const name = [...names.map((each) => textIn(item, each)), place].filter(Boolean).join(' ')
      return sent === '' ? [] : [{ value: sent, name: name || sent }]
    })
    return records.toSorted((one, other) => one.name.localeCompare(other.name))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.note(`The ${noun} of the service could not be read, so none are offered.`)
    return undefined
  }
}

function textIn(item: Json, name: string): string {
  const value = isObject(item) ? item[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
