import type { Client } from '../../api/client.ts'
import type { Context } from '../../context/context.ts'
import { onFailure } from '../../errors.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import { keyOf } from '../../model/natural-key.ts'
import { operations } from '../../model/operations/operations.ts'
import { textAt } from '../../model/standards/warning.ts'
import { hoursPerUnit } from '../../reading/work.ts'
import { type CodedRecord, readCoded, readOrWarn } from '../kit/coded-records.ts'

/** The payment rates of the service, by code and by id. */
export type Rates = ReadonlyMap<string, PaymentRate>

export interface PaymentRate extends CodedRecord {
  readonly code: string
  /** Its code and description. */
  readonly name: string
  /** Hours in one unit; undefined where the unit is not time. */
  readonly hours: number | undefined
}

export const readRates = (client: Client): Promise<Rates> =>
  readCoded(client, operations.paymentRates.list, 'code', (item, id, code) => {
    const about = [code, textAt(item, 'description')].filter(Boolean).join(', ')
    return { id, code: code || id, name: about || id, hours: hoursPerUnit(item) }
  })

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
    if (!isObject(line) || typeof line.rateId !== 'string') return line
    return { ...line, rateId: known?.get(keyOf(line.rateId))?.code ?? line.rateId }
  })
  return { ...sheet, rates: named }
}
