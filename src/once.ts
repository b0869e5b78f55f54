/** A function that does its work at the first call, and returns the same value at every later one. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * A function that remembers its values for the first `most` texts. Later texts are worked out each time, so
 * that a file of any length takes little memory.
 */
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

/** A function that remembers its value for each object, for as long as the object is in use. */
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
