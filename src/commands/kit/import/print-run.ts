import { isTerminal } from '../../../context/choose-format.ts'
import type { Context } from '../../../context/context.ts'
import type { State } from '../../../import/entry.ts'
import type { ImportJob } from '../../../import/job.ts'
import { countsOf, type Plan } from '../../../import/plan.ts'
import type { RunResult } from '../../../import/report.ts'
import { rowFates, summaryLine } from '../../../import/row-fates.ts'
import type { Watcher } from '../../../import/running.ts'
import { keyInWords } from '../../../model/natural-key.ts'
import { foldMessage } from '../../../render/text/fold-message.ts'
import { formatDuration } from '../../../text/duration.ts'
import { nameSome } from '../../../text/words.ts'
import { startLine } from '../show-progress.ts'

/** Prints the summary, as a line or as JSON, and the records that the service stores differently. */
export async function printSummary(
  context: Context,
  { service }: ImportJob,
  { summary, counts, entries }: RunResult,
): Promise<void> {
  const { stdout } = context.host
  const said = summaryLine(summary, counts, service.kind.noun)
  const line = foldMessage(said, isTerminal(stdout) ? stdout.columns : undefined)
  await context.output.value({ ...summary }, `${line}\n`)
  const otherwise = [...entries.values()].flatMap(({ reference, storedOtherwise: fields = [] }) =>
    fields.length > 0 ? [`${fields.join(', ')} of ${keyInWords(reference)}`] : [],
  )
  if (otherwise.length > 0)
    context.warn(`the service stored otherwise than was sent: ${nameSome(otherwise, 10)}.`)
}

/** Shows an import's progress on a terminal; elsewhere nothing. */
export async function showSending(
  context: Context,
  plan: Plan,
): Promise<Watcher & { readonly end: () => void }> {
  const { draws } = context
  const line = await startLine(context, { draws })
  const { create, change, unknown } = countsOf(plan).records
  const total = create + change + unknown
  const counts: Partial<Record<State, number>> = {}
  const show = (doing?: string) =>
    line.show((ms) =>
      doing === undefined
        ? progressText(counts, total, ms)
        : `${progressText(counts, total, undefined)} (${doing})`,
    )
  show()
  return {
    onMove({ state }, from) {
      counts[from] = (counts[from] ?? 0) - 1
      counts[state] = (counts[state] ?? 0) + 1
      show()
    },
    onDoing: show,
    end: line.end,
  }
}

/** `120 of 400 sent, 35 a second, 8 seconds left; 2 refused, 1 being checked` */
function progressText(
  { done: sent = 0, refused = 0, unclear = 0, equal = 0, held = 0 }: Partial<Record<State, number>>,
  total: number,
  ms: number | undefined,
): string {
  const done = sent + refused + equal + held
  const rate = ms === undefined ? 0 : done / (ms / 1000)
  // The speed of a slow import is said by the minute.
  const speed = rate >= 1 ? `${Math.round(rate)} a second` : `${Math.round(rate * 60)} a minute`
  const left = rate > 0 ? `, ${speed}, ${formatDuration(((total - done) / rate) * 1000)} left` : ''
  const rest = [
    [refused, 'refused'],
    [held, rowFates.held.end],
    [unclear, 'being checked'],
  ].flatMap(([count, says]) => (Number(count) > 0 ? [`${count} ${says}`] : []))
  return `${done} of ${total} sent${left}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`
}
