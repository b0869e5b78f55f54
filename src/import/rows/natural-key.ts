import { createHmac } from 'node:crypto'
import { valueInResponse } from '../../api/contract/mapping/either-name.ts'
import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { isNumber } from '../../json/written-number.ts'
import { dayOf } from './iso-day.ts'

/**
 * By what a record is known again, because the service returns no id and takes no key of ours: a reference that
 * the sender chooses, or several fields together.
 */
export interface NaturalKey {
  /** Where its parts stand in a record that is sent. */
  readonly request: readonly string[]
  /** Where the same parts stand in an item of the list. */
  readonly item: readonly string[]
}

/** The key as a person reads it; undefined where a part of it is missing. */
export function nameIn(value: Json, paths: readonly string[]): string | undefined {
  return nameOf(paths.map((path) => part(valueAt(value, parsePath(path) ?? []))))
}

/** What an item of the list has of each part of the key, as it stands there; undefined for one that has no place. */
export function keyValues(item: Json, { request, item: shown }: NaturalKey): Json[] {
  return shown.map((path, at) => valueInResponse(item, { item: path, request: request[at] ?? path }))
}

/** The parts of a key, as `nameIn` reads them; an empty text for one that is missing. */
export const partsFrom = (values: readonly Json[]): string[] => values.map(part)

/** The key of its parts. */
export function nameOf(parts: readonly string[]): string | undefined {
  return parts.every((each) => each !== '') ? parts.join(between) : undefined
}

/** The parts of a key as a person reads it. */
export const partsOf = (name: string): string[] => name.split(between)

/** Whether a part of a key is a number: then its leading zeros are lost. */
export const hasNumber = (values: readonly Json[]): boolean => values.some(isNumber)

/** A key without the leading zeros of its numbers: what a service keeps that takes "0003" for the number 3. */
export function asNumbers(key: string): string {
  return partsOf(key)
    .map((each) => (/^\d+$/.test(each) ? each.replace(/^0+(?=\d)/, '') : each))
    .join(between)
}

const between = ' / '

/**
 * The key as it is compared: a service may trim it, or change its case, and a record that is there must not look
 * as if it were not.
 */
export function keyOf(name: string): string {
  // Upper case first: "ß" and "ſ" have no other way to meet "SS" and "S".
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

function part(value: Json): string {
  if (isNumber(value)) return String(value)
  return typeof value === 'string' ? dayOf(value.normalize('NFC').trim()) : ''
}

/** A fingerprint of what a row says, the same however its fields are ordered. Tells nothing without the salt. */
export function hashOf(record: JsonObject, salt: string): string {
  return createHmac('sha256', salt).update(canonicalJson(record)).digest('hex').slice(0, 32)
}

/** As JSON, every object by the order of its names. */
function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isObject(value)) return stringifyJson(value) ?? 'null'
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
  return `{${fields.join()}}`
}
