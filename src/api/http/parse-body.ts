import { parseJson } from '../../json/parse.ts'
import type { Json } from '../../json/path.ts'

/** The body of a response: usable JSON, or text. */
export type Body = { readonly text: string } & (
  | { readonly isJson: true; readonly value: Json }
  | { readonly isJson: false /** It begins as JSON and ends too early. */; readonly isCutOff: boolean }
)

/** Levels of objects and arrays: far more than any record of the service has. */
const deepest = 64

/**
 * Reads a body. JSON must be UTF-8 (RFC 8259, 8.1): otherwise the next update would send back a name with a wrong
 * letter. JSON nested too deeply could not be printed.
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
    const inner = (value as Readonly<Record<string, Json>>)[name]
    // Most values are texts and numbers: a call for each would take longer than to read them.
    if (typeof inner === 'object' && isDeeperThan(levels - 1, inner)) return true
  }
  return false
}

/** Whether JSON failed to parse because the text ends too early. */
function endsEarly(text: string, complaint: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  const at = /at position (\d+)/.exec(complaint)?.[1]
  return /Unexpected end|Unterminated/.test(complaint) || Number(at) >= text.trimEnd().length
}
