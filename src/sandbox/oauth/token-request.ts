import type { JsonObject } from '../http/json.ts'
import { mediaType, readBody, readBytes } from '../http/read-body.ts'
import { tokenRefusal } from './oauth-tokens.ts'

const mostBytes = 64 * 1024

/**
 * Reads the parameters of a token request: a form as in RFC 6749, or JSON like the rest of the service. Throws a
 * refusal.
 */
export async function readTokenRequest(request: Request): Promise<JsonObject> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return readBody(request, undefined)
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, mostBytes)))
  // "Request and response parameters MUST NOT be included more than once" (RFC 6749 section 3.2).
  const names = [...form.keys()]
  if (new Set(names).size < names.length) throw tokenRefusal('invalid_request', 'A parameter appears twice')
  return Object.fromEntries(form)
}
