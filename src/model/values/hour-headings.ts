type Measure = 'hours' | 'rate' | 'code'

/** The heading of a column of hours of one kind, where several kinds stand side by side. */
interface HourHeading {
  /** The kind of hours: `overtime`; `basic` where none is named. Columns of one kind belong together. */
  readonly kind: string
  /** The values of the column: hours or units, the pay of one, or the code of its rate. Undefined: only a kind is named. */
  readonly measure: Measure | undefined
  /** A multiple of the basic rate: 1.5. */
  readonly multiple: number | undefined
}

const kindWords: Readonly<Record<string, string>> = {
  basic: 'basic standard std normal ordinary regular flat core plain',
  overtime: 'overtime ot o/t',
  weekend: 'weekend weekends wkend',
  saturday: 'saturday saturdays sat',
  sunday: 'sunday sundays sun',
  day: 'day daytime',
  night: 'night nights nite',
  evening: 'evening evenings eve lates late',
  early: 'early earlies',
  'bank holiday': 'bank-holiday bank-holidays public-holiday public-holidays bh',
  sleep: 'sleep-in sleep-ins sleepin sleepover sleepovers',
  standby: 'standby on-call oncall',
  callout: 'callout call-out callouts',
  travel: 'travel',
  waking: 'waking',
  holiday: 'holiday holidays annual leave',
  sick: 'sick sickness',
  training: 'training induction',
}

/** Kinds that are hours only where the heading says so: `Holiday` alone may be pay, or days. */
const hoursIfSaid: ReadonlySet<string> = new Set(['holiday', 'sick', 'training'])

const hourKinds = new Map(
  Object.entries(kindWords).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
)

const measures: readonly (readonly [RegExp, Measure])[] = [
  [/\b(?:pay |rate )code\b|\bcode\b/, 'code'],
  [
    /\b(?:hourly |pay )?rates?(?: of pay)?(?: ?(?:per|p|an?|\/) ?(?:hour|hr|h))?\b|£ ?\/ ?h(?:r|our)?\b/,
    'rate',
  ],
  [/\b(?:hours?|hrs?|units?|qty|quantity|no of|shifts?)\b(?: (?:worked|paid))?/, 'hours'],
]

const multiplesInWords: Readonly<Record<string, number>> = { half: 1.5, quarter: 1.25, third: 4 / 3 }

const longestHeading = 100

/** Reads the heading of a column of hours; undefined if a word of it is not about hours, kinds or rates. */
export function readHourHeading(name: string): HourHeading | undefined {
  if (name.length > longestHeading) return undefined
  let text = name
    .toLowerCase()
    .replace(/×/g, 'x')
    .replace(/\((?:£|€|gbp|eur)\)|[£€](?! ?\/)/g, ' ')
    .replace(/[\s_:]+/g, ' ')
    .replace(/\b(bank|public) (holidays?)\b/g, '$1-$2')
    .replace(/\b(sleep) (ins?)\b/g, '$1-$2')
    .replace(/\b(on) (call)\b/g, '$1-$2')
    .replace(/\bover time\b/g, 'overtime')
    // `OT1` and `OT 2` are two rates of overtime, and no multiples.
    .replace(/\b(ot|overtime) ?(\d)(?![\d.,]| ?x(?![a-z]))/g, '$1 n$2')
  let multiple: number | undefined
  const take = (pattern: RegExp, value: (groups: readonly string[]) => number) => {
    const match = pattern.exec(text)
    if (!match || multiple !== undefined) return
    multiple = value(match.slice(1))
    text = text.replace(match[0], ' ')
  }
  take(/\btime (?:and|&) (?:an? )?(half|third|quarter)\b/, ([part = '']) => multiplesInWords[part] ?? 1)
  take(/\b(double|triple)(?: time)?\b/, ([word]) => (word === 'double' ? 2 : 3))
  take(/(?:\bx|@) ?(\d(?:[.,]\d+)?)\b/, ([number = '']) => Number(number.replace(',', '.')))
  take(/(?:\bt|(?<=\bot)) ?(\d[.,]\d+)\b/, ([number = '']) => Number(number.replace(',', '.')))
  take(/\b(\d(?:[.,]\d+)?) ?x(?![a-z])/, ([number = '']) => Number(number.replace(',', '.')))
  take(/\b(1[.,]\d+|2[.,]\d+)\b/, ([number = '']) => Number(number.replace(',', '.')))
  take(/\b(\d{3}) ?%/, ([number = '']) => Number(number) / 100)
  if (multiple !== undefined && (multiple < 1 || multiple > 5)) return undefined
  let measure: Measure | undefined
  for (const [pattern, each] of measures) {
    if (measure !== undefined || !pattern.test(text)) continue
    measure = each
    text = text.replace(pattern, ' ')
  }
  const words = text.split(/[^a-z\d/-]+/).filter((word) => /[a-z\d]/.test(word))
  // `Days` and `Nights` are units; a day rate is what a day is paid.
  const isDays = words.length === 1 && words[0] === 'days' && measure === undefined
  const kinds = isDays ? ['day'] : words.map((word) => (/^n\d$/.test(word) ? word : hourKinds.get(word)))
  if (kinds.some((kind) => kind === undefined)) return undefined
  if (kinds.length === 0 && measure === undefined && multiple === undefined) return undefined
  if (measure === undefined && kinds.some((kind) => hoursIfSaid.has(kind ?? ''))) return undefined
  const named = [...new Set(kinds)].join(' ')
  // A multiple of 1 is the basic rate itself.
  if (named === '' && multiple === 1) return { kind: 'basic', measure, multiple: undefined }
  // Two rates of overtime are two kinds.
  const kind = [named || (multiple === undefined ? 'basic' : ''), multiple ?? '']
    .filter((part) => part !== '')
    .join(' ')
  return { kind, measure: isDays ? 'hours' : measure, multiple }
}

