/** Groups items by the key, or the keys, of each, in their order. An item without a key is in no group. */
export function groupBy<T>(
  items: Iterable<T>,
  keysOf: (item: T) => string | undefined | readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const keys = keysOf(item) ?? []
    for (const key of typeof keys === 'string' ? [keys] : new Set(keys)) addTo(groups, key, item)
  }
  return groups
}

/** Adds an item to the group of its key. */
export function addTo<Key, T>(groups: Map<Key, T[]>, key: Key, item: T): void {
  const group = groups.get(key)
  if (group) group.push(item)
  else groups.set(key, [item])
}

/** What `make` makes of each group. */
export async function* mapGroups<T, R>(
  groups: AsyncIterable<readonly T[]>,
  make: (items: readonly T[]) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for await (const items of groups) yield await make(items)
}

/** Items in groups of `size`. The last group may be smaller, or empty. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  yield batch
}
