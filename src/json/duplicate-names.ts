/** A place in a JSON value: the names and list indexes that lead to it. */
export type Place = readonly (string | number)[]

/** An object or a list that is open at the current position. */
interface Open {
  /** The names so far; undefined in a list. */
  readonly names?: Set<string>
  at: string | number
}

/**
 * The places of names that appear more than once in an object, each listed once: JSON.parse silently keeps only the
 * last value. Expects a text that JSON.parse can read.
 */
export function duplicateNames(text: string): Place[] {
  const open: Open[] = []
  const found = new Map<string, Place>()
  let named = false
  for (let at = 0; at < text.length; at++) {
    const here = open.at(-1)
    switch (text[at]) {
      case '{':
        open.push({ names: new Set(), at: '' })
        named = false
        break
      case '[':
        open.push({ at: 0 })
        break
      case '}':
      case ']':
        open.pop()
        break
      case ':':
        named = true
        break
      case ',':
        named = false
        if (typeof here?.at === 'number') here.at += 1
        break
      case '"': {
        const end = endOfString(text, at)
        if (here?.names && !named) name(here, here.names, JSON.parse(text.slice(at, end + 1)))
        at = end
      }
    }
  }
  return [...found.values()]

  function name(here: Open, names: Set<string>, given: string) {
    here.at = given
    if (!names.has(given)) {
      names.add(given)
      return
    }
    const place = open.map((each) => each.at)
    found.set(JSON.stringify(place), place)
  }
}

/** Where the string that starts here ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
