import type { CallRequest } from '../api/client.ts'
import { Failure } from '../errors.ts'
import { maskValuesIn } from '../render/text/mask.ts'

/** A failure with the sensitive values of its request masked in its texts; any other error as it is. */
export function redactFailure(error: unknown, { query, body }: CallRequest): unknown {
  if (!(error instanceof Failure)) return error
  const masked = maskValuesIn([query, body])
  const { hint, issues, requestId } = error.details
  return error.with({
    message: masked(error.message),
    hint: hint && masked(hint),
    requestId: requestId && masked(requestId),
    issues: issues?.map(({ path, message }) => ({ path: masked(path), message: masked(message) })),
  })
}
