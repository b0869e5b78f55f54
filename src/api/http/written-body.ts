import type { JsonObject } from '../../files/json/path.ts'

/** A record as JSON, sent as it stands: reading and writing it again takes a seventh of an import's time. */
export class WrittenBody {
  readonly bytes: Uint8Array
  readonly read: () => JsonObject

  constructor(bytes: Uint8Array, read: () => JsonObject) {
    this.bytes = bytes
    this.read = read
  }
}

/** The record that is sent. */
export function recordIn(body: JsonObject | WrittenBody): JsonObject
/** The record that is sent. */
export function recordIn(body: JsonObject | WrittenBody | undefined): JsonObject | undefined
/** The record that is sent. */
export function recordIn(body: JsonObject | WrittenBody | undefined): JsonObject | undefined {
  return body instanceof WrittenBody ? body.read() : body
}
