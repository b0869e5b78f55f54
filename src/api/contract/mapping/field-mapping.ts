import { variantCandidates } from '../candidate/variant-candidates.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import { paymentRate, paymentRateAnswer } from '../records/payment-rate.ts'
import type { RecordType } from '../records/record-type.ts'

/** How a record that is sent and the same record as it is answered correspond. Read in both directions. */
export interface FieldMapping {
  readonly request: RecordType
  readonly answer: RecordType
  /** Places with two names, the request's first; the first that fits counts. An empty name is the top. */
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

/** The correspondence of a record that is sent; undefined where no answer is described. */
export function mappingOf(request: RecordType | undefined): FieldMapping | undefined {
  return mappings.find((correspondence) => correspondence.request === request)
}

/** Where the field at a path of the request stands in the answer. */
export function answerPath(correspondence: FieldMapping, path: string): string {
  return answerPlace(correspondence, path.split('.')).join('.')
}

/** Where the value at a place of the request stands in the answer. */
export function answerPlace({ names }: FieldMapping, place: readonly string[]): readonly string[] {
  for (const [request, answer] of names) {
    const renamed = rename(place, request, answer)
    if (renamed) return renamed
  }
  return place
}

/** Where the field at a path of the answer stands in the request. */
export function requestPath(correspondence: FieldMapping, path: string): string {
  return requestPlace(correspondence, path.split('.')).join('.')
}

/** Where the value at a place of an answer stands in the request: an answer may use the request's names too. */
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

/** The fields that are sent and that no answer returns: an update cannot keep what it cannot read. */
export function unreturnedFields(correspondence: FieldMapping): string[] {
  return leafFields(correspondence.request.fields)
    .map(({ path }) => path)
    .filter((path) => !fieldAt(correspondence.answer.fields, answerPath(correspondence, path)))
}
