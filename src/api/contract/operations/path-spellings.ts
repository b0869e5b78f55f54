import { variants } from '../variants.ts'

/** A service is not asked for more spellings of one path than this. */
const mostSpellings = 40

/**
 * assumed: the other ways in which a service usually writes a path that is not shown: in the singular or the plural, as
 * one word or several, with a version or without, the country before or after its noun. The likely ones come first;
 * the path itself is not among them.
 */
export function spellingsOf(path: string): readonly string[] {
  const [, prefix = '', ...segments] = path.split('/')
  const version = /^v\d$/.test(segments[0] ?? '') ? segments.shift() : undefined
  const [noun = '', country = ''] = segments
  const orders = isCountry(country) ? [segments, [country, noun]] : [segments]
  const bodies = orders.flatMap((order) => combine(order.map(spellSegment)))
  const versions = [...new Set([version, undefined, 'v1', 'v2'])]
  const all = versions.flatMap((each) =>
    bodies.map((body) => ['', prefix, ...(each === undefined ? [] : [each]), ...body].join('/')),
  )
  return [...new Set(all)].filter((each) => each !== path).slice(0, mostSpellings)
}

const isCountry = (segment: string) => variants.some(({ id }) => id === segment)

function spellSegment(segment: string): readonly string[] {
  if (isCountry(segment) || /^[{v]?\d|^\{|^oauth$/.test(segment)) return [segment]
  const words = segment.split('-')
  const last = words.at(-1) ?? ''
  const other = last.endsWith('s') ? last.slice(0, -1) : `${last}s`
  const numbers = [words, [...words.slice(0, -1), other]]
  return [...new Set(numbers.flatMap(joinings))]
}

/** `time-sheets`, `timesheets`, `timeSheets`, `time_sheets`. */
function joinings(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words
  const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return [words.join('-'), words.join(''), camel, words.join('_')]
}

function combine(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return choices.reduce<readonly (readonly string[])[]>(
    (before, segments) => segments.flatMap((segment) => before.map((body) => [...body, segment])),
    [[]],
  )
}
