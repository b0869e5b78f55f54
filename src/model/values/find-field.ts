import { lastName } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { wordList } from '../../text/words.ts'
import { otherCurrency } from '../fields/amounts.ts'
import { type Fields, sections } from '../fields/field.ts'
import { fieldAt, type Leaf, leafFields } from '../fields/field-tree.ts'
import { labelsOf, needsSection, normalizeName } from '../fields/labels.ts'
import { mostMistyped, nearest, shortestWordToCorrect, typingDistance } from '../fields/nearest.ts'
import { answerPath, bothForms, type NamedField, namedFields, requestPath } from '../mapping/field-mapping.ts'
import { lettersOfName } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { ambiguousHeadings, type Headings, headings } from './headings.ts'

type FieldLookup =
  | { readonly found: NamedField; readonly near?: never; readonly isAmbiguous?: never }
  /** Paths of the fields that it can mean, the nearest first: only hints, unless `isAmbiguous`. */
  | { readonly found?: never; readonly near: readonly string[]; readonly isAmbiguous: boolean }

const mostNear = 3

/**
 * The field that a typed name means: a path, the last part of one, a label or a usual heading. Capitals do
 * not matter. An element of a list has its index: `address[0]`.
 */
export function findField(fields: Fields, name: string): FieldLookup {
  const index = indexOf(fields)
  const whole = findWhole(index, name)
  if (whole) return whole
  const element = elementIn(name, (list) => findWhole(index, list)?.found)
  if (element) return { found: element }
  const doubtful = doubtfulFields(fields, name).map((each) => fieldPath(each, index.side))
  return { near: doubtful.length > 0 ? doubtful : nearestPaths(index, name), isAmbiguous: false }
}

