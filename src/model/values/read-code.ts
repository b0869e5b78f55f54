import { isObject, type JsonObject } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import type { Field, Fields } from '../fields/field.ts'
import { isSlipOf } from '../fields/nearest.ts'
import { countryCode, countryName } from '../standards/country.ts'
import { knownWords } from '../standards/known-words.ts'

/** The words that the records of this service have, by their field: they are known words too. */
export type ServiceWords = ReadonlyMap<Field, readonly string[]>

/** The codes that are known for a field: those of the service, of the document, of HMRC or Revenue, and our guesses. */
export function knownCodes(field: Field, serviceWords?: ServiceWords): readonly string[] {
  return codesOf(field, serviceWords)?.all ?? none
}

const none: readonly string[] = []

/** The words, sorted, of each field that has some of its own: of a service that writes the listed codes there are none. */
export const ownWords = (words: ServiceWords): ReadonlyMap<Field, readonly string[]> =>
  new Map(
    [...words].flatMap(([field, own]) =>
      own.every((word) => Object.hasOwn(knownWords(field), word)) ? [] : [[field, own.toSorted()] as const],
    ),
  )

/** The known code that a text means: WEEKLY for `weekly`, `Weekly` or `Every week`; undefined if it means none. */
export function readCode(field: Field, text: string, serviceWords?: ServiceWords): string | undefined {
  const codes = codesOf(field, serviceWords)
  const [code, ...more] = (!codes?.all.includes(text) && codes?.meant.get(codeLetters(text))) || none
  return more.length === 0 ? code : undefined
}

/**
 * The record with every code as it is read where nothing is known of the service: the same for one row before
 * and after the service has shown its own words.
 */
export function inListedCodes(fields: Fields, record: JsonObject): JsonObject {
  let inListForm = record
  for (const [name, value] of Object.entries(record)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) continue
    const code =
      field.fields && isObject(value)
        ? inListedCodes(field.fields, value)
        : (typeof value === 'string' && readCode(field, value)) || value
    if (code !== value) inListForm = { ...inListForm, [name]: code }
  }
  return inListForm
}

/** The reason why a text of a field that takes codes cannot be sent: it can mean two of them. */
export function codeFlaw(field: Field, text: string, serviceWords?: ServiceWords): string | undefined {
  const codes = codesOf(field, serviceWords)
  if (!codes?.areCapitals || codes.all.includes(text)) return undefined
  const several = codes.meant.get(codeLetters(text)) ?? none
  const names = several.map((code) => codeName(field, code))
  const labels = new Set(names).size < names.length ? several : names
  return several.length > 1 ? `it can mean ${labels.join(' or ')}: write the one that you mean` : undefined
}

/** The doubt about a text that is not a known code. `suggestion`: the code from which it is one slip away. */
export function wordDoubt(field: Field, text: string, serviceWords?: ServiceWords): WordDoubt | undefined {
  const codes = codesOf(field, serviceWords)
  if (!codes?.areCapitals || field.standard || codes.all.includes(text)) return undefined
  const suggestion = codes.all.find((code) =>
    [code, codeName(field, code)].some((word) => isMisspelt(text, word)),
  )
  const knownCode = (
    codes.all.length > mostCodesNamed ? codes.all : codes.all.map((code) => codeName(field, code))
  ).join(', ')
  const near = suggestion === undefined ? '' : `; did you mean ${codeName(field, suggestion)}? Known`
  return {
    meant: suggestion,
    message: `“${text.trim()}” is not one of the known values${near}: ${knownCode}`,
  }
}

/** A doubt about a word that no known code has. */
export interface WordDoubt {
  readonly message: string
  readonly meant: string | undefined
}

const codeName = (field: Field, code: string) => valueName(field, code) ?? code

/** Whether the words of a text are those of the other, each the same or one slip away. */
function isMisspelt(text: string, other: string): boolean {
  const [own, theirs] = [text, other].map((each) =>
    each
      .toLowerCase()
      .split(/[^\p{L}\p{N}%]+/u)
      .filter(Boolean),
  )
  if (!own || !theirs || own.length !== theirs.length) return false
  return own.every((word, at) => word === theirs[at] || isSlipOf(word, theirs[at] ?? ''))
}

/** If there are more codes than this, only codes are listed: their names would fill the screen. */
const mostCodesNamed = 12

interface Codes {
  readonly all: readonly string[]
  /** The codes that a text can mean, by its letters and digits. */
  readonly meant: ReadonlyMap<string, readonly string[]>
  readonly areCapitals: boolean
}

/** Kept, because a file has thousands of texts for one field. */
const codesListed = onceFor((field: Field) => readCodes(field, none))
const codesKnown = onceFor((words: ServiceWords) =>
  onceFor((field: Field) => readCodes(field, words.get(field) ?? none)),
)

function codesOf(field: Field, serviceWords?: ServiceWords): Codes | undefined {
  if (field.type !== 'string' || (field.exampleValues === undefined && field.codes === undefined))
    return undefined
  return serviceWords?.get(field)?.length ? codesKnown(serviceWords)(field) : codesListed(field)
}

