import type { Json } from '../api/contract/path.ts'

/** Where a text stops being JSON. Never a piece of the text itself: it holds a person's data. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** The value of a JSON text, in strict UTF-8 with or without a byte-order mark. Throws NotJson. */
export function readJson(bytes: Uint8Array): Json {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotJson('it is not UTF-8 text')
  }
  if (text.trim() === '') throw new NotJson('it is empty')
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /at position (\d+)/.exec(String(error))?.[1]
    throw new NotJson(at === undefined ? 'it is not JSON' : `it is not JSON ${place(text, Number(at))}`)
  }
}

function place(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
