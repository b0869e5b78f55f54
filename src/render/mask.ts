import { candidate, candidateIreland } from '../api/contract/candidate/candidate.ts'
import { isObject, type Json } from '../api/contract/path.ts'
import { leaves } from '../api/contract/walk.ts'

/**
 * The names of the sensitive fields. By name and not by path, so that a record of a form nobody described, an
 * older payslip or an error's details, is masked as well; in capitals or not.
 */
const sensitiveNames = new Set(
  [candidate, candidateIreland]
    .flatMap((type) => leaves(type.fields))
    .filter(({ field }) => field.sensitive)
    .map(({ path }) => path.split('.').at(-1)?.toLowerCase()),
)

export function isSensitive(name: string): boolean {
  return sensitiveNames.has(name.toLowerCase())
}

/**
 * A value that can be recognised by who knows it, and read by nobody else: its last three letters or digits, of
 * eight or more. Of a date, nothing.
 */
export function mask(value: Json): string {
  const text = String(value)
  const characters = text.match(/[\p{L}\p{N}]/gu) ?? []
  const isDate = /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}(\D|$)/.test(text)
  return characters.length < 8 || isDate ? '******' : `******${characters.slice(-3).join('')}`
}

/** The same value with every sensitive field in it masked, however deep. */
export function masked(value: Json): Json {
  if (Array.isArray(value)) return value.map(masked)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    const hide = isSensitive(name) && inner !== null && inner !== undefined && inner !== ''
    return [name, hide ? mask(inner) : masked(inner)]
  })
  return Object.fromEntries(entries)
}
