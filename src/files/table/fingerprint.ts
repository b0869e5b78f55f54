import { createHmac, hash } from 'node:crypto'
import type { JsonObject } from '../json/path.ts'
import { canonicalJson } from '../json/stringify.ts'

/** A fingerprint of a row, whatever the order of its fields. It reveals nothing without the salt. */
export function saltedDigest(record: JsonObject, salt: string): string {
  return createHmac('sha256', salt).update(canonicalJson(record)).digest('hex').slice(0, 32)
}

/** Tells whether a row of the file has changed since it was checked. Has no salt, so it must never be stored. */
export function rowDigest(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 16)
}
