/**
 * The one choke point for text from outside on its way to a terminal: control characters (C0, DEL, C1), format
 * characters (bidi marks, zero-width and byte-order marks), line and paragraph separators, lone surrogates.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** One line of text that can neither move the cursor, nor hide, nor reorder what stands beside it. */
export function safeText(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ').replace(unsafe, '')
}

/** JSON text with the same characters written as escapes: equal to a parser, harmless to a terminal. */
export function safeJson(json: string): string {
  return json.replace(unsafe, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  )
}
