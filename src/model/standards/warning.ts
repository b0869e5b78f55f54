import { isObject, type JsonObject } from '../../files/json/path.ts'
import { onceForText } from '../../once.ts'
import { numberIn } from '../fields/amounts.ts'
import type { Law } from '../fields/field.ts'

/** A public standard's warning about one value. It never refuses the value. */
export interface Warning {
  /** One line for a payroll admin, without a full stop. It never shows a sensitive value. */
  readonly message: string
  /** The value that was probably meant, in the standard's format. It causes no warning itself. */
  readonly suggestion?: string | undefined
}

/** The three parts of a candidate; a missing one is empty. */
export interface Parts {
  readonly generalSetting: JsonObject
  readonly bankSetting: JsonObject
  readonly payrollSetting: JsonObject
}

/** Checks of fields that must fit together, by the path to warn at. Each returns a message or nothing. */
export type RecordRules = Readonly<Record<string, (parts: Parts, law: Law) => string | false | undefined>>

/** The three parts of a candidate. */
export function recordParts(body: JsonObject): Parts {
  const part = (name: keyof Parts): JsonObject => (isObject(body[name]) ? body[name] : {})
  return {
    generalSetting: part('generalSetting'),
    bankSetting: part('bankSetting'),
    payrollSetting: part('payrollSetting'),
  }
}

/** The text of a field, without blanks around it; empty if there is none. */
export function textAt(record: JsonObject, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The number of a field, which may be text; undefined where there is none. */
export const amountAt = (record: JsonObject, name: string): number | undefined => numberIn(record[name])

/** A date or timestamp in milliseconds; the other value if there is none. */
export function timeAt(record: JsonObject, name: string, otherwise: number): number {
  const text = textAt(record, name)
  const time = text === '' ? Number.NaN : timeOf(text)
  return Number.isNaN(time) ? otherwise : time
}

/** Kept for each text, because Date.parse is slow and the rows of a file share few days. */
const timeOf = onceForText(Date.parse)

/** The message about an end before its start; false where there is nothing to say. */
export const isReversed = (record: JsonObject, start: string, end: string) =>
  timeAt(record, end, Infinity) < timeAt(record, start, -Infinity) && 'the end is before the start'
