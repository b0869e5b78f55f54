/** Ids of a list, of which only 63 bits each are kept: a list may have a million, and all their texts take 100 MB. */
export interface IdSet {
  /** Whether the id is new. Two ids with the same bits, one list in billions, make a list look incomplete, never complete. */
  add(id: string): boolean
}

const firstSize = 1024

export function createIdSet(): IdSet {
  // Pairs of 32 bits, at the place that the first of them says or at the next that is free. 0 0 is a free place.
  let slots = new Uint32Array(2 * firstSize)
  let count = 0
  return {
    add(id) {
      const [high, low] = bitsOf(id)
      if (!put(slots, high, low)) return false
      count += 1
      if (count * 2 > slots.length / 2) slots = enlarged(slots)
      return true
    },
  }
}

function put(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length / 2 - 1
  for (let place = high & mask; ; place = (place + 1) & mask) {
    const [theirHigh, theirLow] = [slots[2 * place], slots[2 * place + 1]]
    if (theirHigh === high && theirLow === low) return false
    if (theirHigh !== 0 || theirLow !== 0) continue
    slots[2 * place] = high
    slots[2 * place + 1] = low
    return true
  }
}

function enlarged(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * slots.length)
  for (let at = 0; at < slots.length; at += 2) {
    const [high = 0, low = 0] = [slots[at], slots[at + 1]]
    if (high !== 0 || low !== 0) put(larger, high, low)
  }
  return larger
}

/** Two hashes of 32 bits, mixed as MurmurHash3 does; never 0 0, for which the last bit is given up. */
function bitsOf(id: string): readonly [number, number] {
  let [high, low] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    high = Math.imul(high ^ code, 0xcc9e2d51)
    low = Math.imul(low ^ code, 0x1b873593)
    high ^= low >>> 15
    low ^= high >>> 13
  }
  return [mixed(high ^ id.length), (mixed(low) | 1) >>> 0]
}

function mixed(bits: number): number {
  let value = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
