import { isObject, type Json, type JsonObject } from '../api/contract/path.ts'

/**
 * A record as the cells of a row, by path: `bank.sortCode`, `address[0]`. A list of objects is one cell, and so is
 * one that is empty.
 */
export function cellsOf(record: JsonObject, above = ''): Map<string, Json> {
  const cells = new Map<string, Json>()
  for (const [name, value] of Object.entries(record)) {
    const path = above + name
    const isRow = Array.isArray(value) && value.length > 0 && !value.some((each) => typeof each === 'object')
    if (isObject(value)) for (const [inner, cell] of cellsOf(value, `${path}.`)) cells.set(inner, cell)
    else if (isRow) for (const [at, each] of value.entries()) cells.set(`${path}[${at}]`, each)
    else cells.set(path, value)
  }
  return cells
}

/** The paths of the values in these rows, in the order in which they first appear. */
export function pathsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.flatMap((row) => [...cellsOf(row).keys()]))]
}
