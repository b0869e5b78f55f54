import type { Client } from '../../api/client.ts'
import type { Context } from '../../context/context.ts'
import { onFailure } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { keyOf } from '../../model/natural-key.ts'
import { idOf, idText } from '../../model/records/identity.ts'
import { timesheet } from '../../model/resources/timesheet.ts'
import type { CodedRecord } from '../../reading/lists.ts'
import { type PaymentRate, rateLines, readRates } from '../../reading/work.ts'
import { readOrWarn, readVatCodes } from '../kit/coded-records.ts'

/** The payment rates of the service; none where the key may not read them. */
export async function namedRates(context: Context): Promise<readonly PaymentRate[]> {
  const rates = await readOrWarn(context, 'payment rates', readRates(await context.client()))
  return [...new Set(rates?.values())].filter(({ isAmbiguous }) => !isAmbiguous)
}

/** Replaces the ids of payment rates in a timesheet by their codes, and with `vat` those of VAT codes, where the service shows them. */
export async function codesInLines(
  context: Context,
  { vat }: { readonly vat: boolean },
): Promise<(sheet: JsonObject) => JsonObject> {
  // Codes only read better than ids, so they are not tried again.
  const client = await context.clientOf(await context.access(), { attempts: 1 })
  const [rates, vatCodes] = await readCodes(client, vat)
  return (sheet) => {
    if (!Array.isArray(sheet.rates)) return sheet
    // A line that has the whole rate shows its code itself.
    const inCodes = (line: JsonObject) => ({
      ...line,
      ...(!isObject(line.rateId) && { rateId: codeOf(rates, line.rateId, ({ code }) => code) }),
      ...(!isObject(line.vatID) && { vatID: codeOf(vatCodes, line.vatID, ({ name }) => name) }),
    })
    return { ...sheet, rates: sheet.rates.map((line) => (isObject(line) ? inCodes(line) : line)) }
  }
}

/** The codes of rates and of VAT. What cannot be read has none to show. */
function readCodes(client: Client, vat = true) {
  const unread = onFailure(() => undefined)
  return Promise.all([readRates(client).catch(unread), vat ? readVatCodes(client).catch(unread) : undefined])
}

/**
 * The rows of a timesheet as an import of a sheet reads them: one for each line, by paths, with the codes of
 * its rate and its VAT where they are known and no others have them.
 */
export async function timesheetRows(context: Context): Promise<(sheet: JsonObject) => readonly JsonObject[]> {
  const client = await context.client()
  const [rates, vatCodes] = await readCodes(client)
  const own = ['id', ...Object.keys(timesheet.fields).filter((name) => name !== 'rates')]
  return (sheet) => {
    const same = Object.fromEntries(own.map((name) => [name, sheet[name]]))
    const lines = rateLines(sheet).map(({ rateId, rate, vatID, units }) => ({
      ...same,
      'rates[0].rateId': codeOf(rates, rateId, ({ code }) => code),
      'rates[0].rate': rate,
      'rates[0].vatID': codeOf(vatCodes, vatID, ({ name }) => name),
      'rates[0].units': units,
    }))
    return lines.length === 0 ? [same] : lines
  }
}

/** The code of a record that a line names, or what the line has. */
function codeOf<T extends CodedRecord>(
  records: ReadonlyMap<string, T> | undefined,
  value: Json,
  codeIn: (record: T) => string,
): Json {
  const id = isObject(value) ? idOf(value) : idText(value)
  const named = records?.get(keyOf(id ?? ''))
  if (!named || records?.get(keyOf(codeIn(named)))?.isAmbiguous) return id ?? value
  return codeIn(named)
}
