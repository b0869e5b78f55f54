import type { Issue } from '../../../errors.ts'
import { isObject, type Json, valueAt } from '../../../json/path.ts'
import type { RecordType } from './record-type.ts'

/** What a record needs and a body lacks, an issue for each field. A text of nothing but spaces counts as none. */
export function lackingFields({ needs = [], displayName }: RecordType, body: Json): Issue[] {
  if (!isObject(body)) return []
  return needs
    .filter((path) => isEmpty(valueAt(body, path.split('.'))))
    .map((path) => ({ path, message: `${displayName} needs it` }))
}

/** Spaces, and characters that cannot be seen. */
const blank = /^[\s\p{C}]*$/u

const isEmpty = (value: Json) =>
  value === undefined || value === null || (typeof value === 'string' && blank.test(value))
