import { parseJson } from '../../json/parse.ts'
import type { Json } from '../../json/path.ts'

/** The body of an answer: JSON that can be used and printed, or a text. */
export type Body = { readonly text: string } & (
  | { readonly isJson: true; readonly value: Json }
  | { readonly isJson: false /** It began as JSON and was lost on the way. */; readonly isCutOff: boolean }
)

/** Levels of objects and arrays: far more than any record of the service has. */
const deepest = 64

/**
 * Reads a body. JSON is UTF-8 (RFC 8259, 8.1): a name in which a byte was replaced would be shown, and sent back
 * with the next update. What is nested without end could not be printed.
 */
export function readBody(bytes: Uint8Array): Body {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { text: new TextDecoder().decode(bytes), isJson: false, isCutOff: false }
  }
  try {
    const value: Json = parseJson(text)
    if (isDeeperThan(deepest, value)) return { text, isJson: false, isCutOff: false }
    return { text, isJson: true, value }
  } catch (error) {
    return { text, isJson: false, isCutOff: endsEarly(text, String(error)) }
  }
}

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const name in value) {
    if (isDeeperThan(levels - 1, (value as Readonly<Record<string, Json>>)[name])) return true
  }
  return false
}

/** Whether what is wrong with a text is that it ends. */
function endsEarly(text: string, complaint: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  const at = /at position (\d+)/.exec(complaint)?.[1]
  return /Unexpected end|Unterminated/.test(complaint) || Number(at) >= text.trimEnd().length
}
