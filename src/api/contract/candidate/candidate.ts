import type { RecordType } from '../records/record-type.ts'

/** "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`." */
export const sectionNames = [
  ['generalSetting.pensionSetting', 'pensionSetting'],
  ['bankSetting', 'bank'],
  ['payrollSetting', 'setting'],
  ['generalSetting', ''],
] as const

/** "documents attached to an employee profile": a candidate is an employee there. */
export const candidateIdNames = ['candidateId', 'employeeId', 'workerId', 'personId'] as const

/** What the candidates of all countries have in common, besides fields. */
export const anyCandidate = {
  documented: true,
  /** "string agencyRef": chosen by the sender. General fields are at the top of the response. */
  reference: { request: 'generalSetting.agencyRef', item: 'agencyRef' },
  /** A person without a name cannot be found again, nor be paid. */
  needs: ['generalSetting.forename', 'generalSetting.surname'],
  /** "string id …, … status", "nullable dateLeft, reason". assumed: `author`, as in a payment rate. */
  serviceOwned: ['status', 'dateLeft', 'reason', 'author'],
  idNames: candidateIdNames,
} as const satisfies Partial<RecordType>
