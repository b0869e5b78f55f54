import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '../../text/day.ts'
import { currentUser } from './private-directory.ts'

/** The name of a temporary file. */
export const partName = (): string => `.payroll-${randomUUID()}.part`

/** The file name of a record that is open in an editor. */
export const editName = (): string => `edit-${randomUUID()}.json`

/** Versions before this one wrote more before the UUID. */
const ours = /^(\.payroll-[\da-f-]{36,}\.part|edit-[\da-f-]{36,}\.json)$/

/**
 * Deletes the temporary files of killed runs: those that are a day old, as no run lasts that long. Without
 * promises, whose part of Node a list would load for this alone.
 */
export function clearLeftovers(folder: string): void {
  for (const path of leftoversIn(folder)) {
    try {
      const about = lstatSync(path)
      const isOld = about.isFile() && about.mtimeMs <= performance.timeOrigin - dayMs
      if (isOld && (currentUser() === undefined || about.uid === currentUser())) rmSync(path, { force: true })
    } catch {
      // Another run may have deleted it.
    }
  }
}

/** None for a folder that cannot be read. */
function leftoversIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => ours.test(name))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
