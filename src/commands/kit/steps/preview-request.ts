import type { CallRequest } from '../../../api/client.ts'
import { check } from '../../../api/contract/fields/check.ts'
import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { Context } from '../../../context/context.ts'
import { parseJson } from '../../../json/parse.ts'
import type { JsonObject } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import type { RequestPreview } from '../../../prompts/form/fill-form.ts'
import { assertSendable } from '../input/read-record.ts'

/** What the form would send now. Throws a Failure (exit 3) for what the service would never take. */
export async function previewRequest(
  context: Context,
  operation: Operation,
  { parameters, body }: CallRequest & { readonly body: JsonObject },
): Promise<RequestPreview> {
  const client = await context.client()
  // As JSON will carry it: a field that was emptied is absent.
  const sent = parseJson(stringifyJson(body)) as JsonObject
  if (operation.requestRecord) assertSendable(sent, check(operation.requestRecord, sent))
  const { method, url } = client.prepare(operation, { ...(parameters && { parameters }), body: sent })
  return { method, url, body: sent }
}
