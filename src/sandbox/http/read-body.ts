import type { RecordType } from '../../api/contract/records/record-type.ts'
import { wrongTypes } from './field-types.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { refusal } from './refusal.ts'

/** assumed: "request size limits: not shown". */
const mostBytes = 1024 * 1024
const deepest = 64

/**
 * Reads the body of a create or an update: a JSON object. Checks the types of its fields if the document shows them.
 * Throws a refusal: 415, 413 or 400.
 */
export async function readBody(
  request: Request,
  type: RecordType | undefined,
  most = mostBytes,
): Promise<JsonObject> {
  // "All request and response bodies are JSON (`Content-Type: application/json`)." This also keeps out forms of web
  // pages, which cannot send this type.
  if (mediaType(request) !== 'application/json') {
    throw refusal(415, 'The Content-Type must be application/json')
  }
  const body = parse(await readBytes(request, most))
  if (!isObject(body)) throw refusal(400, 'The body must be a JSON object')
  if (isDeeperThan(body, deepest)) throw refusal(400, `The body is nested deeper than ${deepest} levels`)
  const wrong = type?.documented ? wrongTypes(body, type.fields) : []
  if (wrong.length > 0) throw refusal(400, 'Some fields have a wrong type', wrong)
  return body
}

/** The media type of a body in lower case, without parameters. */
export function mediaType(request: Request): string | undefined {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
}

/** Reads a body, and stops once it is too large. Throws a refusal: 413. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const tooLarge = () => refusal(413, `The body is larger than ${most} bytes`)
  if (Number(request.headers.get('Content-Length')) > most) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refusal(400, 'The body is not JSON in UTF-8')
  }
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
