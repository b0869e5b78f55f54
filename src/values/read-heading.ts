import { type Fields, sections } from '../api/contract/fields/field.ts'
import { fieldAt, type Leaf, leafFields } from '../api/contract/fields/field-tree.ts'
import { labelsOf, needsSection } from '../api/contract/fields/labels.ts'
import { nearest } from '../api/contract/fields/nearest.ts'
import { answerPath, mappingOf } from '../api/contract/mapping/field-mapping.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { ambiguousHeadings, type Headings, headings } from './headings.ts'

/** What a heading can mean: one path for certain, or those to choose from, or none. */
interface HeadingMeaning {
  readonly path?: string
  readonly choices: readonly string[]
}

/** The field that the heading of a column means: a path, a label, or one of the usual headings. */
export function readHeading(type: RecordType, name: string): HeadingMeaning {
  const { paths, ways } = indexOf(type)
  const path = paths.get(name.trim().toLowerCase()) ?? elementPath(type, paths, name.trim())
  if (path !== undefined) return { path, choices: [] }
  const bare = name.replace(/[([{].*?[)\]}]/g, ' ')
  const readings = [wordsOf(name), wordsOf(bare)]
  // A sheet of changes has new tax codes and new rates: they are what is sent.
  const changed = readings.filter(([first]) => first === 'new').map((words) => words.slice(1))
  for (const words of [...readings, ...changed]) {
    const key = words.join('')
    if (key === '') continue
    const doubtful = ambiguous.get(key)?.filter((each) => fieldAt(type.fields, each)) ?? []
    if (doubtful.length > 0) return { choices: doubtful }
    for (const way of ways) {
      const found = way.get(key) ?? linePaths(type, way, words)
      const [only, ...others] = found
      if (only !== undefined) return others.length === 0 ? { path: only, choices: [] } : { choices: found }
    }
  }
  return { choices: [] }
}

/** The path whose usual names are the most similar to a heading that means none, or that means one with a week behind it. */
export function nearestHeading(type: RecordType, name: string): string | undefined {
  const { ways } = indexOf(type)
  const words = wordsOf(name)
  const end = words.findLastIndex((word) => !/^(?:wk|week|w|mth|month|m|e|ending|\d+)$/.test(word)) + 1
  const withoutWeek =
    end > 0 && end < words.length ? readHeading(type, words.slice(0, end).join(' ')) : undefined
  if (withoutWeek?.path !== undefined) return withoutWeek.path
  const near = nearest(
    ways.flatMap((way) => [...way.keys()]),
    words.join(''),
  )
  return near === undefined
    ? undefined
    : ways.map((way) => way.get(near)?.[0]).find((path) => path !== undefined)
}

/** The heading of a field for a person: its label where that means no other field, else with its section, else its path. */
export function headingFor(type: RecordType, path: string): string {
  const base = path.replace(/\[(\d+)\]$/, '')
  const [, line] = /\[(\d+)\]$/.exec(path) ?? []
  const field = fieldAt(type.fields, base)
  const behind = line === undefined ? '' : ` line ${Number(line) + 1}`
  const section = field?.section ? [`${sections[field.section]}: ${field.label}`] : []
  const names = field ? [field.label, ...section].map((name) => name + behind) : []
  return names.find((name) => readHeading(type, name).path === path) ?? path
}

interface Index {
  /** Paths of requests and answers, in lower case. */
  readonly paths: ReadonlyMap<string, string>
  /** By the letters of a name alone, the surest way first: labels, usual headings, last parts of paths. */
  readonly ways: readonly ReadonlyMap<string, readonly string[]>[]
}

const indexes = new WeakMap<RecordType, Index>()

function indexOf(type: RecordType): Index {
  const index = indexes.get(type) ?? build(type)
  indexes.set(type, index)
  return index
}

