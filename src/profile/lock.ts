import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, usage } from '../errors.ts'
import { currentUser, ensurePrivateDirectory, systemCode } from './directory.ts'

type Release = () => Promise<void>

/**
 * Runs the work while no other run of this user on this host holds the same lock. The kernel keeps the lock
 * and takes it back when the process ends, however it ends, so there is never a stale one to clear away.
 *
 * Its limits: it reaches one host and, on Linux, one network namespace, so two containers do not see each
 * other's. The name of a Linux abstract socket carries no mode: another user of the host who sets out to can
 * keep us waiting, and can do no more than that.
 *
 * @param name what is busy, as a person would say it: "the settings in /home/ann/.config/payroll"
 * @param options `waitMs`: how long to wait for another run, in milliseconds (10 seconds; 0 for not at all);
 * then it throws a `busy` failure
 */
export async function withLock<T>(
  name: string,
  work: () => Promise<T>,
  options: { readonly waitMs?: number } = {},
): Promise<T> {
  const until = performance.now() + (options.waitMs ?? 10_000)
  let release = await take(name)
  while (release === undefined) {
    if (performance.now() >= until) throw busy(name)
    await pause(5 + Math.random() * 20)
    release = await take(name)
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

function busy(name: string): Failure {
  return new Failure('busy', `Another run of payroll is busy with ${name}. This one did nothing.`, {
    outcome: 'not-sent',
    retryable: true,
    hint: 'Run it again when the other has ended.',
  })
}

/** One attempt; undefined when another holds it. */
async function take(name: string): Promise<Release | undefined> {
  const digest = createHash('sha256').update(`${currentUser()} ${name}`).digest('hex')
  try {
    switch (platform()) {
      case 'linux':
      case 'android':
        return await listen(`\0payroll-${digest}`)
      case 'win32':
        return await listen(`\\\\?\\pipe\\payroll-${digest}`)
      default:
        return await openAlone(digest)
    }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EADDRINUSE' || code === 'EAGAIN') return undefined
    if (code === undefined) throw error
    throw usage(`The lock for ${name} cannot be taken (${code}).`)
  }
}

/** Nobody is meant to connect: to be listening is the lock. */
async function listen(path: string): Promise<Release> {
  const server = createServer((visitor) => visitor.destroy())
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(path, resolve)
  })
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/**
 * macOS and the BSDs have no abstract sockets, but open(2) there locks as it opens: O_EXLOCK, which Node does
 * not name. Not in os.tmpdir(), which differs between a terminal and cron.
 */
async function openAlone(digest: string): Promise<Release> {
  const exclusiveLock = 0x20
  const directory = `/tmp/payroll-${currentUser()}`
  await ensurePrivateDirectory(directory)
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock
  const file = await open(join(directory, digest), flags, 0o600)
  return () => file.close()
}
