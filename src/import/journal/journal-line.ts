import { hash } from 'node:crypto'
import { isObject, type JsonObject } from '../../json/path.ts'

/**
 * A line of a journal: eight digits of a checksum, a space, an object as JSON. The checksum is what tells a line
 * that was written whole from one that was not.
 */
export function encode(object: JsonObject): string {
  const text = JSON.stringify(object)
  return `${sum(text)} ${text}\n`
}

/** The object of a line, without its line feed; undefined when it is not as it was written. */
export function decode(line: Buffer): JsonObject | undefined {
  const text = line.toString('utf8')
  // Bytes that are no UTF-8 would be read as others.
  if (Buffer.byteLength(text) !== line.byteLength || text[8] !== ' ') return undefined
  const json = text.slice(9)
  if (sum(json) !== text.slice(0, 8)) return undefined
  const object: unknown = JSON.parse(json)
  return isObject(object) ? object : undefined
}

const sum = (text: string) => hash('sha256', text).slice(0, 8)