function build(type: RecordType): Index {
  const leaves = leafFields(type.fields)
  const mapping = mappingOf(type)
  const paths = new Map<string, string>()
  for (const { path } of leaves) if (mapping) paths.set(answerPath(mapping, path).toLowerCase(), path)
  for (const { path } of leaves) paths.set(path.toLowerCase(), path)
  const byLabel = [...leaves, ...leaves.flatMap(linesOf)].flatMap(({ path, field }) =>
    labelsOf(field).flatMap((label) =>
      [label, label.replace(/\(.*?\)/g, '')].map((each) => [each, path] as const),
    ),
  )
  const byLastPart = leaves
    .filter(({ field }) => !needsSection(field))
    .map(({ path }) => [path.split('.').at(-1) ?? path, path] as const)
  return { paths, ways: [byLabel, listed(headings, type.fields), byLastPart].map(byWords) }
}

/** What the first line of a list has: `rates[0].units`. */
export function linesOf({ path, field: { item } }: Leaf): Leaf[] {
  return Object.entries(item?.fields ?? {}).map(([name, field]) => ({ path: `${path}[0].${name}`, field }))
}

/** The usual headings of the fields that this record has. */
function listed(under: Headings, fields: Fields, above = ''): (readonly [string, string])[] {
  return Object.entries(under).flatMap(([name, names]) => {
    const path = above + name
    if (typeof names !== 'string') return listed(names, fields, `${path}.`)
    return fieldAt(fields, path) ? names.split('|').map((each) => [each, path] as const) : []
  })
}

function byWords(names: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [name, path] of names) {
    const key = wordsOf(name).join('')
    const before = found.get(key) ?? []
    if (!before.includes(path)) found.set(key, [...before, path])
  }
  return found
}

/** `Address 2`, `address_line_2`: a line of a field of lines. */
function linePaths(
  { fields }: RecordType,
  way: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
): readonly string[] {
  const line = Number(words.at(-1))
  if (!Number.isInteger(line) || line < 1 || line > mostLines) return []
  const base = words.slice(0, -1)
  const found = [base, base.at(-1) === 'line' ? base.slice(0, -1) : []].flatMap(
    (each) => way.get(each.join('')) ?? [],
  )
  return [...new Set(found)]
    .filter((path) => fieldAt(fields, path)?.type === 'lines')
    .map((path) => `${path}[${line - 1}]`)
}

/** No address has more lines. */
const mostLines = 10

/** `generalSetting.address[0]`, `rates[0].units`, or the same of an answer. */
function elementPath(
  { fields }: RecordType,
  paths: ReadonlyMap<string, string>,
  name: string,
): string | undefined {
  const [, base = '', rest = ''] = /^(.+?)((?:\[\d+\]|\.\d+)(?:[.[].*)?)$/.exec(name) ?? []
  const list = paths.get(base.toLowerCase())
  const path = list && list + rest
  const field = path === undefined ? undefined : fieldAt(fields, path)
  return field && !field.fields ? path : undefined
}

const sameWords: Readonly<Record<string, string>> = {
  number: 'no',
  num: 'no',
  nr: 'no',
  reference: 'ref',
}

const ofPay = words(
  'hours hour hrs hr units unit qty quantity days shifts nights pay rate rates amount amt wage wages salary value total gross net bonus expenses allowance commission deduction deductions advance overtime ot weekend',
)
const ofOther = words('no ref id code group week wk period date month year phone frequency day')

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Whether the numbers below a heading are hours or money, which nobody may lose in silence. */
export function isOfPay(name: string): boolean {
  const found = wordsOf(name)
  return found.some((word) => ofPay.has(word)) && !found.some((word) => ofOther.has(word))
}

/** The words of a name, without case, accents and punctuation: `n`, `i`, `no` of `N.I. Number`. */
function wordsOf(name: string): string[] {
  const apart = name
    .slice(0, longestName)
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .replaceAll('#', ' no ')
    .toLowerCase()
  return (apart.match(/\p{L}+|\p{N}+/gu) ?? []).map((word) => sameWords[word] ?? word)
}

/** No heading that means a field is longer, but a cell may hold a whole letter. */
const longestName = 100

const ambiguous = new Map(
  Object.entries(ambiguousHeadings).map(([name, paths]) => [wordsOf(name).join(''), paths]),
)
