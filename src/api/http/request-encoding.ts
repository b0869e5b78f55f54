import type { JsonObject } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import type { Operation } from '../contract/operations/operation.ts'

const form = 'application/x-www-form-urlencoded'

/** The media type of a request body. "All request and response bodies are JSON"; OAuth requires a form. */
export function contentTypeOf({ encoding }: Pick<Operation, 'encoding'>): string {
  return encoding === 'form' ? form : 'application/json'
}

/** Encodes a request body. A form contains plain values only. */
export function encodeBody(body: JsonObject, contentType: string | undefined): string {
  if (contentType !== form) return stringifyJson(body)
  const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(fields).toString()
}
