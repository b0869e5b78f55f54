import { isObject, type JsonObject } from '../../../../json/path.ts'

/** The three parts of a candidate; a missing one is empty. */
export interface Parts {
  readonly generalSetting: JsonObject
  readonly bankSetting: JsonObject
  readonly payrollSetting: JsonObject
}

export function partsOf(body: JsonObject): Parts {
  const part = (name: keyof Parts): JsonObject => (isObject(body[name]) ? body[name] : {})
  return {
    generalSetting: part('generalSetting'),
    bankSetting: part('bankSetting'),
    payrollSetting: part('payrollSetting'),
  }
}

/** The text of a field; empty if there is none. */
export function textOf(part: JsonObject, name: string): string {
  const value = part[name]
  return typeof value === 'string' ? value.trim() : ''
}
