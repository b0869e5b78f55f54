import { candidate, candidateIreland } from './candidate/candidate.ts'
import { candidateAnswer, candidateIrelandAnswer } from './candidate/candidate-answer.ts'
import type { FieldType } from './field.ts'
import { isObject, type Json, type JsonObject, withValueAt } from './path.ts'
import { paymentRate, paymentRateAnswer } from './payment-rate.ts'
import type { RecordType } from './record.ts'
import { fieldAt, leaves } from './walk.ts'

/** How a record that is sent and the same record as it is answered correspond. Read in both directions. */
export interface Correspondence {
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

const correspondences: readonly Correspondence[] = [
  { request: candidate, answer: candidateAnswer, names: candidateNames },
  { request: candidateIreland, answer: candidateIrelandAnswer, names: candidateNames },
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
export function correspondenceOf(request: RecordType | undefined): Correspondence | undefined {
  return correspondences.find((correspondence) => correspondence.request === request)
}

/** Where the field at a path of the request stands in the answer. */
export function answerPath({ names }: Correspondence, path: string): string {
  for (const [request, answer] of names) {
    const renamed = rename(path, request, answer)
    if (renamed !== undefined) return renamed
  }
  return path
}

/** Where the field at a path of the answer stands in the request. */
export function requestPath({ names }: Correspondence, path: string): string {
  for (const [request, answer] of names) {
    const renamed = rename(path, answer, request)
    if (renamed !== undefined) return renamed
  }
  return path
}

function rename(path: string, from: string, to: string): string | undefined {
  const rest =
    from === ''
      ? path
      : path === from
        ? ''
        : path.startsWith(`${from}.`)
          ? path.slice(from.length + 1)
          : undefined
  return rest === undefined ? undefined : [to, rest].filter(Boolean).join('.')
}

/** The fields that are sent and that no answer returns: an update cannot keep what it cannot read. */
export function notReturned(correspondence: Correspondence): string[] {
  return leaves(correspondence.request.fields)
    .map(({ path }) => path)
    .filter((path) => !fieldAt(correspondence.answer.fields, answerPath(correspondence, path)))
}

/**
 * Answered values in the form in which they are sent, by the type in the request and the type in the answer. A
 * value that already has the request's form stays as it is.
 */
const intoRequest: Partial<Record<`${FieldType} from ${FieldType}`, (value: Json) => Json>> = {
  'timestamp from date': (value) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${value}T00:00:00.000Z` : value,
  // assumed: a flag that is sent as text is sent as the text of its JSON value.
  'string from boolean': (value) => (typeof value === 'boolean' ? String(value) : value),
  'number from string': (value) =>
    typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value,
  'string from object': (value) => (isObject(value) ? value.id : value),
}

/**
 * The body that would create this record again, from how the service answered it: names mapped back, values
 * converted, what the service alone sets (id, status, …) left out, fields nobody declared kept in their place.
 */
export function requestFrom(correspondence: Correspondence, answer: JsonObject): JsonObject {
  const { request, answer: answered } = correspondence
  // A service that answers in the request's own form has nothing to map.
  const sameForm = Object.keys(request.fields).some(
    (name) => name in answer && !fieldAt(answered.fields, name) && isObject(answer[name]),
  )
  let body: Json = {}
  for (const { path, value } of values(answer)) {
    const joined = path.join('.')
    const target = sameForm ? joined : requestPath(correspondence, joined)
    const [declared, received] = [fieldAt(request.fields, target), fieldAt(answered.fields, joined)]
    if (received && !declared) continue
    if (value === null && declared && !declared.nullable) continue
    const convert = declared && received && intoRequest[`${declared.type} from ${received.type}`]
    body = withValueAt(body, target.split('.'), convert ? convert(value) : value)
  }
  return body as JsonObject

  /** The values of the answer as far down as they correspond: what the request declares no fields of is one. */
  function values(object: JsonObject, above: readonly string[] = []): { path: string[]; value: Json }[] {
    return Object.entries(object).flatMap(([name, value]) => {
      const path = [...above, name]
      const declared = fieldAt(
        request.fields,
        sameForm ? path.join('.') : requestPath(correspondence, path.join('.')),
      )
      return isObject(value) && declared?.fields && Object.keys(value).length > 0
        ? values(value, path)
        : [{ path, value }]
    })
  }
}
