import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncDirectory } from '../../src/files/sync-directory.ts'

test('the names in a directory are synced, and one that is missing is an error', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'payroll-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  await expect(syncDirectory(directory)).resolves.toBeUndefined()
  const missing = syncDirectory(join(directory, 'missing'))
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
})

test.skipIf(process.platform !== 'linux')('a disk that syncs no directory is no error', async () => {
  // A directory of /proc can be opened and not be synced: EINVAL.
  await expect(syncDirectory('/proc/self')).resolves.toBeUndefined()
})
