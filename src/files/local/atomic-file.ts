import { constants, existsSync, writeSync } from 'node:fs'
import { access, copyFile, link, lstat, open, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join, parse, resolve } from 'node:path'
import { Failure, isNoRoom, noRoom, systemCode, usage } from '../../errors.ts'
import { clearLeftovers, partName } from './leftovers.ts'
import { refusedBecause, syncDirectory } from './private-directory.ts'
import { isHeldError, renameOver } from './rename-over.ts'

type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>

/** A file that is being written: a temporary file in the same directory that only its owner can read. */
export interface AtomicFile {
  write(content: Content): Promise<void>
  /** Syncs and renames the file. If the name is in use, it is kept beside it; the Failure says where. */
  finish(): Promise<void>
  /** Deletes the temporary file; a finished file stays. */
  discard(): Promise<void>
}

/**
 * Writes a file whole or not at all (0600), by a renamed temporary file, never through a symbolic link.
 * Throws exit 2 for a name that cannot be used, exit 7 for want of space, exit 1 when the disk fails.
 */
export async function writeFileAtomic(path: string, content: Content, overwrite: boolean): Promise<void> {
  const file = await openAtomic(path, overwrite)
  try {
    await file.write(content)
    await file.finish()
  } finally {
    await file.discard()
  }
}

/** Opens a file to be written as `writeFileAtomic` does, in parts. Also deletes what killed runs left. */
export async function openAtomic(path: string, overwrite: boolean): Promise<AtomicFile> {
  const existing = await assertFileWritable(path)
  if (existing && !overwrite) throw alreadyExists(path)
  clearLeftovers(dirname(path))
  const tempPath = join(dirname(path), partName())
  const file = await open(tempPath, 'wx', 0o600).catch(refuse)
  return {
    async write(content) {
      const parts = typeof content === 'object' && Symbol.asyncIterator in content ? content : [content]
      for await (const part of parts) await file.appendFile(part).catch(refuse)
    },
    async finish() {
      await file.sync().catch(refuse)
      await file.close()
      // A link fails when the file exists by now; a rename would replace it.
      await (overwrite ? replaceFile(tempPath, path) : nameFile(tempPath, path).catch(refuse))
      // The file has its name either way.
      await syncDirectory(dirname(path)).catch(() => {})
    },
    async discard() {
      await file.close()
      await rm(tempPath, { force: true })
    },
  }

  function refuse(error: NodeJS.ErrnoException): never {
    throw writeFailure(path, error)
  }
}

/**
 * Throws exit 2 for a name that cannot be used, which is asked before a command that writes to the service.
 * Returns what has the name.
 */
export async function assertFileWritable(path: string) {
  // The name of a folder that is not there yet.
  if (/[/\\]$/.test(path)) throw usage(`"${path}" names no file, so nothing can be written to it.`)
  const existing = await lstat(path).catch(() => undefined)
  if (existing && !existing.isFile()) throw usage(`${path} is not a regular file; it was not changed.`)
  await access(dirname(path), constants.W_OK).catch((error) => {
    throw writeFailure(path, error)
  })
  return existing
}

/**
 * Writes all of the bytes: the system takes a part of them where the disk gets full. Synchronous, because
 * handing them over is faster than waiting for another thread.
 */
export function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Syncs a file that was written. Opens it for writing, because Windows syncs no other (EPERM). */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The codes of a disk without links, such as a stick with FAT or exFAT, a share, or one that only forbids them. */
const noLinks = ['EISDIR', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM']

/** Gives a file a free name, or throws EEXIST. Without links an empty file claims the name first. */
export async function nameFile(from: string, path: string, makeLink = link): Promise<void> {
  try {
    await makeLink(from, path)
  } catch (error) {
    if (!noLinks.includes(systemCode(error) ?? '')) throw error
    await (await open(path, 'wx', 0o600)).close()
    await renameOver(from, path).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
  }
}

/** Replaces a file. If Excel on Windows has it open, the new one goes beside it, and exit 2 says where. */
export async function replaceFile(
  from: string,
  path: string,
  { system = platform(), rename = renameOver } = {},
): Promise<void> {
  try {
    await rename(from, path)
  } catch (error) {
    if (!isHeldError(error)) throw writeFailure(path, error as NodeJS.ErrnoException)
    const beside = await copyBeside(from, path)
    const why = system === 'win32' ? 'is open in another program, such as Excel' : 'cannot be replaced'
    throw usage(
      `${path} ${why} (${systemCode(error)}), and was not changed. What was to be written is in ${beside}.`,
      system === 'win32' ? 'Close it there, and use the new file in its place.' : undefined,
    )
  }
}

/** Copies a file to the first free name: `people (2).csv` beside `people.csv`. Returns the path. */
async function copyBeside(from: string, path: string): Promise<string> {
  const { dir, name, ext } = parse(path)
  for (let number = 2; ; number++) {
    const beside = join(dir, `${name} (${number})${ext}`)
    try {
      await copyFile(from, beside, constants.COPYFILE_EXCL)
      return beside
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw writeFailure(path, error as NodeJS.ErrnoException)
    }
  }
}

function alreadyExists(path: string): Failure {
  return usage(`${path} already exists; it was not changed.`, 'To overwrite it, add --force.')
}

function writeFailure(path: string, error: NodeJS.ErrnoException): Failure {
  const code = String(error.code)
  if (code === 'EEXIST') return alreadyExists(path)
  // Where the folder that payroll runs in was deleted, `resolve` throws, and main says so.
  if (code === 'ENOENT' && !existsSync(resolve(dirname(path)))) {
    return usage(
      `${path} could not be written: there is no folder ${dirname(path)}.`,
      'Make it first, or name another.',
    )
  }
  const message = `${path} could not be written${refusedBecause(code)} No incomplete file was left behind.`
  if (isNoRoom(code)) return noRoom(message)
  return code === 'EIO' ? new Failure('bug', message) : usage(message, 'Name a file in a folder of your own.')
}
