/** The function, whose work is done at the first call alone. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The function, whose work is done once for each of the first `most` texts: the usual ones, of a file with any number. */
export function onceForText<T>(make: (text: string) => T, most = 1000): (text: string) => T {
  const found = new Map<string, T>()
  return (text) => {
    const known = found.get(text)
    if (known !== undefined || found.has(text)) return known as T
    const value = make(text)
    if (found.size < most) found.set(text, value)
    return value
  }
}

/** The function, whose work is done once for each object that it is asked about. */
export function onceFor<Of extends object, T>(make: (of: Of) => T): (of: Of) => T {
  const found = new WeakMap<Of, { readonly value: T }>()
  return (of) => {
    const known = found.get(of)
    if (known) return known.value
    const value = make(of)
    found.set(of, { value })
    return value
  }
}
