import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../json/path.ts'

/**
 * Calls `onValue` for every value of a record with its path. A list of plain values counts item by item; any
 * other list, and what `isOne` names, counts as one value.
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
export function valuesByPath(record: JsonObject, isOne?: (path: string) => boolean): Map<string, Json> {
  const values = new Map<string, Json>()
  eachValue(record, (path, value) => values.set(path, value), isOne)
  return values
}

/** Reads the value of a column: under its name as it stands, else at its path, which may lead into a list. */
export function columnReader(column: string): (row: Json) => Json {
  const segments = parsePath(column) ?? column.split('.')
  return (row) => valueAt(row, [column]) ?? valueAt(row, segments)
}

/** The paths of the values in these rows, in order of first appearance. */
function pathsOf(rows: readonly JsonObject[]): string[] {
  const paths = new Set<string>()
  for (const row of rows) eachValue(row, (path) => paths.add(path))
  return [...paths]
}

/** What may be asked for as a column: the paths of values, and lists and objects that are empty in these rows. */
export function askableColumns(rows: readonly JsonObject[]): string[] {
  const isEmpty = (value: Json) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const empty = rows.flatMap((row) => Object.keys(row).filter((name) => isEmpty(row[name])))
  return [...new Set([...pathsOf(rows), ...empty])]
}

/** A null in a list would become an empty cell, and be lost when the file is read again. */
const holdsOthers = (value: Json) => value === null || Array.isArray(value) || isObject(value)
