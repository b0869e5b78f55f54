/** A place in a JSON value: the names and list indexes that lead to it. */
export type JsonPlace = readonly (string | number)[]

/** Finds the line, from 1, of a value in a JSON text or of what is around it. `flaw`: where it is not JSON. */
export function linesIn(text: string) {
  const begins = new Map<string, number>()
  const flawAt = scanJson(text, { onValue: (place, at) => void begins.set(placeKey(place), at) })
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  return {
    flaw: flawAt === undefined ? undefined : lineAt(flawAt),
    lineOf(place: readonly PropertyKey[]): number {
      const known = place
        .map((_, length) => place.slice(0, place.length - length))
        .find((each) => begins.has(placeKey(each)))
      return lineAt(begins.get(placeKey(known ?? [])) ?? 0)
    },
  }
}

const placeKey = (place: readonly PropertyKey[]) => place.map(String).join('\n')

interface Visitor {
  readonly onValue?: (place: JsonPlace, at: number) => void
  /** Called for a name that its object has already. */
  readonly onTwice?: (place: JsonPlace) => void
}

const quoted = /"(?:[^"\\]|\\.)*"/y
const plain = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const blanks = /\s*/y

/** Goes through a text as JSON. Returns where it stops being that; undefined where it is JSON to its end. */
export function scanJson(text: string, { onValue, onTwice }: Visitor): number | undefined {
  const end = valueAt(0, [])
  const rest = afterBlanks(end.at)
  return end.isWhole && rest === text.length ? undefined : rest

  /** The end of a value, or the place where it stops being JSON. */
  function valueAt(from: number, place: JsonPlace): { at: number; isWhole: boolean } {
    let at = afterBlanks(from)
    onValue?.(place, at)
    const opening = text[at]
    if (opening !== '{' && opening !== '[') {
      const { length } = match(opening === '"' ? quoted : plain, at)
      return { at: at + length, isWhole: length > 0 }
    }
    const closing = opening === '{' ? '}' : ']'
    const names = new Set<string>()
    at = afterBlanks(at + 1)
    for (let index = 0; text[at] !== closing || index > 0; index += 1) {
      let inside: JsonPlace = [...place, index]
      if (opening === '{') {
        const written = match(quoted, at)
        const colon = afterBlanks(at + written.length)
        if (written === '' || text[colon] !== ':') return { at: written === '' ? at : colon, isWhole: false }
        const name = nameIn(written)
        inside = [...place, name]
        if (names.has(name)) onTwice?.(inside)
        names.add(name)
        at = colon + 1
      }
      const inner = valueAt(at, inside)
      if (!inner.isWhole) return inner
      at = afterBlanks(inner.at)
      if (text[at] === closing) break
      if (text[at] !== ',') return { at, isWhole: false }
      at = afterBlanks(at + 1)
    }
    return { at: at + 1, isWhole: true }
  }

  function afterBlanks(at: number): number {
    return at + match(blanks, at).length
  }

  function match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? ''
  }
}

/** The name in quotation marks; as it is written, if its escapes are not valid JSON. */
function nameIn(written: string): string {
  try {
    return written.includes('\\') ? JSON.parse(written) : written.slice(1, -1)
  } catch {
    return written
  }
}