/** `own`: the words that the records of the service have. */
function readCodes(field: Field, own: readonly string[]): Codes {
  const fromList = Object.keys(knownWords(field))
  const all = [...new Set([...own, ...fromList])]
  // A service that writes Weekly means WEEKLY: all words for that mean what it writes.
  const spelt = (code: string) =>
    own.includes(code) ? code : (own.find((each) => codeLetters(each) === codeLetters(code)) ?? code)
  // A code itself is surer than a word for another one.
  const ways = [(code: string) => [code], (code: string) => wordsOfCode(field, code)]
  const byMeaning = new Map<string, readonly string[]>()
  for (const textsOf of ways) {
    const found = new Map<string, readonly string[]>()
    for (const code of all)
      for (const text of new Set(textsOf(code).map(codeLetters)))
        found.set(text, [...new Set([...(found.get(text) ?? []), spelt(code)])])
    for (const [text, codes] of found) if (!byMeaning.has(text)) byMeaning.set(text, codes)
  }
  return { all, meant: byMeaning, areCapitals: fromList.every(isCodeLike) }
}

/** The words for a code, and its name in the form, also without what is in brackets or after a colon. */
function wordsOfCode(field: Field, code: string): readonly string[] {
  const names = [valueName(field, code) ?? code, knownWords(field)[code] ?? code]
  const short = names.flatMap((name) => [name.replace(/\s*\(.*\)$/, ''), name.replace(/: .*$/, '')])
  return [...(codeWords[code]?.split('|') ?? none), ...wordsBefore(code), ...names, ...short]
}

/** Letter A, class A1: a short code is written behind what it is. */
const wordsBefore = (code: string) =>
  code.length < shortestWord
    ? ['statement', 'category', 'cat', 'table', 'letter', 'class'].map((word) => `${word} ${code}`)
    : []

const isCodeLike = (text: string) => /^[A-Z0-9_%]+$/.test(text)

/** The letters and digits of a text, by which the words for a code are told apart. */
export const codeLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}%]/gu, '')

const firstWeek =
  'w1 | m1 | wk1 | mth1 | w1m1 | wk1mth1 | week 1 | month 1 | week 1 month 1 | week one | week one month one | week 1 basis | non cumulative | non cum | x | y | yes | true'

/** Other words that people write for a code, parted by bars. A word counts only at a field that knows the code. */
const codeWords: Readonly<Record<string, string>> = {
  HOURLY: 'hour | hours | hr | hrs | per hour',
  DAILY: 'day | days | per day',
  // W1, W2 and the like are HMRC's own, in a Full Payment Submission.
  WEEKLY: 'wkly | week | w | w1 | every week | per week',
  FORTNIGHTLY: '2 wkly | fortnight | f | w2 | two weekly | 2 weekly | every two weeks | every 2 weeks',
  FOUR_WEEKLY: '4 weekly | 4 wkly | w4 | every four weeks | every 4 weeks | lunar',
  MONTHLY: 'mthly | month | m | m1 | calendar monthly | calendar month | every month | per month',
  QUARTERLY: 'm3',
  BI_ANNUAL: 'm6',
  ANNUAL: 'ma | annually | yearly',
  ONE_OFF: 'io',
  IRREGULAR: 'ir',
  BACS: 'bank | bank credit | credit transfer | direct credit | bacs transfer | eft',
  FASTER_PAYMENT: 'faster payments',
  SEPA_CREDIT_TRANSFER: 'sepa | sepa transfer | sct',
  // HMRC calls them gross, net or standard, and higher or unmatched; programs write the share alone. A 0
  // alone is often what a program writes for no status.
  GROSS: '0% | gross payment',
  'VERIFIED_20%': '20% | 20 | net | standard | matched | registered | verified',
  'UNVERIFIED_30%': '30% | 30 | higher | unmatched | unregistered | unverified',
  'UNVERIFIED_35%': '35% | 35',
  MALE: 'm',
  FEMALE: 'f',
  PAYEE: 'paye',
  // In Ireland a subcontractor is taxed under Relevant Contracts Tax.
  CIS: 'rct',
  W1M1: firstWeek,
  WEEK_1: firstWeek,
  // A column `Week 1 Month 1` has yes and no.
  CUMULATIVE: 'cum | cumulative basis | n | no | false',
  EMERGENCY: 'emergency basis | emergency tax',
  BIOMETRIC_RESIDENCE_PERMIT: 'brp',
  OPT_IN: 'opted in',
}

/** A shorter code says nothing by itself, so its meaning is shown after it. */
const shortestWord = 3

/** The words for a code: Weekly for WEEKLY. Undefined if it is none of the known ones. */
export function valueName(field: Field, value: string): string | undefined {
  if (field.type === 'country')
    return countryCode(value) === value ? `${value} (${countryName(value)})` : undefined
  const words = knownWords(field)
  if (!Object.hasOwn(words, value)) return undefined
  const meaning = words[value]
  return value.length < shortestWord && meaning !== value ? `${value}: ${meaning}` : meaning
}
