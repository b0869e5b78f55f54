import { variantCandidates } from '../candidate/variant-candidates.ts'
import type { Fields } from '../fields/field.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import { paymentRate, paymentRateAnswer } from '../records/payment-rate.ts'
import type { FieldPaths, RecordType } from '../records/record-type.ts'

/** How the fields of a request and of its answer correspond. Works in both directions. */
export interface FieldMapping {
  readonly request: RecordType
  readonly answer: RecordType
  /** Sections with two names, the request's first; the first match counts. An empty name is the top level. */
  readonly names: readonly (readonly [request: string, answer: string])[]
}

/** "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`." */
const candidateNames = [
  ['generalSetting.pensionSetting', 'pensionSetting'],
  ['bankSetting', 'bank'],
  ['payrollSetting', 'setting'],
  ['generalSetting', ''],
] as const

const mappings: readonly FieldMapping[] = [
  ...variantCandidates.map(({ sent, answered }) => ({
    request: sent,
    answer: answered,
    names: candidateNames,
  })),
  {
    request: paymentRate,
    answer: paymentRateAnswer,
    names: [
      ['includeInPayeCalculation', 'includeInPayeUmbrellaCalculation'],
      ['', ''],
    ],
  },
]

/** The mapping of a request record; undefined if the document describes no answer. */
export function mappingOf(request: RecordType | undefined): FieldMapping | undefined {
  return mappings.find((correspondence) => correspondence.request === request)
}

/** The same by the fields of either form. */
export function mappingOfFields(fields: Fields): FieldMapping | undefined {
  return mappings.find(({ request, answer }) => request.fields === fields || answer.fields === fields)
}

/** The field that the sender knows a record by, of a record that is answered. */
export function referenceOf(answered: RecordType): FieldPaths | undefined {
  return (mappings.find(({ answer }) => answer === answered)?.request ?? answered).reference
}

/** The path in the answer, for a path in the request. */
export function answerPath(correspondence: FieldMapping, path: string): string {
  return answerPlace(correspondence, path.split('.')).join('.')
}

/** The place in the answer, for a place in the request. */
export function answerPlace({ names }: FieldMapping, place: readonly string[]): readonly string[] {
  for (const [request, answer] of names) {
    const renamed = rename(place, request, answer)
    if (renamed) return renamed
  }
  return place
}

/** The path in the request, for a path in the answer. */
export function requestPath(correspondence: FieldMapping, path: string): string {
  return requestPlace(correspondence, path.split('.')).join('.')
}

/** The place in the request, for a place in the answer. An answer may also use the request's names. */
export function requestPlace({ names }: FieldMapping, place: readonly string[]): readonly string[] {
  for (const [request, answer] of names) {
    if (request !== '' && rename(place, request, request)) return place
    const renamed = rename(place, answer, request)
    if (renamed) return renamed
  }
  return place
}

function rename(place: readonly string[], from: string, to: string): readonly string[] | undefined {
  const old = segments(from)
  return old.every((name, at) => place[at] === name)
    ? [...segments(to), ...place.slice(old.length)]
    : undefined
}

const segments = (name: string) => name.split('.').filter(Boolean)

/** The request fields that no answer returns: an update cannot keep what it cannot read. */
export function unreturnedFields(correspondence: FieldMapping): string[] {
  return leafFields(correspondence.request.fields)
    .map(({ path }) => path)
    .filter((path) => !fieldAt(correspondence.answer.fields, answerPath(correspondence, path)))
}
