import { isObject, type Json, type JsonObject } from '../../http/json.ts'

/**
 * The fields that differ in `setting` of an Irish answer: "payrollApproveNeeded is returned as a boolean;
 * holidayPayRate is a number; taxRateCutOffPoints is an array of objects …; cutOffPoints is an object …".
 *
 * `sent` is the payrollSetting of the request. Returns only the fields that differ.
 */
export function irishDifferences(sent: JsonObject): JsonObject {
  return {
    payrollApproveNeeded: toBoolean(sent.payrollApproveNeeded),
    holidayPayRate: sent.holidayPayRate === null ? 0 : (sent.holidayPayRate ?? null),
    taxRateCutOffPoints: taxRatePoints(sent),
    ...(!isObject(sent.cutOffPoints) && { cutOffPoints: uscPoints(sent) }),
  }
}

/** assumed: 'true', 'yes' and 'required', in any case, mean yes; null and every other text mean no. */
export function toBoolean(value: Json | undefined): boolean | null {
  if (value === undefined) return null
  return value === true || (typeof value === 'string' && /^(true|yes|required)$/i.test(value.trim()))
}

/**
 * "`{index: integer, yearlyRateCutOff: decimal string, taxRatePercent: string}`". assumed: computed from
 * yearlyRateCutOff when the request has no points: 20 per cent up to it, 40 per cent above it.
 */
function taxRatePoints({ taxRateCutOffPoints, yearlyRateCutOff }: JsonObject): readonly Json[] {
  if (Array.isArray(taxRateCutOffPoints) && taxRateCutOffPoints.length > 0) return taxRateCutOffPoints
  if (yearlyRateCutOff === undefined || yearlyRateCutOff === null) return []
  return ['20', '40'].map((taxRatePercent, n) => ({ index: n + 1, yearlyRateCutOff, taxRatePercent }))
}

/** The bands of the Universal Social Charge in 2026; the third field is still named after an older rate. */
const uscBands = [
  { name: 'annual_zeroPointFive', uscRatePercent: 0.5 },
  { name: 'annual_two', uscRatePercent: 2 },
  { name: 'annual_fourPointFive', uscRatePercent: 3 },
]
const uscRateAbove = 8

/**
 * "`{index: integer, uscRatePercent: number, yearlyUSCRateCutOff: decimal string}` (the last value has no
 * yearlyUSCRateCutOff)". assumed: computed from the annual cut-offs when the request has no points; the type is
 * Revenue's USC status for a person who pays USC.
 */
function uscPoints(sent: JsonObject): JsonObject {
  const bands = uscBands.flatMap(({ name, uscRatePercent }) => {
    const yearlyUSCRateCutOff = sent[name]
    return typeof yearlyUSCRateCutOff === 'string' ? [{ uscRatePercent, yearlyUSCRateCutOff }] : []
  })
  if (bands.length === 0) return { type: null, values: [] }
  const values = [...bands, { uscRatePercent: uscRateAbove }].map((band, n) => ({ index: n + 1, ...band }))
  return { type: 'ORDINARY', values }
}
