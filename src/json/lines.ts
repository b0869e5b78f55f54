/**
 * The line, counted from 1, on which the value at a place begins; of what is not there, the line of what is around it. Expects a text
 * that JSON.parse can read.
 */
export function lineOf(text: string, place: readonly PropertyKey[]): number {
  let at = 0
  let found = 0
  walk(place)
  return text.slice(0, found).split('\n').length

  /** Goes over the value at `at`; what lies at the place is noted. */
  function walk(rest: readonly PropertyKey[] | undefined): void {
    skipBlanks()
    if (rest) found = at
    const opening = text[at]
    if (opening === '{' || opening === '[') walkInside(opening, rest)
    else if (opening === '"') at = endOfText(at)
    else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1
  }

  function walkInside(opening: string, rest: readonly PropertyKey[] | undefined): void {
    at += 1
    for (let index = 0; ; index += 1) {
      skipBlanks()
      if (at >= text.length || text[at] === ']' || text[at] === '}') break
      let name: PropertyKey = index
      if (opening === '{') {
        const end = endOfText(at)
        name = JSON.parse(text.slice(at, end)) as string
        at = end
        skipBlanks()
        at += 1
      }
      const isOnTheWay = rest && rest.length > 0 && String(rest[0]) === String(name)
      walk(isOnTheWay ? rest.slice(1) : undefined)
      skipBlanks()
      if (text[at] === ',') at += 1
    }
    at += 1
  }

  function skipBlanks(): void {
    while (/\s/.test(text[at] ?? '')) at += 1
  }

  /** The place behind the closing quotation mark. */
  function endOfText(start: number): number {
    let end = start + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    return end + 1
  }
}
