import { isObject, type JsonObject } from '../http/json.ts'

/**
 * The record after an update. assumed: fields in the body replace those of the record, the others keep their value;
 * objects are merged, lists are replaced.
 */
export function applyUpdate(record: JsonObject, changes: JsonObject): JsonObject {
  const replaced = Object.entries(changes).map(([name, value]) => {
    const old = Object.hasOwn(record, name) ? record[name] : undefined
    return [name, isObject(old) && isObject(value) ? applyUpdate(old, value) : value]
  })
  return { ...record, ...Object.fromEntries(replaced) }
}
