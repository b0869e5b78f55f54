import type { JsonObject } from '../http/json.ts'
import { defaultVatCodes } from './default-vat-codes.ts'

/** Bodies of Create new Payment Rate. */
export const sampleRates: readonly JsonObject[] = [
  rate('STD', 'Standard hours', 'HOURLY', 1),
  rate('OT150', 'Overtime at time and a half', 'HOURLY', 1),
  rate('DAY', 'Day rate', 'DAILY', 7.5),
  rate('NIGHT', 'Night shift', 'DAILY', 10),
]

function rate(code: string, description: string, units: string, hoursPerUnit: number): JsonObject {
  return {
    code,
    description,
    type: 'RATE',
    units,
    hoursPerUnit,
    status: 'ACTIVE',
    displayOnPayslip: true,
    includeTaxCalculation: true,
    includeNICalculation: true,
    includePensionCalculation: true,
    includeAccrueHolidayPay: true,
    includeInCisCalculation: false,
    includeInPayeCalculation: true,
    raiseInvoice: true,
    defaultVATCode: defaultVatCodes[0]?.id ?? null,
  }
}
