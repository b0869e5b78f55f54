import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { systemCode } from '../../errors.ts'

/** Identifies this machine or container without revealing its name. */
const here = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

const maker = () => `${here()}-${process.pid}-${randomUUID()}`

/** The name of a temporary file. It identifies the run that created it. */
export const partName = (): string => `.payroll-${maker()}.part`

/** The file name of a record that is open in an editor. */
export const editName = (): string => `edit-${maker()}.json`

const ours = /^(?:\.payroll-(.+)\.part|edit-(.+)\.json)$/
const made = /^(?:([\da-f]{8})-(\d{1,10})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Deletes the temporary files of killed runs of this machine; those of running or unknown runs stay. */
export async function clearLeftovers(folder: string): Promise<void> {
  for (const name of leftoverNames(folder)) {
    const [, part, edit] = ours.exec(name) ?? []
    const [, machine, pid] = made.exec(part ?? edit ?? '') ?? []
    const path = join(folder, name)
    if (machine === here() && hasEnded(Number(pid)) && (await isOwnFile(path)))
      await rm(path, { force: true }).catch(() => {})
  }
}

/** None for a folder that cannot be read. */
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

function hasEnded(pid: number): boolean {
  try {
    // Signal 0 sends nothing: it checks whether the process exists.
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
}
