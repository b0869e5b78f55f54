import leven from 'leven'

/** No field has a longer name. Time grows with the product of both lengths: two long texts would take minutes. */
const longestName = 64

/** The most similar of these names; undefined if none is similar. */
export function nearest(names: readonly string[], name: string): string | undefined {
  if (name.length > longestName) return undefined
  const farthest = Math.max(1, Math.floor(name.length / 4))
  let best: { readonly other: string; readonly distance: number } | undefined
  for (const other of names) {
    // The lengths alone differ too much.
    if (Math.abs(other.length - name.length) > farthest) continue
    const distance = leven(other.toLowerCase(), name.toLowerCase())
    if (distance <= farthest && (!best || distance < best.distance)) best = { other, distance }
  }
  return best?.other
}
