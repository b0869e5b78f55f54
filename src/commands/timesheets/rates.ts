import type { Context } from '../../context/context.ts'
import { onFailure } from '../../errors.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import { type PaymentRate, rateOf, readRates } from '../../reading/work.ts'
import { readOrWarn } from '../kit/coded-records.ts'

/** The payment rates of the service; none where the key may not read them. */
export async function namedRates(context: Context): Promise<readonly PaymentRate[]> {
  const rates = await readOrWarn(context, 'payment rates', readRates(await context.client()))
  return [...new Set(rates?.values())].filter(({ isShared }) => !isShared)
}

/** Replaces payment rate ids with their codes, if the service shows them and a person reads the timesheet. */
export async function withRateCodes(context: Context, sheet: JsonObject): Promise<JsonObject> {
  const { rates } = sheet
  if (!context.output.isRead || !Array.isArray(rates)) return sheet
  const known = await readRates(await context.client()).catch(onFailure(() => undefined))
  const named = rates.map((line) => {
    const rate = isObject(line) && rateOf(line, known)
    return rate ? { ...line, rateId: rate.code } : line
  })
  return { ...sheet, rates: named }
}
