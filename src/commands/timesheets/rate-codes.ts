import type { Context } from '../../context/context.ts'
import { onFailure } from '../../errors.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import { keyOf } from '../../model/natural-key.ts'
import { operations } from '../../model/operations/operations.ts'
import { type CodedRecord, readCoded } from '../kit/coded-records.ts'

/** Replaces payment rate ids with their codes, if the service shows them and a person reads the timesheet. */
export async function withRateCodes(context: Context, sheet: JsonObject): Promise<JsonObject> {
  const { rates } = sheet
  if (!context.output.isRead || !Array.isArray(rates)) return sheet
  const reading = readCoded(
    await context.client(),
    operations.paymentRates.list,
    'code',
    (_, id, code): CodedRecord & { readonly code: string } => ({ id, code }),
  )
  const codes = await reading.catch(onFailure(() => undefined))
  const named = rates.map((line) => {
    if (!isObject(line) || typeof line.rateId !== 'string') return line
    return { ...line, rateId: codes?.get(keyOf(line.rateId))?.code || line.rateId }
  })
  return { ...sheet, rates: named }
}
