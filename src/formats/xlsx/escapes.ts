/**
 * ECMA-376 Part 1, 22.9.2.19: a character that XML cannot hold is written `_xHHHH_`, and so is the underscore of a
 * text that only looks like that.
 */
const escaped = /_x([0-9A-Fa-f]{4})_/g

/** The text behind the escapes of a workbook. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

/** What XML 1.0 cannot hold, or would change: control characters, a carriage return, half a character. */
const unwritable = /(?![\t\n])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** A text as a workbook holds it without losing a character. */
export function escapeText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(unwritable, (each) => `_x${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}
