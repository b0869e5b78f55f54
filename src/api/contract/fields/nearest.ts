import leven from 'leven'

/** No field has a longer name. To compare takes the product of two lengths: of two long texts it takes minutes. */
const longestName = 64

/** The one of these names that was probably meant by another; undefined where none is near. */
export function nearest(names: readonly string[], name: string): string | undefined {
  if (name.length > longestName) return undefined
  const farthest = Math.max(1, Math.floor(name.length / 4))
  let best: { readonly other: string; readonly distance: number } | undefined
  for (const other of names) {
    // The lengths alone differ by more than the names may.
    if (Math.abs(other.length - name.length) > farthest) continue
    const distance = leven(other.toLowerCase(), name.toLowerCase())
    if (distance <= farthest && (!best || distance < best.distance)) best = { other, distance }
  }
  return best?.other
}
