import type { Context } from '../../context/context.ts'
import { anything, text, type ValuesOf } from '../../model/fields/field.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { Difference, StoredValues } from '../../model/values/compare-stored.ts'
import { differenceLines } from '../../render/text/format-change.ts'

/** The fields of a change in JSON output. */
export const changeFields = {
  path: text('Path of the field'),
  from: anything('Old value', { help: 'null: none.' }),
  to: anything('New value', { help: 'null: none.' }),
}

export type ChangeAsData = ValuesOf<typeof changeFields>

/** A change in JSON output. */
export const changeAsData = ({ path, before, after }: Difference): ChangeAsData => ({
  path,
  from: before ?? null,
  to: after ?? null,
})

/** The fields that are stored otherwise than they were sent: each list begins with a sentence about it. */
export function storedOtherwise(
  context: Context,
  type: RecordType,
  { old, other, unrequested }: StoredValues,
): readonly (readonly [heading: string, ...lines: string[]])[] {
  const lists = [
    ['the service stored these fields differently from what was sent:', [...old, ...other]],
    ['the service changed these fields although you did not ask for it:', unrequested],
  ] as const
  return lists.flatMap(([heading, differences]) => {
    const lines = differences.flatMap((each) =>
      differenceLines(each, context.reveal, labelsFor(context, type)),
    )
    return lines.length > 0 ? [[heading, ...lines] as const] : []
  })
}

/** Names the fields that cannot be compared; undefined where the service shows all. */
export const notCompared = ({ notReturned }: StoredValues): string | undefined =>
  notReturned.length > 0
    ? `The service does not show these fields, so they cannot be compared: ${notReturned.join(', ')}.`
    : undefined

/** The type, for the labels of its fields, where a person reads them; undefined for a script, which reads paths. */
export const labelsFor = ({ output }: Context, type: RecordType): RecordType | undefined =>
  output.format.isForPerson ? type : undefined
