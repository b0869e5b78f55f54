import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

interface Leftover {
  readonly path: string
  /** The state of the run that created it: not known for another machine or an older payroll. */
  readonly run: 'gone' | 'under way' | 'not known'
}

/** Identifies this machine or container without revealing its name. */
const here = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

const maker = () => `${here()}-${process.pid}-${randomUUID()}`

/** The name of a temporary file. It identifies the run that created it. */
export const partName = (): string => `.payroll-${maker()}.part`

/** The file name of a record that is open in an editor. */
export const editName = (): string => `edit-${maker()}.json`

const ours = /^(?:\.payroll-(.+)\.part|edit-(.+)\.json)$/
const made = /^(?:([\da-f]{8})-(\d{1,10})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The temporary files in a folder. None for a folder that cannot be read. */
async function leftoversIn(folder: string): Promise<Leftover[]> {
  const leftovers: Leftover[] = []
  for (const name of leftoverNames(folder)) {
    const [, part, edit] = ours.exec(name) ?? []
    const by = made.exec(part ?? edit ?? '')
    if (!by) continue
    const path = join(folder, name)
    if (await isOwnFile(path)) leftovers.push({ path, run: runOf(by[1], Number(by[2])) })
  }
  return leftovers
}

/** Deletes the temporary files of killed runs; those of running or unknown runs stay. */
export async function clearLeftovers(folder: string): Promise<void> {
  for (const { path, run } of await leftoversIn(folder)) {
    if (run === 'gone') await rm(path, { force: true }).catch(() => {})
  }
}

function leftoverNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

async function isOwnFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() === true && (process.geteuid === undefined || stats.uid === process.geteuid())
}

function runOf(machine: string | undefined, pid: number): Leftover['run'] {
  if (machine !== here()) return 'not known'
  try {
    // Signal 0 sends nothing: it checks whether the process exists.
    process.kill(pid, 0)
    return 'under way'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH' ? 'gone' : 'under way'
  }
}
