/** A function that does its work at the first call, and returns the same value at every later one. */
export function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}

/**
 * A function that remembers its values for the first `most` texts. Later texts are worked out each time, so
 * that a file of any length takes little memory.
 */
export function onceForText<T>(make: (text: string) => T, most = 1000): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const result = results.get(text)
    if (result !== undefined || results.has(text)) return result as T
    const value = make(text)
    if (results.size < most) results.set(text, value)
    return value
  }
}

/** A function that remembers its value for each object, for as long as the object is in use. */
export function onceFor<Of extends object, T>(make: (of: Of) => T): (of: Of) => T {
  const results = new WeakMap<Of, { readonly value: T }>()
  return (of) => {
    const result = results.get(of)
    if (result) return result.value
    const value = make(of)
    results.set(of, { value })
    return value
  }
}
