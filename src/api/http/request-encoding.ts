import type { JsonObject } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import type { Operation } from '../contract/operations/operation.ts'

const form = 'application/x-www-form-urlencoded'

/** The media type of what an operation sends. "All request and response bodies are JSON"; OAuth asks for a form. */
export function contentTypeOf({ encoding }: Pick<Operation, 'encoding'>): string {
  return encoding === 'form' ? form : 'application/json'
}

/** A body as it goes over the wire. A form holds plain values only. */
export function encodeBody(body: JsonObject, contentType: string | undefined): string {
  if (contentType !== form) return stringifyJson(body)
  const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(fields).toString()
}
