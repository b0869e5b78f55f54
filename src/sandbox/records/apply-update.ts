import { isObject, type JsonObject } from '../http/json.ts'

/**
 * What a record is after an update. assumed: the body's fields replace those of the record, and fields that
 * the body does not name keep their value; an object is gone into, a list is replaced whole.
 */
export function applyUpdate(record: JsonObject, changes: JsonObject): JsonObject {
  const replaced = Object.entries(changes).map(([name, value]) => {
    const old = Object.hasOwn(record, name) ? record[name] : undefined
    return [name, isObject(old) && isObject(value) ? applyUpdate(old, value) : value]
  })
  return { ...record, ...Object.fromEntries(replaced) }
}