/** The pay of the hours in a column, where no other column says it. */
export type HourRate = { readonly code: string } | { readonly rate: string } | { readonly multiple: number }

/** The rate that a map gives a column of hours: `Hours at OT150`, `Hours at x1.5` of the basic rate, `Hours at 21.30`. */
export function readHourRate(text: string): HourRate | undefined {
  const [, at = ''] = /^hours\s+at\s+(.+)$/i.exec(text.trim()) ?? []
  const rate = at.trim()
  if (rate === '') return undefined
  const [, multiple] =
    /^(?:x|×)\s*(\d+(?:\.\d+)?)$|^(\d+(?:\.\d+)?)\s*(?:x|×)$/i.exec(rate)?.filter(Boolean) ?? []
  if (multiple !== undefined) return { multiple: Number(multiple) }
  return /^[£€]?\d+\.\d+$/.test(rate) ? { rate: rate.replace(/^[£€]/, '') } : { code: rate }
}

/** A rate as a column map has it: `Hours at x1.5`. */
export function hourRateText(rate: HourRate): string {
  return `Hours at ${'code' in rate ? rate.code : 'rate' in rate ? rate.rate : `x${rate.multiple}`}`
}

interface SideColumn {
  readonly at: number
  /** Which line of hours it belongs to, from 0. */
  readonly line: number
  readonly measure: Measure
  readonly rate?: HourRate | undefined
  /** Whether nothing says at which rate its hours are paid. */
  readonly isOpen?: boolean
}

const weekdayPattern = 'mon|tue(?:s)?|wed(?:nes)?|thu(?:r|rs)?|fri|sat(?:ur)?|sun'

const weekdayHeading = new RegExp(
  `^(${weekdayPattern})(?:day)?s?(?:[\\s./-]+(?:hours|hrs|h|\\d[\\d\\s./-]*))?$`,
  'i',
)

/** Whether a heading is a day of the week, with its date or not: `Mon`, `Tuesday hrs`, `Wed 27/05`. */
export const isWeekday = (name: string): boolean => weekdayHeading.test(name.trim())

interface Candidate {
  readonly at: number
  readonly name: string
  /** Set where it is the usual column of hours, of the pay rate or of its code. */
  readonly usual?: Measure | undefined
}

/**
 * Columns of several kinds of hours side by side, each a line with a rate, a code or a multiple. `hasOthers`: a map says
 * the rates of other kinds, so basic hours stand beside those.
 */
export function sideBySide(candidates: readonly Candidate[], hasOthers: boolean): readonly SideColumn[] {
  const headings = withKindsOfRates(candidates.flatMap(headingOf))
  const columnOf = (kind: string, measure: Measure | undefined) =>
    headings.find((each) => each.kind === kind && each.measure === measure)
  // A heading with only a kind counts as hours, unless the kind has a column of hours too.
  const hoursOf = (kind: string) => columnOf(kind, 'hours') ?? columnOf(kind, undefined)
  // A column of overtime rates also serves `Overtime 1.5`.
  const payOf = (kind: string, measure: 'rate' | 'code') => {
    const plain = kind.replace(/ [\d.]+$/, '')
    return columnOf(kind, measure) ?? (hoursOf(plain) ? undefined : columnOf(plain, measure))
  }
  const kinds = new Set(headings.map(({ kind }) => kind))
  // Basic hours come first: the others are paid by a multiple of their rate.
  const lines = [...new Set(['basic', ...kinds])].flatMap((kind) => {
    const hours = hoursOf(kind)
    return hours ? [{ hours, rate: payOf(kind, 'rate'), code: payOf(kind, 'code') }] : []
  })
  const [basic] = lines.filter(({ hours }) => hours.kind === 'basic')
  if (lines.length < 2 && !(hasOthers && basic)) return []
  const hasBasicRate = basic?.rate !== undefined
  return lines.flatMap(({ hours, rate, code }, line): SideColumn[] => {
    const { at, kind, multiple } = hours
    const isPaid = rate !== undefined || code !== undefined || kind === 'basic'
    const byMultiple = !isPaid && multiple !== undefined && hasBasicRate
    return [
      {
        at,
        line,
        measure: 'hours',
        rate: byMultiple ? { multiple } : undefined,
        isOpen: !isPaid && !byMultiple,
      },
      ...(rate ? [{ at: rate.at, line, measure: 'rate' as const }] : []),
      ...(code ? [{ at: code.at, line, measure: 'code' as const }] : []),
    ]
  })
}

interface PlacedHeading extends HourHeading {
  readonly at: number
}

function headingOf({ at, name, usual }: Candidate): PlacedHeading[] {
  const read = readHourHeading(name)
  const asUsual = usual && { kind: 'basic', measure: usual, multiple: undefined }
  const heading = read && read.kind !== 'basic' ? read : (asUsual ?? read)
  return heading ? [{ at, ...heading }] : []
}

/** Where there are several columns of rates, each belongs to the hours on its left. */
function withKindsOfRates(headings: readonly PlacedHeading[]): readonly PlacedHeading[] {
  const isRate = ({ kind, measure }: PlacedHeading) => kind === 'basic' && measure === 'rate'
  if (headings.filter(isRate).length < 2) return headings
  const isOfHours = ({ measure }: PlacedHeading) => measure !== 'rate' && measure !== 'code'
  return headings.map((column) => {
    const hours = isRate(column) && headings.findLast((each) => each.at < column.at && isOfHours(each))
    return hours ? { ...column, kind: hours.kind } : column
  })
}
