import { Failure, systemCode } from '../../errors.ts'
import type { RejectsWriter, RowSource } from '../reading/open-source.ts'
import type { Stop } from '../rows/ledger.ts'
import type { FilePlan } from '../rows/plan.ts'

/**
 * Adds the rows that could not be sent to the rejects, once all others are done. Reads the file again for them: they
 * are not held in memory. The reason to stop if it was changed meanwhile.
 */
export async function rejectHeldBack(
  source: RowSource,
  { heldBack }: Pick<FilePlan, 'heldBack'>,
  rejects: RejectsWriter,
): Promise<Stop | undefined> {
  if (heldBack.size === 0) return undefined
  try {
    for await (const row of source.rows()) {
      const issues = heldBack.get(row.row)
      if (issues) await rejects.add(row, issues, 'not sent')
    }
    return undefined
  } catch (error) {
    if (error instanceof Failure) return { why: 'failed', failure: error }
    return { why: systemCode(error) ? 'disk' : 'bug' }
  }
}

/** Adds all rows, those that could not be sent with the reason: a copy of the file to put right. */
export async function markHeldBack(
  source: RowSource,
  { heldBack }: Pick<FilePlan, 'heldBack'>,
  copy: RejectsWriter,
): Promise<void> {
  for await (const row of source.rows()) {
    const issues = heldBack.get(row.row)
    await copy.add(row, issues ?? [], issues ? 'not sent' : '')
  }
}
