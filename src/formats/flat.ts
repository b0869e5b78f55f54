import { isObject, type Json, type JsonObject } from '../json/path.ts'

/**
 * Tells of every value of a record by its path: `bank.sortCode`, `address[0]`. A list that holds objects is one value,
 * and so is what `isOne` says.
 */
export function eachValue(
  record: JsonObject,
  onValue: (path: string, value: Json) => void,
  isOne: (path: string) => boolean = () => false,
  above = '',
): void {
  for (const name of Object.keys(record)) {
    const value = record[name]
    const path = above === '' ? name : above + name
    if (typeof value !== 'object' || value === null || isOne(path)) onValue(path, value)
    else if (isObject(value)) eachValue(value, onValue, isOne, `${path}.`)
    else if (Array.isArray(value) && !value.some(holdsOthers)) {
      for (const [at, each] of value.entries()) onValue(`${path}[${at}]`, each)
    } else onValue(path, value)
  }
}

/** A record as values by path. */
export function flat(record: JsonObject, isOne?: (path: string) => boolean): Map<string, Json> {
  const values = new Map<string, Json>()
  eachValue(record, (path, value) => values.set(path, value), isOne)
  return values
}

/** The paths of the values in these rows, in the order in which they first appear. */
export function pathsOf(rows: readonly JsonObject[]): string[] {
  const paths = new Set<string>()
  for (const row of rows) eachValue(row, (path) => paths.add(path))
  return [...paths]
}

/** null in a list would be an empty cell, and gone when the list is read again. */
const holdsOthers = (value: Json) => value === null || Array.isArray(value) || isObject(value)
