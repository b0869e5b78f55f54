import { rename } from 'node:fs/promises'
import { platform } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from '../../errors.ts'

/** The codes of Windows for a file that another program has open: Excel, a virus scanner, or another run of this tool. */
const heldCodes = ['EBUSY', 'EPERM', 'EACCES']

/** Whether an error can mean that another program has the file open. */
export function isHeldError(error: unknown): boolean {
  return heldCodes.includes(systemCode(error) ?? '')
}

interface RenameHost {
  readonly system?: NodeJS.Platform
  readonly move?: (from: string, to: string) => Promise<void>
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** A virus scanner lets go within this time; Excel does not. In milliseconds. */
const pausesMs = [10, 20, 40, 80, 160, 320, 640]

/** Renames over what is there; on Windows tries again for a second while it is held. Throws system errors. */
export async function renameOver(
  from: string,
  to: string,
  { system = platform(), move = rename, sleep = pause }: RenameHost = {},
): Promise<void> {
  for (const pauseMs of system === 'win32' ? pausesMs : []) {
    try {
      return await move(from, to)
    } catch (error) {
      if (!isHeldError(error)) throw error
      await sleep(pauseMs)
    }
  }
  await move(from, to)
}
