import type { Answer } from './contract/operation.ts'
import { isObject, type Json, type JsonObject } from './contract/path.ts'

/**
 * Reading what a service answered. What is documented is read as documented; where nothing is shown, the usual
 * forms are tried. `undefined` means: not in any form that is understood.
 */

/** One page of a list: its items, and "totalDocs: Total number of items available across all pages". */
export interface Page {
  readonly items: readonly Json[]
  readonly total: number
}

/** "`{ data: array, totalDocs: integer }`", or `items`, or the total under `meta`. */
export function readPage(body: Json): Page | undefined {
  if (!isObject(body)) return undefined
  const items = body.data ?? body.items
  const total = body.totalDocs ?? (isObject(body.meta) ? body.meta.totalDocs : undefined)
  const understood = Array.isArray(items) && Number.isSafeInteger(total) && (total as number) >= 0
  return understood ? { items, total: total as number } : undefined
}

/** The record inside its envelope: where the document says, else under `data.candidate`, `data`, or bare. */
export function readRecord(answer: Answer & { kind: 'one' }, body: Json): JsonObject | undefined {
  if (!isObject(body)) return undefined
  const shown = answer.under?.reduce<Json>((value, name) => (isObject(value) ? value[name] : undefined), body)
  if (isObject(shown)) return shown
  const data = isObject(body.data) ? body.data : body
  return isObject(data.candidate) ? data.candidate : data
}

/** Whether an envelope says that it did not work: `success: false`, outside or inside. */
export function saysNo(body: Json): boolean {
  if (!isObject(body)) return false
  return body.success === false || (isObject(body.data) && body.data.success === false)
}

/** The service's own words for an error, from the forms that are usual: "Error body shape …: not shown." */
export function readMessage(body: Json): string | undefined {
  if (typeof body === 'string') return body || undefined
  if (!isObject(body)) return undefined
  const { error, message } = body
  if (isObject(error) && typeof error.message === 'string') return error.message
  if (typeof message === 'string') return message
  return typeof error === 'string' ? error : undefined
}
