import type { Json } from '../api/contract/path.ts'
import { safeJson } from './safe-text.ts'

/** JSON as the service sent it, real values included: scripts need them. */
export function json(value: Json): string {
  return `${safeJson(JSON.stringify(value ?? null, null, 2))}\n`
}

/** JSON on one line, for NDJSON. */
export function line(value: Json): string {
  return `${safeJson(JSON.stringify(value ?? null))}\n`
}
