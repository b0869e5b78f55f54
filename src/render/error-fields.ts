import { exitCodes, type FailureCode, outcomes } from '../errors.ts'
import { array, choice, flag, integer, object, text, type ValuesOf } from '../model/fields/field.ts'

const failureCodes = Object.keys(exitCodes).filter((code) => code !== 'done') as FailureCode[]

/** An error as JSON: the help, the reference and the JSON Schema of `commands --json` say this of its members. */
export const errorFields = {
  code: choice('', [...failureCodes, 'interrupted'], {
    help: 'the kind of error, in a word: usage, input, auth, not-found, refused, temporary, unknown, partial, …',
  }),
  message: text('', { help: 'what happened, and whether anything was sent or applied' }),
  exitCode: integer('', { help: 'the exit code: payroll help exit-codes' }),
  outcome: choice('', outcomes, {
    nullable: true,
    help: `what became of the write: ${outcomes.join(', ')}; null for a read that was sent, and where it is not known`,
  }),
  retryable: flag('', { help: 'whether the same command can succeed later, and repeats no write' }),
  status: integer('', { nullable: true, help: 'the HTTP status of the service, or null' }),
  method: text('', { nullable: true, help: 'the HTTP method of the request that failed, or null' }),
  path: text('', { nullable: true, help: 'its path, or null' }),
  requestId: text('', {
    optional: true,
    help: 'the id that the service gave the request, for the people who run it; only where it gave one',
  }),
  issues: array('', object('', { path: text('Path of the field'), message: text('What is wrong') }), {
    help: 'what is wrong field by field, as {path, message}: the first hundred; [] where no field is named',
  }),
  issueCount: integer('', {
    optional: true,
    help: 'how many issues there are; only where issues does not have them all',
  }),
  hint: text('', { nullable: true, help: 'what to do next, in words, or null' }),
  next: array('', text(''), {
    help: 'the commands in the hint that run as they stand, quoted for a shell; [] where there is none',
  }),
}

/** An error as JSON. */
export type ErrorObject = ValuesOf<typeof errorFields>
