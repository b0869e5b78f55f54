import { formatPath, isIndex, isObject, type Json } from '../../../json/path.ts'
import { isSensitive } from '../fields/sensitive.ts'

/** The characters that services write instead of digits: ****2345, XXXX2345. */
const hidden = /[*•●]|x{4,}/i

/** The paths of the sensitive fields that the service masks. */
export function maskedFields(record: Json, above: readonly string[] = []): string[] {
  if (typeof record === 'string') {
    const name = above.findLast((segment) => !isIndex(segment)) ?? ''
    return isSensitive(name) && hidden.test(record) ? [formatPath(above)] : []
  }
  if (!isObject(record) && !Array.isArray(record)) return []
  return Object.entries(record).flatMap(([name, value]) => maskedFields(value, [...above, name]))
}
