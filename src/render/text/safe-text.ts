/**
 * What must not reach a terminal in text from outside: control and format characters, line and paragraph separators,
 * lone surrogates. A function, because V8 compiles an expression where it stands, and most commands need none.
 */
const unsafe = () => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** More combining marks on one letter than any script needs: they would cover the lines above and below. */
const heaped = () => /\p{M}{5,}/gu
const heapKept = 4

/** Most text is plain: the expressions above cost a short command more than the rest of it. */
const safe = /^[ -~\n\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u20a0-\u20c0]*$/

/** One line of text that can neither move the cursor, nor hide, nor reorder or cover what stands beside it. */
export function safeText(text: string): string {
  const oneLine = text.replace(/[\t\r\n]+/g, ' ')
  if (safe.test(oneLine)) return oneLine
  return oneLine.replace(unsafe(), '').replace(heaped(), (marks) => [...marks].slice(0, heapKept).join(''))
}

/** Text of several lines, as CSV is, made as harmless; only its line breaks and tabs stay. */
export function safeLines(text: string): string {
  if (safe.test(text)) return text
  return text
    .replace(unsafe(), (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(heaped(), (marks) => [...marks].slice(0, heapKept).join(''))
}

/** The styles of style.ts, which a text for a person keeps. */
const ownStyles = () => new RegExp(`(${'\u001B'}\\[(?:[124]|2[24]|3[1236]|39)m)`)

/** A report of several lines, made as harmless: beside line breaks and tabs only our own styles stay. */
export function safeReport(text: string): string {
  const parts = text.split(ownStyles())
  return parts.map((part, at) => (at % 2 === 1 ? part : safeLines(part))).join('')
}

/** Text while it is typed: what is unsafe shows as a mark of the same width in the terminal's own count. */
export function safeTyping(text: string): string {
  return text.replace(unsafe(), (character) => '\uFFFD'.repeat(character.length))
}

/** JSON text with the same characters written as escapes: equal to a parser, harmless to a terminal. */
export function safeJson(json: string): string {
  if (safe.test(json)) return json
  return json
    .replace(unsafe(), (character) => (character === '\n' ? character : escapeCharacter(character)))
    .replace(heaped(), (marks) => {
      const [marksToKeep, rest] = [[...marks].slice(0, heapKept), [...marks].slice(heapKept)]
      return marksToKeep.join('') + rest.map(escapeCharacter).join('')
    })
}

function escapeCharacter(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}
