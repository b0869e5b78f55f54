import { connect, type Socket } from 'node:net'
import { userInfo } from 'node:os'

/** Who holds a lock, as reported by the holder itself. */
export interface Holder {
  readonly user: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Limit for a holder's reply, in bytes. A real one has under 120. */
const longestAnswer = 1024

/** How long a holder may take to answer, in milliseconds. One that has just been started is busy for a while. */
const patienceMs = 2000

/** Tells every connecting process who holds the lock, then closes the connection. */
export function answerWith(holder: Holder): (visitor: Socket) => void {
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
export function askHolder(path: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const socket = connect(path)
    const done = (holder?: Holder) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(holder)
    }
    const timer = setTimeout(done, patienceMs)
    socket.on('error', () => done())
    socket.on('data', (chunk: Buffer) => {
      length += chunk.byteLength
      if (length > longestAnswer) return done()
      chunks.push(chunk)
    })
    socket.on('end', () => done(holderOf(Buffer.concat(chunks).toString('utf8'))))
  })
}

/** "started by ann as process 4711 at 2026-04-06 09:30 UTC". */
export function describe({ user, pid, since }: Holder): string {
  const time = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  return `started by ${user} as process ${pid} at ${time} UTC`
}

/** Any user can listen under the name of a lock, so only plain words and numbers are accepted from it. */
function holderOf(text: string): Holder | undefined {
  let value: Partial<Record<string, unknown>> | null
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { user, pid, since } = value ?? {}
  if (typeof user !== 'string' || !/^[\w@\\][\w.@\\ +-]{0,63}$/.test(user)) return undefined
  if (!isWhole(pid, 2 ** 32) || !isWhole(since, 8.64e15)) return undefined
  return { user, pid, since }
}

function isWhole(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit
}

/** In a container the user id may have no name. */
function userName(): string {
  try {
    const { username, uid } = userInfo()
    return /^[\w@\\][\w.@\\ +-]{0,63}$/.test(username) ? username : `user ${uid}`
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