function findWhole(index: Index, text: string): FieldLookup | undefined {
  const { all, side, byPath, type = { fields: index.sent } } = index
  const lower = normalizeName(text)
  const several = [
    [byPath.get(lower)].filter((each) => each !== undefined),
    all.filter((each) => lastNames(each).some((last) => last.toLowerCase() === lower)),
    all.filter(({ field }) => labelsOf(field).includes(lower)),
  ]
  // What begins with a dot is the rest of a path.
  const headed = /^[.[]/.test(text)
    ? undefined
    : byPath.get(readHeading(type, text).path?.toLowerCase() ?? '')
  const named = several.find((each) => each.length === 1)?.[0]
  const found = named ?? sectionField(index, text.trim()) ?? headed
  // A sheet's Reference is the person's, and no name may mean another field than the same heading.
  const isDoubtful = named?.request && headed?.request && !isSameOrWithin(named.request, headed.request)
  if (found && !isDoubtful) return { found }
  const most = isDoubtful ? [headed, named] : several.find((each) => each.length > 1)
  return most && { near: most.slice(0, 2 * mostNear).map((each) => fieldPath(each, side)), isAmbiguous: true }
}

const isSameOrWithin = (path: string, whole: string) => path === whole || path.startsWith(`${whole}.`)

/** An object of the record, which holds several fields. */
function sectionField({ sent, answered, type: recordType }: Index, path: string): NamedField | undefined {
  const type: Pick<RecordType, 'answer'> = recordType ?? {}
  const request = fieldAt(sent, path) ? path : requestPath(type, path)
  const answer = fieldAt(answered, path) ? path : answerPath(type, path)
  const [inSent, inAnswer] = [fieldAt(sent, request), fieldAt(answered, answer)]
  const field = [inSent, inAnswer].find((each) => each?.fields)
  return field && { field, request: inSent && request, answer: inAnswer && answer }
}

/** The fields that a word may mean which is never taken for one of them. */
export function doubtfulFields(fields: Fields, name: string): readonly NamedField[] {
  const { byPath } = indexOf(fields)
  return (ambiguous.get(headingWords(name).join('')) ?? []).flatMap(
    (path) => byPath.get(path.toLowerCase()) ?? [],
  )
}

/** The path of a field in a request or in an answer; where it has none there, the other. */
export function fieldPath({ request, answer }: NamedField, side: 'request' | 'answer'): string {
  return (side === 'request' ? (request ?? answer) : (answer ?? request)) ?? ''
}

const lastNames = onceFor(({ request, answer }: NamedField) => [
  ...new Set([request, answer].flatMap((path) => (path === undefined ? [] : [lastName(path)]))),
])

/** `Did you mean a, b or c?`, with nothing where no name is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '' : `Did you mean ${wordList(near, 'or')}?`

/** Why a name that can mean several fields means none. */
export const severalMeant = (near: readonly string[]): string =>
  `can mean ${wordList(near, 'or')}: write the one that you mean`

/** The fields that have a part in their names: `pension`. None where the part is too short. */
export function fieldsWithPart(fields: Fields, part: string): readonly NamedField[] {
  const typed = lettersOfName(part)
  return fieldsNamed(indexOf(fields), typed, (name) => name.includes(typed))
}

/** The paths that an unknown name may mean: it has a slip of the hand, or is a part of a name. None where they are many. */
function nearestPaths(index: Index, name: string): string[] {
  const typed = lettersOfName(lastName(name))
  const isNear = (other: string) =>
    other.includes(typed) ||
    (Math.abs(other.length - typed.length) <= mostMistyped(typed) &&
      typingDistance(other, typed) <= mostMistyped(typed))
  const near = fieldsNamed(index, typed, isNear)
  return near.length > mostNear ? [] : near.map((each) => fieldPath(each, index.side))
}

/** The fields with a last name, a label or a word of one that fits. */
const fieldsNamed = ({ all }: Index, typed: string, fits: (name: string) => boolean) =>
  typed.length < shortestPart || typed.length > longestHeading
    ? []
    : all.filter((each) => {
        const { label } = each.field
        return [...lastNames(each), label, ...label.split(' ')].map(lettersOfName).some(fits)
      })

/** A shorter part is in too many names. */
const shortestPart = 3

/** The meaning of a heading: one path, or several to choose from; neither if a word is left over. */
interface HeadingMeaning {
  readonly path?: string
  readonly choices: readonly string[]
}

type Headed = Pick<RecordType, 'fields' | 'currency'>

const unknown: HeadingMeaning = { choices: [] }

/**
 * The field that a heading surely means: every word of it is accounted for. `Old hourly rate` means none. A
 * note in brackets may only say what the field says anyway: a format, a unit.
 */
export function readHeading(type: Headed, name: string): HeadingMeaning {
  const path = fieldAtPath(indexOf(type.fields), name)?.request
  if (path !== undefined) return { path, choices: [] }
  if (otherCurrency(name, type.currency) !== undefined) return unknown
  const { bare, notes } = notesOf(name)
  const words = headingWords(bare)
  const whole =
    lookUp(type, headingWords(name)) ??
    notes
      .map((note) => (note.trim() === 'temp' ? undefined : lookUp(type, [...headingWords(note), ...words])))
      .find(Boolean)
  if (whole ?? notes.length === 0) return whole ?? unknown
  const meaning = lookUp(type, words)
  return meaning && notes.every((note) => saysTheSame(type, meaning, note)) ? meaning : unknown
}

/** A heading without the notes in brackets, or after a dash at its end. */
function notesOf(name: string): { readonly bare: string; readonly notes: readonly string[] } {
  const notes: string[] = []
  const takeOut = (_: string, note: string) => {
    notes.push(note)
    return ' '
  }
  const bare = name
    .slice(0, longestHeading)
    .replace(/[([{]([^)\]}]*)[)\]}]/g, takeOut)
    .replace(/\s+[-–—]\s+([^-–—]+)$/, takeOut)
  return { bare, notes: notes.filter((note) => note.trim() !== '') }
}

/** Words before a heading that change nothing: whose it is, and that it holds from now on. */
const owners = words(
  'employee employees worker workers staff candidate candidates contractor contractors temp personal',
)
const renewed = words('new revised updated amended')

function lookUp(type: Headed, words: readonly string[]): HeadingMeaning | undefined {
  const [first = '', ...rest] = words
  const exact = lookUpExactly(type, words)
  if (exact || rest.length === 0) return exact
  // A sheet of changes has new tax codes and new rates: they are what is sent.
  if (renewed.has(first)) return lookUp(type, rest)
  const own = owners.has(first) ? lookUpExactly(type, rest) : undefined
  // `Employee NI` is a contribution, not the NI number.
  return own?.path === undefined ? undefined : own
}

