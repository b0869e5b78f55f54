import leven from 'leven'
import type { Issue } from '../../errors.ts'
import { candidate, candidateIreland } from './candidate/candidate.ts'
import type { Fields } from './field.ts'
import { formatPath, isObject, type Json } from './path.ts'
import type { RecordType } from './record.ts'
import { requestSchema } from './schema.ts'
import { fieldAt, leaves } from './walk.ts'

/** Everything in a body that the document rules out, with the path of each field. Empty when it may be sent. */
export function check(type: RecordType, body: Json): Issue[] {
  if (!isObject(body))
    return [{ path: '', message: `expected ${type.noun}: one JSON object, not ${kindOf(body)}` }]
  // Of a record that is not shown nothing can be ruled out.
  if (!type.shown) return []
  const result = requestSchema(type).safeParse(body)
  if (result.success) return []
  return result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownField(type, [...issue.path, key]))
      : [{ path: formatPath(issue.path), message: issue.message }],
  )
}

/** An issue for a name that the record has not, with the name that was probably meant. */
export function unknownField(type: RecordType, segments: readonly PropertyKey[]): Issue {
  const path = formatPath(segments)
  const name = String(segments.at(-1))
  const meant = elsewhere(type.fields, name) ?? nearest(siblings(type.fields, segments), name)
  if (meant) return { path, message: `not a field of ${type.noun}; did you mean ${meant}?` }
  const other = type === candidate ? candidateIreland : candidate
  return other !== type && fieldAt(other.fields, path)
    ? { path, message: `not a field of ${type.noun}, only of ${other.noun}` }
    : { path, message: `not a field of ${type.noun}` }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value === null ? 'null' : `a ${typeof value}`
}

/** The path of the field with just this name in another place. */
function elsewhere(fields: Fields, name: string): string | undefined {
  return leaves(fields).find(({ path }) => path.split('.').at(-1) === name)?.path
}

function siblings(fields: Fields, segments: readonly PropertyKey[]): string[] {
  const parent = segments.slice(0, -1)
  const here = parent.length === 0 ? fields : fieldAt(fields, formatPath(parent))?.fields
  return Object.keys(here ?? {})
}

function nearest(names: readonly string[], name: string): string | undefined {
  const distance = (other: string) => leven(other.toLowerCase(), name.toLowerCase())
  const [best] = names.map((other) => [distance(other), other] as const).sort(([a], [b]) => a - b)
  return best && best[0] <= Math.max(1, name.length / 4) ? best[1] : undefined
}
