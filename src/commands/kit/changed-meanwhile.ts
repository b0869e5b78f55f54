import { differences } from '../../api/contract/differences.ts'
import { Failure } from '../../errors.ts'
import { arrow } from './compared.ts'
import type { UpdatePlan } from './update-plan.ts'
import { readWhole, type WholeRecord } from './whole-record.ts'

/**
 * Reads the record again just before it is sent: sent whole as it was seen, it would undo what somebody else changed
 * since. Throws a Failure (exit 6) with the difference; nothing is sent.
 */
export async function readUnchanged(plan: UpdatePlan, seen: WholeRecord): Promise<WholeRecord> {
  const { context, id } = plan
  const now = await readWhole(plan)
  const moved = differences(seen.body, now.body)
  if (moved.length === 0) return now
  throw new Failure(
    'refused',
    `Somebody changed ${id} after it was read: the update would undo that. Nothing was sent.`,
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

/** What to do when the record is another one by now. */
export async function startAgain({ look }: UpdatePlan): Promise<string> {
  return `Look at the record as it is now, then run the update again: ${await look()}`
}