function lookUpExactly(type: Headed, words: readonly string[]): HeadingMeaning | undefined {
  const key = words.join('')
  if (key === '') return undefined
  const doubtful = ambiguous.get(key)?.filter((each) => fieldAt(type.fields, each)) ?? []
  if (doubtful.length > 0) return { choices: doubtful }
  for (const way of indexOf(type.fields).ways) {
    const paths = way.get(key) ?? numberedPaths(type, way, words)
    const [only, ...more] = paths
    if (only !== undefined) return more.length === 0 ? { path: only, choices: [] } : { choices: paths }
  }
  return undefined
}

/** Notes on any column that change nothing about it. */
const saysNothing =
  /^(?:required|mandatory|optional|essential|compulsory|if (?:known|applicable|any|available)|(?:max(?:imum)? ?)?\d+ ?(?:digits?|chars?|characters|letters|numbers)|max(?:imum)? ?\d+|text(?: only)?|numbers? only|numeric|no (?:spaces|dashes|hyphens)(?: or (?:spaces|dashes|hyphens))?|as (?:on|per|in) (?:the )?[a-z\d ]+|e ?g .+|eg .+|for example .+|see (?:list|notes?|key|below|tab)|drop ?down|select|choose|from list|new)$/

const flagNote = /^(?:y ?n|yes ?(?:or )?no|true ?(?:or )?false)$/

/** The words of a note on how a date is written. */
const dateWords = words(
  'd dd ddd m mm mmm mon y yy yyyy ddmmyy ddmmyyyy mmddyyyy yyyymmdd date format uk iso day month year first monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun',
)

const moneyWords = words('gbp pounds pound sterling eur euro euros decimal number amount')

/** The words of a note on the unit or the codes that a field has anyway, by its standard or its path. */
const unitsInHeadings: Readonly<Record<string, ReadonlySet<string>>> = {
  'hourly-rate': words('per an hour hours hourly p h hr ph basic'),
  salary: words('per an annum year annual annually yearly p a pa basic'),
  'weekly-hours': words('per a week weekly p w pw wk contracted hours hrs'),
  'rates[].rate': words('per an hour hours hourly p h hr ph'),
  'rates[].units': words('hours hour hrs hr h worked paid decimal total'),
  hoursPerUnit: words('hours hour hrs h'),
  'starter-declaration': words('a b c or'),
  'generalSetting.gender': words('m f male female or'),
  'generalSetting.title': words('mr mrs miss ms mx dr etc'),
}

/** Whether a note says no more than the field itself does. */
function saysTheSame(type: Headed, { path, choices }: HeadingMeaning, note: string): boolean {
  const noted = headingWords(note)
  if (noted.length === 0 || saysNothing.test(noted.join(' '))) return true
  const paths = path === undefined ? choices : [path]
  const other = lookUpExactly(type, noted)
  if (other && [other.path, ...other.choices].some((each) => each !== undefined && paths.includes(each)))
    return true
  return paths.every((each) => {
    const field = fieldAt(type.fields, each)
    if (!field) return false
    const { standard, type: kind, section } = field
    const unit = unitsInHeadings[standard ?? ''] ?? unitsInHeadings[each.replace(/\[\d+\]/, '[]')]
    const isMoney = kind === 'number' || kind === 'decimal' || kind === 'integer'
    if (flagNote.test(noted.join(' '))) return kind === 'boolean'
    const isSaid = (word: string) =>
      (unit?.has(word) ?? false) ||
      ((kind === 'date' || kind === 'timestamp') && dateWords.has(word)) ||
      (isMoney && moneyWords.has(word)) ||
      (field.percent === true && (word === 'percent' || word === 'pc')) ||
      (section === 'bank' && word === 'bank')
    return noted.every(isSaid)
  })
}

