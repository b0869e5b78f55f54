import { othersBehind } from '../claims/await-others.ts'
import { type Sighting, sightingLine } from '../journal/shown-line.ts'
import { resolveUnknownRows, rowsInDoubt } from '../resolve/resolve-unknown.ts'
import type { Entry, Ledger, Stop } from '../rows/ledger.ts'
import { isReady } from '../rows/plan.ts'
import type { Row } from '../rows/row.ts'
import { sendFile } from '../send/send-file.ts'
import { sendAll, type Task } from '../send/send-rows.ts'
import type { RunningImport } from './running-import.ts'
import { mayReadAfter } from './verify-rows.ts'

/** Sends the rows that are ready, and finds out what became of those whose answer was lost. */
export async function sendReadyRows(run: RunningImport, ready: number): Promise<Stop | undefined> {
  const { job, plan, sender, journal, evidence } = run
  const { service, settleMs, clock, signal, shared } = job
  const onWait = (ms: number) => run.onEvent({ type: 'settling', ms })
  const prober = {
    service,
    settleMs,
    clock,
    signal,
    onShown: (shown: Sighting) => journal.append(sightingLine(shown)),
    onWait,
  }
  const stop = await resolveUnknown(run, await sendFile(sender, job, { ...plan, ready }, prober, evidence))
  return (await othersBehind(shared, stop?.failure)) ?? stop
}

/** Looks for the rows in doubt, sends those that are certainly missing once more, and looks again. */
async function resolveUnknown(run: RunningImport, sent: Stop | undefined): Promise<Stop | undefined> {
  const { job, plan, ledger, sender, evidence, settleMs, onEvent } = run
  const { service, clock, signal } = job
  const { doubtful } = plan.file
  const onWait = (ms: number) => onEvent({ type: 'settling', ms })
  const options = { service, ledger, evidence, doubtful, settleMs, clock, signal, onWait }
  let stop = sent
  for (let open = rowsInDoubt(ledger); open.length > 0; open = open.filter(isAmbiguous)) {
    if (!mayReadAfter(stop)) return stop
    onEvent({ type: 'checking', rows: open.length })
    await resolveUnknownRows(options, open, run.doubtSince)
    if (signal.aborted) return stop ?? { why: 'interrupted' }
    stop ??= await sendAll(sender, tasksToRepeat(ledger, doubtful))
  }
  return stop
}

const isAmbiguous = ({ state }: Entry) => state === 'ambiguous'

function* tasksToRepeat(ledger: Ledger, rows: ReadonlyMap<string, Row>): Generator<Task> {
  for (const [key, row] of rows) {
    const entry = ledger.entries.get(key)
    if (entry && isReady(entry)) yield { entry, row }
  }
}
