import leven from 'leven'
import { onceForText } from '../../once.ts'

/** No field has a longer name. Time grows with the product of both lengths: two long texts would take minutes. */
const longestWord = 64

/** The most similar of these names; undefined if none is similar. */
export function nearest(names: readonly string[], name: string): string | undefined {
  if (name.length > longestWord) return undefined
  const farthest = Math.max(1, Math.floor(name.length / 4))
  let best: { readonly other: string; readonly distance: number } | undefined
  for (const other of names) {
    if (Math.abs(other.length - name.length) > farthest) continue
    const distance = typingDistance(other.toLowerCase(), name.toLowerCase())
    if (distance <= farthest && (!best || distance < best.distance)) best = { other, distance }
  }
  return best?.other
}

/** A shorter beginning fits too many names. */
const shortestPart = 3

/** How many letters differ; about 1 if the name begins the other, is a slip in it, or has only its words. */
export function distanceOf(name: string, other: string): number {
  if (name.length > longestWord) return Number.POSITIVE_INFINITY
  const spare = spareWords(name, other)
  if (spare !== undefined) return 1 + spare / longestWord
  const [one, two] = [name.toLowerCase(), other.toLowerCase()]
  const isBeginning = one.length >= shortestPart && one.length * 2 >= two.length && two.startsWith(one)
  const isSlip = partsOfName(other).some((word) => isSlipOf(one, word))
  return isBeginning || isSlip
    ? 1 + Math.abs(one.length - two.length) / longestWord
    : typingDistance(one, two)
}

/** Words with this many equal letters at the beginning count as forms of one word. */
const alikeLetters = 4

/** How many words more the other name has; undefined unless each word of the name is like one of them. */
function spareWords(name: string, other: string): number | undefined {
  const [own, otherParts] = [partsOfName(name), partsOfName(other)]
  const isAlike = (one: string, two: string) =>
    one === two ||
    (Math.min(one.length, two.length) >= alikeLetters &&
      one.slice(0, alikeLetters) === two.slice(0, alikeLetters))
  const areAllThere = own.length > 0 && own.every((word) => otherParts.some((each) => isAlike(word, each)))
  return areAllThere ? otherParts.length - own.length : undefined
}

/** Once for each name, because a form asks at every key. */
const partsOfName = onceForText((name) =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean),
)

/** A shorter word is one slip away from too many others: `Sat` is not `VAT`. */
export const shortestWordToCorrect = 5

/** Whether a typed word is one slip away: a letter wrong, missing or too many, or two swapped. */
export function isSlipOf(text: string, word: string): boolean {
  const isLongEnough = text.length >= shortestWordToCorrect && Math.abs(text.length - word.length) <= 1
  return isLongEnough && /^\p{L}+$/u.test(text) && typingDistance(word, text) === 1
}

/** How many letters were mistyped. Two neighbours typed the wrong way round are one mistake. */
export function typingDistance(one: string, two: string): number {
  const at = [...one].findIndex((letter, index) => letter !== two[index])
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2)
  return one !== two && swapped === two ? 1 : leven(one, two)
}
