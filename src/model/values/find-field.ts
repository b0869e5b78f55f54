import { lastName } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { wordList } from '../../text/words.ts'
import type { Fields } from '../fields/field.ts'
import { fieldAt } from '../fields/field-tree.ts'
import { labelsOf, normalizeName } from '../fields/labels.ts'
import { distanceOf } from '../fields/nearest.ts'
import { answerPath, bothForms, type NamedField, namedFields, requestPath } from '../mapping/field-mapping.ts'
import { readHeading } from './read-heading.ts'

/** The meaning of a name that a person typed. */
type FieldLookup =
  | { readonly found: NamedField; readonly near?: never; readonly isAmbiguous?: never }
  /** Paths of the fields that it can mean, the nearest first: only hints, unless `isAmbiguous`. */
  | { readonly found?: never; readonly near: readonly string[]; readonly isAmbiguous: boolean }

/** More suggestions than these are no help. */
const mostNear = 3

const formsOf = onceFor((fields: Fields) => {
  const forms = bothForms(fields)
  return { ...forms, all: namedFields(forms.sent, forms.answered) }
})

/**
 * The field that a name means: a path, the last part of one, a label or a usual heading. Capitals
 * matter only where two fields differ by them. An element of a list has its index: `address[0]`.
 */
export function findField(fields: Fields, name: string): FieldLookup {
  const { sent, answered, side, type, all } = formsOf(fields)
  const whole = findWhole(name)
  if (whole) return whole
  const [, base = '', rest = ''] = /^(.+?)((?:\[\d+\]|\.\d+)(?:[.[].*)?)$/.exec(name.trim()) ?? []
  const list = base === '' ? undefined : findWhole(base)?.found
  const element = list && elementOf(list, rest)
  if (element) return { found: element }
  return { near: nearestPaths(all, name, side), isAmbiguous: false }

  function findWhole(text: string): FieldLookup | undefined {
    const wanted = text.trim()
    const lower = wanted.toLowerCase()
    const byPath = (isMeant: (path: string) => boolean) =>
      all.filter(({ request, answer }) =>
        [request, answer].some((path) => path !== undefined && isMeant(path)),
      )
    const several = [
      byPath((path) => path === wanted),
      byPath((path) => path.toLowerCase() === lower),
      byPath((path) => lastName(path).toLowerCase() === lower),
      all.filter(({ field }) => labelsOf(field).includes(normalizeName(wanted))),
    ]
    const found = several.find((each) => each.length === 1)?.[0] ?? group(wanted) ?? findByHeading(wanted)
    if (found) return { found }
    const most = several.find((each) => each.length > 1)
    return (
      most && { near: most.slice(0, 2 * mostNear).map((each) => fieldPath(each, side)), isAmbiguous: true }
    )
  }

  /** The field that an import takes such a heading for. */
  function findByHeading(name: string): NamedField | undefined {
    // What begins with a dot is the rest of a path.
    if (/^[.[]/.test(name)) return undefined
    const { path } = readHeading(type ?? { fields: sent }, name)
    return path === undefined ? undefined : all.find(({ request }) => request === path)
  }

  /** An object of the record, which holds several fields. */
  function group(path: string): NamedField | undefined {
    const request = fieldAt(sent, path) ? path : requestPath(type ?? {}, path)
    const answer = fieldAt(answered, path) ? path : answerPath(type ?? {}, path)
    const [inSent, inAnswer] = [fieldAt(sent, request), fieldAt(answered, answer)]
    const field = [inSent, inAnswer].find((each) => each?.fields)
    return field && { field, request: inSent && request, answer: inAnswer && answer }
  }
}

/** The path of a field in a request or in an answer; where it has none there, the other. */
export function fieldPath({ request, answer }: NamedField, side: 'request' | 'answer'): string {
  return (side === 'request' ? (request ?? answer) : (answer ?? request)) ?? ''
}

/** `Did you mean a, b or c?`, with nothing where no name is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '' : `Did you mean ${wordList(near, 'or')}?`

function elementOf(list: NamedField, rest: string): NamedField | undefined {
  const field = fieldAt({ list: list.field }, `list${rest}`)
  if (!field) return undefined
  const { request, answer } = list
  return { field, request: request && request + rest, answer: answer && answer + rest }
}

/** The paths that an unknown name may mean: its words, a slip of the hand, another order of words. */
function nearestPaths(all: readonly NamedField[], name: string, side: 'request' | 'answer'): string[] {
  const last = lastName(name)
  const usual = usualFields(last)
  const named = all.filter(({ request, answer }) => usual.includes(lastName(request ?? answer ?? '')))
  if (named.length > 0) return named.map((each) => fieldPath(each, side))
  const near = all
    .map((each) => {
      const { request, answer, field } = each
      const others = [lastName(request ?? answer ?? ''), lastName(answer ?? request ?? ''), field.label]
      return {
        path: fieldPath(each, side),
        distance: Math.min(...others.map((other) => distanceOf(last, other))),
      }
    })
    .filter(({ distance }) => distance < 2 || distance <= Math.floor(last.length / 4))
    .sort((one, other) => one.distance - other.distance)
  const nearest = near.filter(({ distance }) => distance <= (near[0]?.distance ?? 0) + 1)
  return nearest.length > mostNear ? [] : nearest.map(({ path }) => path)
}

/** Words for several fields, or one with another name here, and the last parts of the fields' paths. */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  name: ['forename', 'surname'],
  wage: ['rateHour', 'annualSalary'],
  wages: ['rateHour', 'annualSalary'],
  pay: ['rateHour', 'annualSalary'],
  ni: ['NINumber', 'niCategory'],
  'week 1': ['taxBasis'],
  'month 1': ['taxBasis'],
  w1: ['taxBasis'],
  m1: ['taxBasis'],
  'leaving date': ['dateLeft'],
  'leave date': ['dateLeft'],
  'end date': ['dateLeft'],
  leaver: ['dateLeft', 'status', 'reason'],
}

/** The last parts of the paths that such a word stands for; none for any other word. */
export function usualFields(name: string): readonly string[] {
  const words = name
    .toLowerCase()
    .replace(/(\p{L}{2,})(\d)/gu, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
  return Object.hasOwn(usualNames, words) ? (usualNames[words] ?? []) : []
}
