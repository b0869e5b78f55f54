/**
 * ECMA-376 Part 1, 22.9.2.19: a character that XML cannot contain is written `_xHHHH_`. If a text only looks like that,
 * its underscore is escaped.
 */
const escaped = /_x([0-9A-Fa-f]{4})_/g

/** Decodes the escapes of a workbook's text. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

/** Characters that XML 1.0 cannot contain or would change: control characters, a carriage return, half a character. */
const unwritable = /(?![\t\n])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** Escapes a text so that a workbook keeps every character. */
export function escapeText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(unwritable, (each) => `_x${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}
