import { open } from 'node:fs/promises'
import { platform } from 'node:os'
import { systemCode } from '../errors.ts'

/**
 * Syncs a directory, so that its file names survive a power cut. Does nothing on systems that cannot: Windows does not
 * open directories as files, and some network disks do not sync them. Throws system errors when a disk fails.
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
