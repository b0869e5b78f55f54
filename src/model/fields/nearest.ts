import leven from 'leven'

/** No field has a longer name. Time grows with the product of both lengths: two long texts would take minutes. */
const longestWord = 64

/** How many letters of a name may be mistyped. */
export const mostMistyped = (name: string): number => Math.max(1, Math.floor(name.length / 4))

/** The most similar of these names; undefined if none is similar. */
export function nearest(names: readonly string[], name: string): string | undefined {
  if (name.length > longestWord) return undefined
  const farthest = mostMistyped(name)
  let best: { readonly other: string; readonly distance: number } | undefined
  for (const other of names) {
    if (Math.abs(other.length - name.length) > farthest) continue
    const distance = typingDistance(other.toLowerCase(), name.toLowerCase())
    if (distance <= farthest && (!best || distance < best.distance)) best = { other, distance }
  }
  return best?.other
}

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
