import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context/context.ts'
import { hasNoValue, type Json, type JsonObject, lastName, valueAt } from '../../files/json/path.ts'
import { anything, text, type ValuesOf } from '../../model/fields/field.ts'
import { leafFields } from '../../model/fields/field-tree.ts'
import { type Difference, isMovedOn } from '../../model/mapping/compare-stored.ts'
import { unreturnedFields } from '../../model/mapping/field-mapping.ts'
import { mapRecord } from '../../model/mapping/map-record.ts'
import { mayHide } from '../../model/mapping/service-masks.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { differenceLines } from '../../render/text/format-change.ts'
import { isSensitive, mask } from '../../render/text/mask.ts'

/** The fields of a change in JSON output. */
export const changeFields = {
  path: text('Path of the field'),
  from: anything('Old value', { help: 'null: none.' }),
  to: anything('New value', { help: 'null: none.' }),
}

export type ChangeAsData = ValuesOf<typeof changeFields>

/** A change in JSON output. Sensitive values are masked in formats for people, such as a table. */
export function changeAsData({ output, reveal }: Context, { path, before, after }: Difference): ChangeAsData {
  const isHidden = output.format.isForPerson && !reveal && isSensitive(lastName(path))
  const shown = (value: Json) =>
    value === undefined ? null : isHidden && value !== null ? mask(value) : value
  return { path, from: shown(before), to: shown(after) }
}

/** Lines that name the fields which came back with another value, and those that the service does not return. */
export function compareWithResponse(
  type: RecordType,
  sent: JsonObject,
  record: JsonObject,
  context: Context,
): string[] {
  if (!type.answer) return []
  const { body: returned } = mapRecord(type, record)
  const hidden = new Set(unreturnedFields(type))
  const differences = leafFields(type.fields)
    .map(({ path }) => {
      const segments = path.split('.')
      return { path, before: valueAt(sent, segments), after: valueAt(returned, segments) }
    })
    .filter(({ before }) => !holdsNothing(before))
  const isUnseen = ({ path, before, after }: (typeof differences)[number]) =>
    hidden.has(path) || mayHide(type, path, after, before)
  const notReturned = differences.filter(isUnseen).map(({ path }) => path)
  const otherwise = differences.filter(
    (each) =>
      !isUnseen(each) &&
      !isDeepStrictEqual(each.before, each.after) &&
      !isMovedOn(type, each.path, each.before, each.after),
  )
  return [
    ...(otherwise.length > 0 ? ['The service stored these fields differently from what was sent:'] : []),
    ...otherwise.flatMap((difference) =>
      differenceLines(difference, context.reveal, labelsFor(context, type)),
    ),
    ...(notReturned.length > 0
      ? [`The service does not show these fields, so they cannot be compared: ${notReturned.join(', ')}.`]
      : []),
  ]
}

/** The type, for the labels of its fields, where a person reads them; undefined for a script, which reads paths. */
export const labelsFor = ({ output }: Context, type: RecordType): RecordType | undefined =>
  output.format.isForPerson ? type : undefined

/** Whether a value is empty, as an object is that holds only empty values. */
function holdsNothing(value: Json): boolean {
  if (hasNoValue(value)) return true
  return typeof value === 'object' && Object.values(value).every(holdsNothing)
}
