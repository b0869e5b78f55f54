import { once, onceForText } from '../../once.ts'
import type { Fields } from '../fields/field.ts'
import { allOperations } from './operations.ts'

/** Sensitive fields are known by name, so that undocumented records and errors are masked as well. */

/** assumed: other services' names for our sensitive fields. */
const otherSensitiveNames = [
  'nino, ni no, national insurance number, national insurance no, pps, ppsn, pps no, personal public service number',
  'date of birth, birth date, birthday',
  'bank account, account no, acct no, acc no, acct number, bank account number, bank account no',
  'sorting code, bank sort code, iban, iban number, iban no, roll number, roll no',
  'utr, utr number, unique taxpayer reference, cis verification number, verification number',
].flatMap((names) => names.split(', '))

/** Collected on demand: a list printed as JSON does not need it. */
const sensitiveNames = once((): ReadonlySet<string> => {
  const types = allOperations.flatMap(({ requestRecord, response }) => [
    requestRecord,
    'type' in response ? response.type : undefined,
  ])
  const paths = types.flatMap((type) => (type ? sensitiveIn(type.fields) : []))
  return new Set([...otherSensitiveNames.map((name) => name.replaceAll(' ', '')), ...paths])
})

function sensitiveIn(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { sensitive, fields = {}, promptFields = {}, item }]) => [
    ...(sensitive ? [name.toLowerCase()] : []),
    ...[fields, promptFields, item ? { [name]: item } : {}].flatMap(sensitiveIn),
  ])
}

/** Whether a name means a sensitive field, however it is spelled: DOB, dateOfBirth, worker_date-of-birth, Account No 2. */
export const isSensitive = onceForText((name): boolean => {
  const words = name.slice(0, mostLetters).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{N}]+/gu) ?? []
  // The last words count: those before only say whose it is, and a number at the end which of several.
  while (/^\p{N}+$/u.test(words.at(-1) ?? '')) words.pop()
  return words.some((_, at) => sensitiveNames().has(words.slice(at).join('').toLowerCase()))
})

/** No field has a longer name. In characters. */
const mostLetters = 100
