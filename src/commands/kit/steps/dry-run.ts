import type { CallRequest } from '../../../api/client.ts'
import type { Operation } from '../../../api/contract/operations/operation.ts'
import { warnings } from '../../../api/contract/standards/warnings.ts'
import type { Context } from '../../../context/context.ts'
import { authorizationOf } from '../../../profile/keys/authorization.ts'

/**
 * Prints the request that would be sent, "with the key redacted", and the warnings of the public standards
 * about its values. Sends nothing.
 */
export async function dryRun(context: Context, operation: Operation, request: CallRequest): Promise<void> {
  const [client, profile] = await Promise.all([context.client(), context.profile()])
  const { method, url, headers, body } = client.prepare(operation, request)
  const remarks = operation.requestRecord ? warnings(operation.requestRecord, body, context.today()) : []
  await context.output.value({
    dryRun: true,
    method,
    url,
    headers: { [authorizationOf(profile).header]: '[redacted]', ...headers },
    body: body ?? null,
    warnings: remarks,
  })
}
