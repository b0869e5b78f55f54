import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type { PickedFrom } from '../../../model/fields/field.ts'
import { allNames } from '../../../model/mapping/record-name.ts'
import { textIn } from '../../../model/records/identity.ts'
import { answerType, type Operation } from '../../../model/records/operation.ts'
import { operations } from '../../../model/resources/operations.ts'
import { countryOfVatCode } from '../../../model/resources/vat-code.ts'
import type { PickedRecord } from '../../../prompts/questions/form-context.ts'
import { candidateTargets, operationsFor } from '../../cli/target.ts'
import { searchLists } from './search-lists.ts'

const pickLists: Record<PickedFrom, { lists: readonly Operation[]; noun: string; value: string }> = {
  person: {
    lists: operationsFor(candidateTargets.list, {}),
    noun: 'candidates',
    value: 'agencyRef',
  },
  'payment-rate': {
    lists: [operations.paymentRates.list],
    noun: 'payment rates',
    value: 'id',
  },
  'vat-code': {
    lists: [operations.vatCodes.list],
    noun: 'VAT codes',
    value: 'id',
  },
}

/** The records that a value is picked from; undefined, with a note, if they cannot be read: then it is typed. */
export async function pickedRecords(
  context: Context,
  from: PickedFrom,
): Promise<readonly PickedRecord[] | undefined> {
  const { lists, noun, value } = pickLists[from]
  try {
    const found = await searchLists(context, lists, (record) => record, {
      isNeeded: () => false,
      needsOne: true,
    })
    const records = found.flatMap(({ item, list }) => {
      const text = textIn(item[value])
      const where = list.country ? `(${list.country.place})` : ''
      const type = answerType(list)
      const name = [...(type ? allNames(type, item) : []), where].filter(Boolean).join(' ')
      const country = from === 'vat-code' ? countryOfVatCode(item) : list.country?.id
      return text === '' ? [] : [{ value: text, name: name || text, country }]
    })
    return records.toSorted((one, other) => one.name.localeCompare(other.name))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.note(`The ${noun} of the service could not be read, so none are offered.`)
    return undefined
  }
}
