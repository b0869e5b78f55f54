import { countries } from '../../api/contract/countries/countries.ts'
import type { Field, PickedFrom, Section } from '../../api/contract/fields/field.ts'
import { nearest } from '../../api/contract/fields/nearest.ts'
import { standardForm } from '../../api/contract/standards/standard-form.ts'
import type { Warning } from '../../api/contract/standards/warning.ts'
import { knownCodes, shortestSlip, takesCodes, valueName } from '../../values/read-code.ts'
import type { FormContext } from '../form/form-context.ts'
import type { Answer } from './asked-field.ts'

/**
 * The doubt about an answer that is none of those offered, no known code and no record of the service, or that looks like
 * what another field asks for.
 */
export async function unknownAnswer(
  form: FormContext,
  field: Field,
  { value, isOther }: Answer,
): Promise<Warning | undefined> {
  if (typeof value !== 'string' || value === '') return undefined
  if (field.picks) return unknownRecord(form, field.picks, value)
  return knownCodes(field).length > 0 ? unknownCode(field, value, isOther) : strayAnswer(field, value)
}

/** Where words are asked for, and a number or a code belongs to the next question. */
const inWords: readonly (Section | undefined)[] = ['person', 'contact', 'bank', 'emergency']

/** A sort code as the account name, a postcode as the town. */
function strayAnswer({ type, standard, section }: Field, value: string): Warning | undefined {
  const isWords = type === 'string' && (standard === undefined || standard === 'name')
  const look = isWords && inWords.includes(section) ? looksLike(value) : undefined
  return look ? { message: `this looks like ${look}` } : undefined
}

/** Longer lists would fill the screen; they stood on it just now. */
const longestList = 60

/** A title is no code: there are more of them than those seen, so it is only doubted if it looks like something else. */
function unknownCode(field: Field, value: string, isOther?: true): Warning | undefined {
  const codes = knownCodes(field)
  if (codes.includes(value)) return undefined
  const look = looksLike(value)
  if (look === undefined && !takesCodes(field)) return undefined
  const names = codes.map((code) => valueName(field, code) ?? code)
  const at = names.indexOf(nearest(names, value) ?? '')
  const isSlip = value.length >= shortestSlip
  const meant = isSlip ? (codes[at] ?? codes.find((code) => code === nearest(codes, value))) : undefined
  // Who asked for another word knows that it is none of these.
  if (isOther && look === undefined && meant === undefined) return undefined
  const list = names.join(', ')
  const known = `not a known answer${list.length > longestList ? '' : ` (${list})`}`
  return {
    message: look ? `this looks like ${look}, ${known}` : known,
    ...(meant !== undefined && { suggestion: meant }),
  }
}

async function unknownRecord(
  { recordsOf, country }: FormContext,
  from: PickedFrom,
  value: string,
): Promise<Warning | undefined> {
  const records = (await recordsOf(from)) ?? []
  const record = records.find((each) => each.value === value)
  const other = countries.find(({ id }) => id === record?.country)
  const here = await country()
  if (from === 'vat-code' && other && here && other !== here)
    return { message: `this VAT code is used ${other.inPlace}, not ${here.inPlace}` }
  if (records.length === 0 || record) return undefined
  const same = records.filter((each) => each.value.toLowerCase() === value.toLowerCase())
  const look = looksLike(value)
  return {
    message: look ? `this looks like ${look}, and ${noRecord[from]}` : noRecord[from],
    ...(same.length === 1 && same[0] && { suggestion: same[0].value }),
  }
}

const noRecord: Readonly<Record<PickedFrom, string>> = {
  person: 'the service has no person with this reference',
  'payment-rate': 'the service has no such payment rate',
  'vat-code': 'the service has no such VAT code',
}

const looks: readonly (readonly [look: string, fits: (text: string) => boolean])[] = [
  ['a sort code or a date', (text) => /^\d\d-\d\d-\d\d$/.test(text)],
  ['a date', (text) => /^\d{1,4}\s*[/.\-\s]\s*(?:\d{1,2}|\p{L}{3,9})\s*[/.\-\s]\s*\d{1,4}$/u.test(text)],
  ['a number', (text) => /^[£€]?[\d\s.,-]*\d[\d\s.,-]*$/.test(text)],
  ['an email address', (text) => /^\S+@\S+$/.test(text)],
  ['a National Insurance number', (text) => standardForm('nino', text) !== undefined],
  ['a PPS number', (text) => standardForm('ppsn', text) !== undefined],
  ['a postcode', (text) => standardForm('postcode', text) !== undefined],
  ['an Eircode', (text) => standardForm('eircode', text) !== undefined],
  ['an IBAN', (text) => standardForm('iban', text) !== undefined],
]

/** What another field asks for, if the text is written like it. */
function looksLike(text: string): string | undefined {
  return looks.find(([, fits]) => fits(text.trim()))?.[0]
}
