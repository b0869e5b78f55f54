/** Works on `most` items at once; results in order. Throws the first failure, and then begins no more. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
  onEach?: (done: number, total: number) => void,
): Promise<R[]> {
  const results = new Map<number, R>()
  const waiting = items.entries()
  let hasFailed = false
  async function workOn(): Promise<void> {
    for (const [at, item] of waiting) {
      if (hasFailed) return
      results.set(at, await work(item))
      onEach?.(results.size, items.length)
    }
  }
  const workers = Array.from({ length: Math.min(most, items.length) }, () =>
    workOn().catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  await Promise.all(workers)
  return items.flatMap((_, at) => (results.has(at) ? [results.get(at) as R] : []))
}
