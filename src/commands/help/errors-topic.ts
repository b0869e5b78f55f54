import type { ErrorObject } from '../../render/failure-text.ts'
import type { Content } from './layout.ts'

/** What each member of an error means: one entry for each, which the compiler asks for. */
const meanings: Readonly<Record<keyof ErrorObject, string>> = {
  code: 'the kind of error, in a word: usage, input, auth, not-found, refused, temporary, unknown, partial, …',
  message: 'what happened, and whether anything was sent or applied',
  exitCode: 'the exit code: payroll help exit-codes',
  outcome:
    'what became of the write: not-sent, refused, applied, unknown; null where it does not apply or is not known',
  retryable: 'whether the same command can succeed later, and repeats no write',
  status: 'the HTTP status of the service, or null',
  method: 'the HTTP method of the request that failed, or null',
  path: 'its path, or null',
  requestId: 'the id that the service gave the request, for the people who run it; only where it gave one',
  issues: 'what is wrong field by field, as {path, message}: the first hundred; [] where no field is named',
  issueCount: 'how many issues there are; only where issues does not have them all',
  hint: 'what to do next, in words, or null',
  next: 'the commands in the hint that run as they stand, quoted for a shell; [] where there is none',
}

/** The members of the error object, and what they mean. */
export const errorFields: readonly (readonly [name: string, meaning: string])[] = Object.entries(meanings)

/** `help errors`. */
export const errors: Content = () => [
  'An error is two to four lines on standard error; or one JSON object on its last line, {"error": {…}}, with --errors json or PAYROLL_ERRORS=json, whatever the output is. It is JSON too where -o, --json or PAYROLL_OUTPUT asks for json or ndjson; --errors text turns that off. Of .error:',
  errorFields,
  'A script reads .error.outcome before it sends anything again: unknown means that the write may have been applied.',
]
