/** Where each value of a JSON text begins, and where a text stops being JSON. */
interface Lines {
  /** The line, counted from 1, of the value at a place; of what is not there, the line of what is around it. */
  readonly lineOf: (place: readonly PropertyKey[]) => number
  /** The line on which the text stops being JSON; undefined where it is JSON. */
  readonly flaw: number | undefined
}

const name = /"(?:[^"\\]|\\.)*"/y
const plain = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Reads a text only for its lines: what it means, JSON.parse says. */
export function linesIn(text: string): Lines {
  const begins = new Map<string, number>()
  const end = valueAt(0, [])
  const flawAt = end.isWhole && /^\s*$/.test(text.slice(end.at)) ? undefined : end.at
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  return {
    flaw: flawAt === undefined ? undefined : lineAt(afterBlanks(flawAt)),
    lineOf(place) {
      const known = place
        .map((_, length) => place.slice(0, place.length - length))
        .find((each) => begins.has(keyOf(each)))
      return lineAt(begins.get(keyOf(known ?? [])) ?? 0)
    },
  }

  /** Where the value ends; or where it stops being one. */
  function valueAt(from: number, place: readonly PropertyKey[]): { at: number; isWhole: boolean } {
    let at = afterBlanks(from)
    begins.set(keyOf(place), at)
    const opening = text[at]
    if (opening !== '{' && opening !== '[') {
      const length = match(opening === '"' ? name : plain, at).length
      return { at: at + length, isWhole: length > 0 }
    }
    const closing = opening === '{' ? '}' : ']'
    at = afterBlanks(at + 1)
    for (let index = 0; text[at] !== closing || index > 0; index += 1) {
      let key: PropertyKey = index
      if (opening === '{') {
        const quoted = match(name, at)
        const colon = afterBlanks(at + quoted.length)
        if (quoted === '' || text[colon] !== ':') return { at: quoted === '' ? at : colon, isWhole: false }
        key = quoted.slice(1, -1)
        at = colon + 1
      }
      const inner = valueAt(at, [...place, key])
      if (!inner.isWhole) return inner
      at = afterBlanks(inner.at)
      if (text[at] === closing) break
      if (text[at] !== ',') return { at, isWhole: false }
      at = afterBlanks(at + 1)
    }
    return { at: at + 1, isWhole: true }
  }

  function afterBlanks(at: number): number {
    let next = at
    while (/\s/.test(text[next] ?? '')) next += 1
    return next
  }

  function match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? ''
  }
}

const keyOf = (place: readonly PropertyKey[]) => place.map(String).join('\n')
