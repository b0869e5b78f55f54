import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { platform, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, systemCode, usage } from '../../errors.ts'
import { utcMinute } from '../../text/duration.ts'
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
 * waiting, no more. Throws a `locked` failure when the wait is over, which says who holds it.
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
    if (performance.now() >= until) {
      const address = addressOf(digest)
      throw lockedFailure(name, address === undefined ? undefined : await askHolder(address))
    }
    await pause(5 + Math.random() * 20)
    release = await tryLock(name, digest)
  }
  try {
    return await action()
  } finally {
    await release()
  }
}

function lockedFailure(name: string, holder: Holder | undefined): Failure {
  const who = holder
    ? ` The other was started by ${holder.user} as process ${holder.pid} at ${utcMinute(holder.since)}.`
    : ''
  return new Failure('locked', `Another run of payroll is busy with ${name}, so this one stopped.${who}`, {
    outcome: 'not-sent',
    retryable: true,
    hint: 'Run it again when the other run has ended.',
  })
}

/** The socket address of the lock; undefined on a system that only locks a file. */
function addressOf(digest: string): string | undefined {
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
  const address = addressOf(digest)
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

/** On Windows the pipe says who holds the lock, the file reaches one user. wine 8 allows a second pipe. */
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

/** Listening on the address is the lock; a process that connects learns who holds it. */
async function listen(path: string): Promise<Release> {
  const server = createServer(answerWith(describeOurselves()))
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

interface Holder {
  readonly user: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Limit for a holder's reply, in bytes. A real one has under 120. */
const longestAnswer = 1024

/** How long a holder may take to answer, in milliseconds. One that has just been started is busy for a while. */
const answerTimeoutMs = 2000

/** Tells every connecting process who holds the lock, then closes the connection. */
function answerWith(holder: Holder): (visitor: Socket) => void {
  const text = JSON.stringify(holder)
  return (visitor) => {
    visitor.on('error', () => {})
    // A visitor that does not read must not keep this process alive.
    visitor.unref()
    visitor.end(text, () => visitor.destroy())
  }
}

/** This process, as a holder. */
export function describeOurselves(): Holder {
  const since = Math.round(performance.timeOrigin + performance.now())
  return { user: userName(), pid: process.pid, since }
}

/** Asks who holds a lock. Undefined when there is no valid reply in time. */
function askHolder(path: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const socket = connect(path)
    const done = (holder?: Holder) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(holder)
    }
    const timer = setTimeout(done, answerTimeoutMs)
    socket.on('error', () => done())
    socket.on('data', (chunk: Buffer) => {
      length += chunk.byteLength
      if (length > longestAnswer) return done()
      chunks.push(chunk)
    })
    socket.on('end', () => done(readHolder(Buffer.concat(chunks).toString('utf8'))))
  })
}

/** Any user can listen under the name of a lock, so only plain words and numbers are accepted from it. */
function readHolder(text: string): Holder | undefined {
  let value: Partial<Record<string, unknown>> | null
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { user, pid, since } = value ?? {}
  const isKnown = typeof user === 'string' && plainName.test(user)
  return isKnown && isWhole(pid, 2 ** 32) && isWhole(since, 8.64e15) ? { user, pid, since } : undefined
}

const plainName = /^[\w@\\][\w.@\\ +-]{0,63}$/

function isWhole(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit
}

/** In a container the user id may have no name. */
function userName(): string {
  try {
    const { username, uid } = userInfo()
    return plainName.test(username) ? username : `user ${uid}`
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