/** The fields that a heading may mean, the likeliest first. A guess is never taken by itself. */
export function guessHeading(type: Headed, name: string): readonly string[] {
  const { path, choices } = readHeading(type, name)
  if (path !== undefined || choices.length > 0) return path === undefined ? choices : [path]
  const words = headingWords(name)
  if (words.some((word) => rulesOut.has(word))) return []
  const parts = words
    .flatMap((_, from) => words.map((__, to) => words.slice(from, to + 1)))
    .filter((part) => part.length > 0)
    .sort((one, other) => other.join('').length - one.join('').length)
    .slice(0, mostParts)
  for (const part of parts) {
    const meaning = lookUpExactly(type, part)
    if (meaning) return meaning.path === undefined ? meaning.choices : [meaning.path]
  }
  const { ways } = indexOf(type.fields)
  const text = words.join('')
  if (text.length < shortestWordToCorrect) return []
  const names = ways.flatMap((way) => [...way.keys()])
  const near = nearest(names, text) ?? ''
  return ways.map((way) => way.get(near)).find(Boolean) ?? []
}

/** Words that rule out what the other words mean: an old rate, or a client's, is not what is paid. */
const rulesOut = words(
  'old previous prior former original last earlier until effective temporary maiden birth charge chargeable sell selling cost client clients customer agency umbrella umb ltd bill billed billing billable invoice invoiced employer employers ers manager supervisor spouse partner child dependant husband wife mother father not unpaid absent sick holiday hol leave break breaks lunch contracted planned rostered scheduled booked target rejected disputed queried variance difference adjustment lost owed due ytd cumulative notional average fte day daily weekly fortnightly monthly month pm pcm pw k net vat usc ni sacrifice band review verified contribution contributions emergency overtime ot weekend night nights current max maximum min minimum nmw balance',
)

/** Only this many parts of a heading are looked up, because a cell may hold a whole letter. */
const mostParts = 60

/** The heading of a field: its label if that is clear, else with its section, else its path. */
export function headingFor(type: Headed, path: string): string {
  const [, base = path, line] = /^(.+)\[(\d+)\]$/.exec(path) ?? []
  const field = fieldAt(type.fields, base)
  const [, element = '0'] = /\[(\d+)\]\./.exec(path) ?? []
  const suffix =
    line !== undefined ? ` line ${Number(line) + 1}` : element === '0' ? '' : ` ${Number(element) + 1}`
  const section = field?.section ? [`${sections[field.section]}: ${field.label}`] : []
  const names = field ? [field.label, ...section].map((name) => name + suffix) : []
  return names.find((name) => readHeading(type, name).path === path) ?? path
}

interface Index extends ReturnType<typeof bothForms> {
  readonly all: readonly NamedField[]
  /** By path in a request or an answer, in lower case. */
  readonly byPath: ReadonlyMap<string, NamedField>
  /** Paths of a request by the letters of a name alone, the surest way first: labels, labels without notes, usual headings, last parts of paths. */
  readonly ways: readonly ReadonlyMap<string, readonly string[]>[]
}

const indexOf = onceFor((fields: Fields): Index => {
  const forms = bothForms(fields)
  const all = namedFields(forms.sent, forms.answered)
  const byPath = new Map<string, NamedField>()
  for (const side of ['answer', 'request'] as const)
    for (const each of all) if (each[side]) byPath.set(each[side].toLowerCase(), each)
  const leaves = leafFields(forms.sent)
  const whole = [...leaves, ...leaves.flatMap(itemLeaves)]
  const byLabel = whole.flatMap(({ path, field }) => labelsOf(field).map((label) => [label, path] as const))
  const byBareLabel = byLabel.map(([label, path]) => [label.replace(/\(.*?\)/g, ''), path] as const)
  const byLastPart = whole
    .filter(({ field }) => !needsSection(field))
    .map(({ path }) => [lastName(path), path] as const)
  const ways = [byLabel, byBareLabel, listHeadings(headings, forms.sent), byLastPart].map(byWords)
  return { ...forms, all, byPath, ways }
})

/** The fields of the first line of a list: `rates[0].units`. */
export function itemLeaves({ path, field: { item } }: Leaf): Leaf[] {
  return Object.entries(item?.fields ?? {}).map(([name, field]) => ({ path: `${path}[0].${name}`, field }))
}

