import type { Method } from '../../model/operations/operation.ts'

/**
 * The words in which services say yes and no beside the documented `success`. assumed: "Error body shape, error codes …:
 * not shown." Names are compared as `plainName` writes them, so that isSuccess, IsSuccess and is_success are one.
 */

/** Fields that are true when it worked. */
export const successFlags = new Set([
  'success',
  'successful',
  'succeeded',
  'issuccess',
  'issuccessful',
  'issucceeded',
  'wassuccessful',
  'ok',
  'isok',
  'valid',
  'isvalid',
])

/** Fields that are true when it did not. */
export const failureFlags = new Set([
  'failed',
  'failure',
  'hasfailed',
  'isfailed',
  'isfailure',
  'iserror',
  'haserror',
  'haserrors',
  'hasfailures',
])

/**
 * Fields that are true when a write did what its method asks for. They speak of no other method: a record that was saved
 * may be shown with `deleted: false`.
 */
export const doneFlags: Readonly<Partial<Record<Method, ReadonlySet<string>>>> = {
  POST: new Set(['created', 'iscreated', 'wascreated', 'added', 'inserted', 'stored', 'saved', 'issaved']),
  PUT: new Set(['updated', 'isupdated', 'wasupdated', 'changed', 'modified', 'stored', 'saved', 'issaved']),
  DELETE: new Set(['deleted', 'isdeleted', 'wasdeleted', 'removed', 'isremoved', 'wasremoved']),
}

/** Fields that name the result in a word: `status: "error"`, `code: "VALIDATION_ERROR"`. */
export const resultFields = new Set([
  'status',
  'statustext',
  'statuscode',
  'state',
  'result',
  'resultcode',
  'resultstatus',
  'outcome',
  'responsestatus',
  'responsecode',
  'returncode',
  'code',
  'type',
  'kind',
  'severity',
  'level',
  'ack',
])

/** What such a field says when it did not work. */
export const refusalWord = new RegExp(
  `^(${[
    '(.*[ _-])?(errors?|fail|failed|failure|fault|exception|invalid|rejected|refused|denied|declined)',
    '(err|error|invalid|missing|duplicate|not|bad|validation|illegal)[ _-].+',
    '(validation|server|internal|client|input|data)(error|failure|exception)',
    '(bad|invalid)request|unprocessable.*|unauthori[sz]ed|forbidden|conflict|duplicate|notfound',
    'err|ko|nok|nack|no|notok|unsuccessful|aborted',
  ].join('|')})$`,
  'i',
)

/** Fields that an answer has only when something went wrong. */
export const complaintFields = new Set([
  'errorcode',
  'errormessage',
  'errormsg',
  'errordescription',
  'errortype',
  'errordetail',
  'errordetails',
  'errorreason',
  'errorid',
  'fault',
  'faults',
  'faultcode',
  'faultstring',
  'exception',
  'validationerrors',
  'validationmessages',
  'fielderrors',
  'violations',
  'failures',
  'failurereason',
  'rejectionreason',
  'invalidfields',
  'invalidparams',
])

/** Fields with a sentence for a person. A record may have one of the last. */
export const messageFields = {
  always: ['message', 'msg'],
  inErrors: ['detail', 'title', 'reason', 'description'],
}

/** A sentence that says no: `NI number already used`. One that says neither is a doubt. */
export const complaintWord = new RegExp(
  `\\b(${[
    "not|no|cannot|can't|won't|isn't|doesn't|unable|already|exists?|duplicate|must|required?|missing|only",
    'errors?|fail(s|ed|ure)?|invalid|refused?|reject(s|ed)?|denied|declined|forbidden|unauthori[sz]ed|conflict',
    'wrong|incorrect|unknown|unexpected|expired|exceeds?|exceeded|too|bad|illegal|unprocessable|problem',
  ].join('|')})\\b`,
  'i',
)

/** What may be around an answer, or beside it. */
export const envelopeNames = new Set(['data', 'result', 'response', 'payload', 'body', 'meta', 'status'])

/** A name without regard to case, `_` and `-`. */
export const plainName = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
