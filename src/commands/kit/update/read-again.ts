import { type Difference, differences } from '../../../api/contract/mapping/differences.ts'
import { declaredAt } from '../../../api/contract/mapping/value-place.ts'
import { Failure } from '../../../errors.ts'
import { arrow } from '../steps/compare-with-response.ts'
import type { UpdatePlan } from './update-plan.ts'
import { readWhole, type WholeRecord } from './whole-record.ts'

/**
 * Reads the record again just before it is sent: the update sends the whole record, and would undo what another person
 * changed since. Throws a Failure (exit 6) with the difference; nothing is sent. A field that the document does not have, such
 * as the time of the last visit, may change by itself: `moved` tells it, and it is sent as it is now.
 */
export async function readUnchanged(
  plan: UpdatePlan,
  seen: WholeRecord,
): Promise<WholeRecord & { readonly moved: readonly Difference[] }> {
  const { context, id, type } = plan
  const now = await readWhole(plan)
  const all = differences(seen.body, now.body)
  const mayMove = ({ path }: Difference) => type.documented && !declaredAt(type.fields, path.split('.'))
  const moved = all.filter((each) => !mayMove(each))
  if (moved.length === 0) return { ...now, moved: all }
  throw new Failure(
    'refused',
    `Somebody changed ${id} after it was read, and the update would undo that. Nothing was sent.`,
    {
      outcome: 'not-sent',
      issues: moved.map((each) => ({
        path: each.path,
        message: arrow(each, context.options.reveal ?? false),
      })),
      hint: await startAgain(plan),
    },
  )
}

/** What to do when the record has changed meanwhile. */
export async function startAgain({ look }: UpdatePlan): Promise<string> {
  return `Look at the record as it is now, then run the update again: ${await look()}`
}