function listHeadings(under: Headings, fields: Fields, above = ''): (readonly [string, string])[] {
  return Object.entries(under).flatMap(([name, names]) => {
    const path = above + name
    if (typeof names !== 'string') return listHeadings(names, fields, `${path}.`)
    return fieldAt(fields, path) ? names.split('|').map((each) => [each, path] as const) : []
  })
}

function byWords(names: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>()
  for (const [name, path] of names) {
    const key = headingWords(name).join('')
    const before = byKey.get(key) ?? []
    if (!before.includes(path)) byKey.set(key, [...before, path])
  }
  return byKey
}

/** `Address 2`, `address_line_2`: a line of a field of lines. `Hours 1`, `Pay rate 2`: a field of a line of a list. */
function numberedPaths(
  { fields }: Headed,
  way: Index['ways'][number],
  words: readonly string[],
): readonly string[] {
  const at = Number(words.at(-1)) - 1
  if (!Number.isInteger(at) || at < 0 || at >= mostNumberedLines) return []
  const base = words.slice(0, -1).join('')
  const paths = way.get(base) ?? []
  const lines = [...paths, ...(way.get(base.replace(/line$/, '')) ?? [])].filter(
    (path) => fieldAt(fields, path)?.type === 'lines',
  )
  if (lines.length > 0) return [...new Set(lines)].map((path) => `${path}[${at}]`)
  return paths
    .filter((path) => path.includes('[0].'))
    .map((path) => path.replace('[0].', `[${at}].`))
    .filter((path) => fieldAt(fields, path))
}

/** No address has more lines. */
const mostNumberedLines = 10

/** The field at a path of a request or an answer, in any case: one that holds a value, or an element of one. */
function fieldAtPath({ byPath }: Index, name: string): NamedField | undefined {
  const whole = byPath.get(name.trim().toLowerCase())
  if (whole) return whole
  const element = elementIn(name, (list) => byPath.get(list.toLowerCase()))
  return element?.field.fields ? undefined : element
}

/** The field of an element, such as `address[0]`, by the field of its list. */
function elementIn(name: string, find: (list: string) => NamedField | undefined): NamedField | undefined {
  const [, list = '', rest = ''] = /^(.+?)((?:\[\d+\]|\.\d+)(?:[.[].*)?)$/.exec(name.trim()) ?? []
  const { field: whole, request, answer } = (list !== '' && find(list)) || {}
  const field = whole && fieldAt({ list: whole }, `list${rest}`)
  return field && { field, request: request && request + rest, answer: answer && answer + rest }
}

const sameWords: Readonly<Record<string, string>> = {
  number: 'no',
  num: 'no',
  nr: 'no',
  reference: 'ref',
  acc: 'account',
  acct: 'account',
  ac: 'account',
}

const payWords = words(
  'hours hour hrs hr minutes mins units unit qty quantity days shifts nights pay rate rates amount amt wage wages salary value total gross net bonus expenses allowance commission deduction deductions advance overtime ot weekend mileage premium uplift enhancement',
)
const otherWords = words('no ref id code group week wk period date month year phone frequency day')

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Whether the numbers below a heading are hours or money, which nobody may lose in silence. */
export function isOfPay(name: string): boolean {
  const words = headingWords(name)
  return words.some((word) => payWords.has(word)) && !words.some((word) => otherWords.has(word))
}

/** The words of a name, without case, accents and punctuation: `n`, `i`, `no` of `N.I. Number`. */
function headingWords(name: string): string[] {
  const apart = name
    .slice(0, longestHeading)
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .replaceAll('#', ' no ')
    .replace(/\ba\/c\b/gi, 'account')
    .toLowerCase()
  return (apart.match(/\p{L}+|\p{N}+/gu) ?? []).map((word) => sameWords[word] ?? word)
}

/** No heading that means a field is longer, but a cell may hold a whole letter. */
const longestHeading = 100

const ambiguous = new Map(
  Object.entries(ambiguousHeadings).flatMap(([names, paths]) =>
    names.split('|').map((name) => [headingWords(name).join(''), paths] as const),
  ),
)
