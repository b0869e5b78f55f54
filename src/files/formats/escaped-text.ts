/** Longer than any row about a person, in characters; a stray quotation mark can make a longer one. */
export const longestRow = 1024 * 1024

/** ECMA-376 Part 1, 22.9.2.19: a character that XML cannot contain is written `_xHHHH_`. */
const escaped = /_x([0-9A-Fa-f]{4})_/g

/** Decodes what `escapeText` writes. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

/** Characters that XML 1.0 cannot contain or would change: control characters, a carriage return, half a character. */
const notInXml = /(?![\t\n])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** A text for a file that cannot hold some characters, such as a workbook: reading it gives each of them again. */
export function escapeText(text: string, unwritable = notInXml): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(unwritable, (each) => `_x${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}
