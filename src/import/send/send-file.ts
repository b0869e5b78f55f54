import { Failure } from '../../errors.ts'
import type { ImportJob } from '../import-job.ts'
import type { ImportKind } from '../import-service.ts'
import type { Plan } from '../plan-import.ts'
import type { RowSource } from '../reading/open-source.ts'
import type { Evidence } from '../resolve/evidence.ts'
import { matchOf } from '../resolve/scan.ts'
import type { Entry, Stop } from '../rows/ledger.ts'
import { keyOf, nameIn } from '../rows/natural-key.ts'
import { type FilePlan, isReady } from '../rows/plan.ts'
import { type Prober, probe } from './probe-first-row.ts'
import { type Sender, sendAll, type Task } from './send-rows.ts'

/**
 * Sends the rows that are ready. It sends single rows until one is created, and looks for that one in the list: this
 * shows that a row whose answer is lost can be found.
 */
export async function sendFile(
  sender: Sender,
  { source, service }: ImportJob,
  plan: Plan,
  prober: Prober,
  evidence: Evidence,
): Promise<Stop | undefined> {
  const { file, ready } = plan
  if (ready === 0) return undefined
  const tasks = tasksOf(source, service.kind, file)
  try {
    const hidden = await stopIfNoneShown(plan, prober)
    if (hidden) return hidden
    for (;;) {
      const { value, done } = await tasks.next()
      if (done) return undefined
      const stop = await sendAll(sender, [value])
      if (stop) return stop
      if (value.entry.state !== 'created') continue
      const shown = await probe(prober, value.entry)
      if (!shown) return stopOf(prober, value.entry)
      evidence.noteShown(shown.afterMs)
      break
    }
    return await sendAll(sender, tasks)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { why: 'failed', failure: error }
  } finally {
    await tasks.return(undefined)
  }
}

/** Stops if the list shows none of the rows that an earlier run created: it would not show a new one either. */
async function stopIfNoneShown({ file, baseline }: Plan, prober: Prober): Promise<Stop | undefined> {
  const created = [...file.entries.values()].filter(({ state }) => state === 'created')
  const [first] = created
  if (!first || !baseline) return undefined
  if (created.some(({ name }) => matchOf(baseline, keyOf(name)).count > 0)) return undefined
  return (await probe(prober, first)) ? undefined : stopOf(prober, first)
}

function stopOf({ signal }: Prober, entry: Entry): Stop {
  return signal.aborted ? { why: 'interrupted' } : { why: 'hidden', entry }
}

/** The rows of the file that are ready to send. Throws a Failure if the file has changed since it was planned. */
export async function* tasksOf(
  source: RowSource,
  { key }: ImportKind,
  { entries, digests, rows, heldBack }: Pick<FilePlan, 'entries' | 'digests' | 'rows' | 'heldBack'>,
): AsyncGenerator<Task> {
  let read = 0
  for await (const row of source.rows(digests)) {
    read += 1
    if (heldBack.has(row.row)) continue
    const name = nameIn(row.record, key.request)
    const entry = name === undefined ? undefined : entries.get(keyOf(name))
    if (!entry || entry.row !== row.row) throw fileChanged()
    if (!isReady(entry)) continue
    if (row.digest !== digests.get(row.row)) throw fileChanged()
    yield { entry, row }
  }
  if (read !== rows) throw fileChanged()
}

function fileChanged(): Failure {
  return new Failure('input', 'The file was changed while payroll was importing it.', {
    hint: 'Run the same command again: it continues with the changed file.',
  })
}
