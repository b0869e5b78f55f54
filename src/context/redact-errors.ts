import type { CallRequest, Client } from '../api/client.ts'
import { Failure } from '../errors.ts'
import { maskValuesIn } from '../render/text/mask-values.ts'

/**
 * A client whose failures do not repeat sensitive values: a service may quote the value that it refuses, and error
 * messages get into logs.
 */
export function redactErrors(client: Client): Client {
  return {
    ...client,
    call: (operation, request) => client.call(operation, request).catch(rethrowRedacted(request)),
    record: (operation, request) => client.record(operation, request).catch(rethrowRedacted(request)),
  }
}

/** Rethrows the failure with the sensitive values of the request masked in its texts. */
function rethrowRedacted(request: CallRequest | undefined): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure) || !request) throw error
    const masked = maskValuesIn([request.query, request.body])
    const { hint, issues, requestId, ...details } = error.details
    throw new Failure(error.code, masked(error.message), {
      ...details,
      ...(hint !== undefined && { hint: masked(hint) }),
      ...(requestId !== undefined && { requestId: masked(requestId) }),
      ...(issues && {
        issues: issues.map(({ path, message }) => ({ path: masked(path), message: masked(message) })),
      }),
    })
  }
}
