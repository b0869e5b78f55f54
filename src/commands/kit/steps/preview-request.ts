import type { CallRequest } from '../../../api/client.ts'
import { check } from '../../../api/contract/fields/check.ts'
import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { Context } from '../../../context/context.ts'
import { parseJson } from '../../../json/parse.ts'
import type { JsonObject } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import type { RequestPreview } from '../../../prompts/form/show-request.ts'
import { assertSendable } from '../input/read-record.ts'
import { gapsIn } from './ask-about-gaps.ts'

/**
 * What the form would send now, and what it would ask about before. `known`: the record that an update starts from. Throws a
 * Failure (exit 3) for what the service would never take.
 */
export async function previewRequest(
  context: Context,
  operation: Operation,
  { parameters, body }: CallRequest & { readonly body: JsonObject },
  { incomplete = false, known }: { readonly incomplete?: boolean | undefined; readonly known?: JsonObject },
): Promise<RequestPreview> {
  const client = await context.client()
  // As JSON will carry it: a field that was emptied is absent.
  const sent = parseJson(stringifyJson(body)) as JsonObject
  const type = operation.requestRecord
  if (type) assertSendable(sent, check(type, sent))
  const { method, url } = client.prepare(operation, { ...(parameters && { parameters }), body: sent })
  const gaps = type && !incomplete ? gapsIn(type, sent, known) : undefined
  return { method, url, body: sent, ...(gaps && { doubt: gaps.sentence }) }
}
