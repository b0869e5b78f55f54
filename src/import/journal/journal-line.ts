import { hash } from 'node:crypto'
import { isObject, type JsonObject } from '../../json/path.ts'

/**
 * A line of a journal: eight digits of a checksum, a space, an object as JSON. The checksum shows whether the whole
 * line was written.
 */
export function encode(object: JsonObject): string {
  const text = JSON.stringify(object)
  return `${checksum(text)} ${text}\n`
}

/** The object in a line (without its line feed); undefined if the line is damaged. */
export function decode(line: Buffer): JsonObject | undefined {
  const text = line.toString('utf8')
  // toString replaces bytes that are not UTF-8.
  if (Buffer.byteLength(text) !== line.byteLength || text[8] !== ' ') return undefined
  const json = text.slice(9)
  if (checksum(json) !== text.slice(0, 8)) return undefined
  const object: unknown = JSON.parse(json)
  return isObject(object) ? object : undefined
}

const checksum = (text: string) => hash('sha256', text).slice(0, 8)
