import { open } from 'node:fs/promises'
import { platform } from 'node:os'
import { systemCode } from './private-directory.ts'

/**
 * Makes the names in a directory outlast a power cut, where the system can: Windows opens no directory as a file and
 * keeps names by other means, and some network disks sync none. Throws what the system throws when a disk fails.
 */
export async function syncDirectory(directory: string): Promise<void> {
  if (platform() === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}
