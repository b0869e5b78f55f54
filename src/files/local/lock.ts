import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, systemCode, usage } from '../../errors.ts'
import { currentUser, ensurePrivateDirectory } from './private-directory.ts'

type Release = () => Promise<void>

/** How long a lock is waited for, and against whom it holds. */
export interface LockOptions {
  /** How long to wait for another run, in milliseconds: 10 seconds by default; 0 for not at all. */
  readonly waitMs?: number
  /** Whose runs must wait: those of the same user by default, or those of every user of this computer. */
  readonly against?: 'user' | 'everybody'
}

/**
 * Runs the work while no other run on this host holds the lock `name`, as `the settings in
 * /home/ann/.config/payroll`. The kernel takes it back when the process ends, so none is ever stale. It
 * reaches one host and one network namespace, on macOS one user; on Linux others of the host may keep us
 * waiting, no more. Throws a `locked` failure when the wait is over.
 */
export async function withLock<T>(
  name: string,
  action: () => Promise<T>,
  { waitMs = 10_000, against = 'user' }: LockOptions = {},
): Promise<T> {
  const until = performance.now() + waitMs
  const whose = against === 'everybody' ? name : `${currentUser()} ${name}`
  const digest = createHash('sha256').update(whose).digest('hex')
  let release = await tryLock(name, digest)
  while (release === undefined) {
    if (performance.now() >= until)
      throw new Failure('locked', `Another run of payroll is busy with ${name}, so this one stopped.`, {
        outcome: 'not-sent',
        retryable: true,
        hint: 'Run it again when the other run has ended.',
      })
    await pause(5 + Math.random() * 20)
    release = await tryLock(name, digest)
  }
  try {
    return await action()
  } finally {
    await release()
  }
}

/** The socket address of the lock; undefined on a system that only locks a file. */
function socketAddress(digest: string): string | undefined {
  switch (platform()) {
    case 'linux':
    case 'android':
      return `\0payroll-${digest}`
    case 'win32':
      return `\\\\?\\pipe\\payroll-${digest}`
    default:
      return undefined
  }
}

/** Tries once to take the lock; undefined when another run holds it. */
async function tryLock(name: string, digest: string): Promise<Release | undefined> {
  const address = socketAddress(digest)
  try {
    if (address === undefined) return await openAlone(digest)
    if (platform() !== 'win32') return await listen(address)
    return await holdBoth(digest, address)
  } catch (error) {
    const code = systemCode(error)
    // On Windows another user's pipe is EACCES, and a file that another run holds is EBUSY.
    const isTaken =
      code === 'EADDRINUSE' ||
      code === 'EAGAIN' ||
      (platform() === 'win32' && (code === 'EACCES' || code === 'EBUSY'))
    if (isTaken) return undefined
    if (code === undefined) throw error
    throw usage(`The lock for ${name} cannot be taken (${code}).`)
  }
}

/** On Windows the pipe holds against everybody, the file against one user. wine 8 allows a second pipe. */
async function holdBoth(digest: string, address: string): Promise<Release> {
  const closeFile = await openAlone(digest)
  try {
    const closePipe = await listen(address)
    return async () => {
      await closePipe()
      await closeFile()
    }
  } catch (error) {
    await closeFile()
    throw error
  }
}

/** Listening on the address is the lock. Who connects must not keep this process alive. */
async function listen(path: string): Promise<Release> {
  const server = createServer((visitor) => void visitor.on('error', () => {}).destroy())
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(path, resolve)
  })
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Locks a file as it is opened: macOS and the BSDs have no abstract sockets. Node names neither flag. */
const exclusively = platform() === 'win32' ? 0x1000_0000 : 0x20 | constants.O_NONBLOCK

async function openAlone(digest: string): Promise<Release> {
  const directory = folderOfLocks()
  await ensurePrivateDirectory(directory)
  const flags = constants.O_RDWR | constants.O_CREAT | exclusively
  const file = await open(join(directory, digest), flags, 0o600)
  return () => file.close()
}

/** The folder of the locks: one for a terminal and cron, and in the home, as macOS clears /tmp. */
function folderOfLocks(): string {
  const underHome = { win32: 'AppData/Local/payroll/locks', darwin: 'Library/Caches/payroll' } as const
  const system = platform()
  try {
    const { homedir } = userInfo()
    accessSync(homedir, constants.W_OK)
    return join(homedir, system === 'win32' || system === 'darwin' ? underHome[system] : '.cache/payroll')
  } catch {
    return join(system === 'win32' ? tmpdir() : '/tmp', `payroll-${currentUser() ?? 'locks'}`)
  }
}
