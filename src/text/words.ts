/** A text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A sentence as part of another: without its full stop, and with a small letter unless it begins with a name. */
export const asClause = (sentence: string): string =>
  sentence.replace(/\.$/, '').replace(/^(?:The|In|It|An?|No|Nothing|Whether) /, (word) => word.toLowerCase())

/** `1 record`, `2 records`, `3,084 people`. */
export function plural(count: number, noun: string): string {
  const several = noun === 'person' ? 'people' : `${noun}s`
  return `${groupDigits(count)} ${count === 1 ? noun : several}`
}

/**
 * How many of all: `20 of 3,084`, or `3,084 people` for all of them; and where not all that match are shown,
 * `20 of 300 that match (3,084 in all)`.
 */
export function countOf(count: number, total: number, noun: string, matching = count): string {
  if (count >= total) return plural(count, noun)
  const ofAll = count < matching && matching < total ? ` that match (${groupDigits(total)} in all)` : ''
  return `${groupDigits(count)} of ${groupDigits(ofAll ? matching : total)}${ofAll}`
}

const wordsOfSeveral = {
  is: 'are',
  has: 'have',
  was: 'were',
  differs: 'differ',
  waits: 'wait',
  it: 'them',
} as const

/** The word that goes with a count: `is` of one, `are` of none and of several. */
export const agree = (count: number, word: keyof typeof wordsOfSeveral): string =>
  count === 1 ? word : wordsOfSeveral[word]

/** `candidate` for `candidates`, `person` for `people`. */
export const singular = (noun: string): string => (noun === 'people' ? 'person' : noun.replace(/s$/, ''))

/** `csv`, `csv or json`, `csv, xlsx or json`. */
export function wordList(words: readonly string[], last: 'and' | 'or'): string {
  const start = words.slice(0, -1).join(', ')
  return [start, words.at(-1)].filter(Boolean).join(` ${last} `)
}

/** `Ann, Bob and Cyd`, and of more than `most` the first: `Ann, Bob, Cyd and 1,204 more`. `count`: how many there are, if these are only the first. */
export function nameSome(names: readonly (string | number)[], most: number, count = names.length): string {
  const firstNames = names.slice(0, most).map(String)
  const more = count - firstNames.length
  return more > 0 ? `${firstNames.join(', ')} and ${groupDigits(more)} more` : wordList(firstNames, 'and')
}

/** Whether a profile or a bookmark can have this name: up to 64 letters, digits, hyphens and underscores. */
export const isShortName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)

/** A number with commas between the thousands: 3,084 and 1,250.5. */
export function groupDigits(count: number | string): string {
  return String(count).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')
}

/** `£1,250.00`, `-€20.00` */
export const writeMoney = (currency: string, amount: number, decimals = 2) =>
  `${amount < 0 ? '-' : ''}${currency}${groupDigits(Math.abs(amount).toFixed(decimals))}`

/** Letters that Unicode does not take apart into a base letter and a mark, and that people type without the mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** A text that has nothing to fold: printable ASCII alone. */
export const ascii = /^[ -~]*$/

/** A text as it is looked for: `obrien` finds O'Brien and `ni` finds Ní. */
export function foldText(text: string): string {
  const lower = text.toLowerCase().replace(/['’ʼ`]/g, '')
  if (ascii.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøđðħıŧþßæœ]/g, (letter) => plainLetters[letter] ?? letter)
}

/** The words of a text as it is looked for; what is neither letter nor digit parts them: `Fakenham-Test` is two. */
export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** A number of a person or an account by its letters and digits alone, in capitals: how it is spaced makes no difference. */
export function compactNumber(text: string): string {
  if (isCompact.test(text)) return text
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Most numbers are compact already, and are returned as they are. */
const isCompact = /^[A-Z0-9]*$/

/** A service by its name and address: `acme (https://pay.acme.example)`. */
export const withOrigin = (name: string, origin: string | null | undefined): string =>
  origin ? `${name} (${origin})` : name
