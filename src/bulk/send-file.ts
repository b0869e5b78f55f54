import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import type { Import, Plan } from './import.ts'
import { hashOf, keyOf, nameIn } from './key.ts'
import type { Entry, Stop } from './ledger.ts'
import { isReady } from './plan.ts'
import type { RowSource } from './reading/source.ts'
import { scan } from './scan.ts'
import { type Sender, sendAll, type Task } from './send.ts'
import type { Kind, Service } from './service.ts'

/** A list may lag a little behind what was created. */
const lagMs = 1000

/**
 * Sends the rows of the file that are to be sent. When no record of the service shows its key yet, the first row
 * goes alone, and is looked for: only then is it known that a row whose answer is lost can be found again.
 */
export async function sendFile(
  sender: Sender,
  { source, service }: Import,
  { file, salt, baseline, ready }: Plan,
): Promise<Stop | undefined> {
  if (ready === 0) return undefined
  const tasks = tasksOf(source, service.kind, salt, file.entries, file.rows)
  try {
    while (!baseline?.hasKey) {
      const { value: task, done } = await tasks.next()
      if (done) return undefined
      const stop = await sendAll(sender, [task])
      if (stop) return stop
      if (task.entry.state !== 'created') continue
      if (!(await isShown(service, task.entry))) return { why: 'hidden' }
      break
    }
    return await sendAll(sender, tasks)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { why: 'failed', failure: error }
  }
}

async function isShown(service: Service, { name }: Entry): Promise<boolean> {
  const key = keyOf(name)
  const read = async () => (await scan(service, { has: (each) => each === key })).seen.has(key)
  if (await read()) return true
  await pause(lagMs)
  return read()
}

/**
 * The rows of the file that are still to be sent. Throws a Failure when the file does not say any more what it
 * said when it was planned.
 */
export async function* tasksOf(
  source: RowSource,
  { key }: Kind,
  salt: string,
  entries: ReadonlyMap<string, Entry>,
  rows: number,
): AsyncGenerator<Task> {
  let read = 0
  for await (const row of source.rows()) {
    read += 1
    const name = nameIn(row.record, key.request)
    const entry = name === undefined ? undefined : entries.get(keyOf(name))
    if (!entry || entry.row !== row.row) throw edited()
    if (!isReady(entry)) continue
    if (hashOf(row.record, salt) !== entry.hash) throw edited()
    yield { entry, row }
  }
  if (read !== rows) throw edited()
}

function edited(): Failure {
  return new Failure('input', 'The file was changed while it was imported.', {
    hint: 'Run the same command again: it goes on with the file as it is then.',
  })
}
