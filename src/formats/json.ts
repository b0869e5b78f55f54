import type { Json } from '../api/contract/path.ts'

/** Where a text stops being JSON. Never a piece of the text itself: it holds a person's data. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** Far deeper than any record, and far from what could exhaust the stack. */
const deepest = 64

/**
 * The value of a JSON text, in strict UTF-8 with or without a byte-order mark, nested at most 64 levels deep.
 * Throws NotJson.
 */
export function readJson(bytes: Uint8Array): Json {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotJson('it is not UTF-8 text')
  }
  if (text.trim() === '') throw new NotJson('it is empty')
  const value = parse(text)
  const flaw = flawOf(value)
  if (flaw) throw new NotJson(flaw)
  return value
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /at position (\d+)/.exec(String(error))?.[1]
    throw new NotJson(at === undefined ? 'it is not JSON' : `it is not JSON ${place(text, Number(at))}`)
  }
}

/** What makes a value unfit to be copied and written again; undefined for a sound one. */
export function flawOf(value: Json, level = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (level === deepest) return `it is nested deeper than ${deepest} levels`
  if (Object.hasOwn(value, '__proto__')) return 'it has a field __proto__, as no record has'
  for (const inner of Object.values(value)) {
    const flaw = flawOf(inner, level + 1)
    if (flaw) return flaw
  }
  return undefined
}

function place(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
