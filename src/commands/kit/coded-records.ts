import type { Client } from '../../api/client.ts'
import { lacksList } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import type { CountryId } from '../../model/countries/countries.ts'
import { keyOf } from '../../model/natural-key.ts'
import { operations } from '../../model/resources/operations.ts'
import { countryOfVatCode } from '../../model/resources/vat-code.ts'
import { type CodedRecord, readCoded } from '../../reading/lists.ts'

export interface VatCode extends CodedRecord {
  readonly name: string
  readonly country: CountryId | undefined
}

/** The result of a reading; undefined, with a warning, where the key may not read the list. */
export async function readOrWarn<T>(
  context: Context,
  noun: string,
  reading: Promise<T>,
): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!lacksList(error)) throw error
    context.warn(
      `the ${noun} of the service cannot be read (${error.details.status}), so the rows were not checked against them.`,
    )
    return undefined
  }
}

/** The service's VAT codes, by code and by id. Throws as a list does. */
export const readVatCodes = (client: Client) =>
  readCoded(
    client,
    operations.vatCodes.list,
    'VATCode',
    (item, id, code): VatCode => ({
      id,
      name: code || id,
      country: countryOfVatCode(item),
    }),
  )

/** The record that a code means, and what is wrong with the code; neither where the list could not be read. */
export function findCoded<T extends CodedRecord>(
  records: ReadonlyMap<string, T> | undefined,
  code: string,
  noun: string,
): { readonly found?: T | undefined; readonly flaw?: string } {
  if (!records || code === '') return {}
  const record = records.get(keyOf(code))
  if (!record) return { flaw: `the service has no such ${noun}` }
  return record.isAmbiguous
    ? { found: record, flaw: `several ${noun}s of the service have this code: write the id of one` }
    : { found: record }
}
