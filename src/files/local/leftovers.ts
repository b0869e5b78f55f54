import { randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '../../text/day.ts'
import { currentUser } from './private-directory.ts'

/** The name of a temporary file. */
export const partName = (): string => `.payroll-${randomUUID()}.part`

/** The file name of a record that is open in an editor. */
export const editName = (): string => `edit-${randomUUID()}.json`

/** Versions before this one wrote more before the UUID. */
const ours = /^(\.payroll-[\da-f-]{36,}\.part|edit-[\da-f-]{36,}\.json)$/

/** Deletes the temporary files of killed runs: those that are a day old, as no run lasts that long. */
export async function clearLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => ours.test(name))) {
    const path = join(folder, name)
    const about = await lstat(path).catch(() => undefined)
    if (!about?.isFile() || about.mtimeMs > performance.timeOrigin - dayMs) continue
    if (currentUser() === undefined || about.uid === currentUser())
      await rm(path, { force: true }).catch(() => {})
  }
}
