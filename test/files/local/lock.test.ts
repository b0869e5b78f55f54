// @module-tag process

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Failure } from '../../../src/errors.ts'
import { withLock } from '../../../src/files/local/lock.ts'
import { killed, newLockName, startProgram, useProgram } from '../../credentials/child.ts'

const program = useProgram()

test('returns what the work returns, and can be taken again', async () => {
  const name = newLockName()
  expect(await withLock(name, async () => 1)).toBe(1)
  expect(await withLock(name, async () => 2, { waitMs: 0 })).toBe(2)
})

test('is let go when the work fails', async () => {
  const name = newLockName()
  await expect(withLock(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(name, async () => 'free', { waitMs: 0 })).toBe('free')
})

test('lets one in at a time, and all of them in the end', async () => {
  const name = newLockName()
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await pause(2)
    inside -= 1
  }
  await Promise.all(Array.from({ length: 20 }, () => withLock(name, work)))
  expect(most).toBe(1)
})

test('does not stand in the way of another name', async () => {
  const value = await withLock(newLockName(), () =>
    withLock(newLockName(), async () => 'both', { waitMs: 0 }),
  )
  expect(value).toBe('both')
})

test('fails at once as busy, the work not begun, when told not to wait for another process', async () => {
  const name = newLockName()
  const holder = await startProgram(program(), ['hold-lock', name])
  let begun = false
  const work = async () => {
    begun = true
  }
  const busy = await withLock(name, work, { waitMs: 0 }).catch((error: unknown) => error)
  expect(busy).toMatchObject({ code: 'locked', details: { outcome: 'not-sent', retryable: true } })
  const by = `so this one stopped\\. The other was started by .+ as process ${holder.pid} at [-\\d]{10} [:\\d]{5} UTC`
  expect(String(busy)).toMatch(new RegExp(`: Another run of payroll is busy with ${name}, ${by}\\.$`))
  expect(begun).toBe(false)
  await killed(holder)
})

test('waits for as long as it was told, then fails as busy', async () => {
  const name = newLockName()
  const holder = await startProgram(program(), ['hold-lock', name])
  const started = performance.now()
  await expect(withLock(name, async () => {}, { waitMs: 300 })).rejects.toMatchObject({ code: 'locked' })
  expect(performance.now() - started).toBeGreaterThanOrEqual(300)
  await killed(holder)
})

test('is free at once when its holder is killed', async () => {
  const name = newLockName()
  await killed(await startProgram(program(), ['hold-lock', name]))
  expect(await withLock(name, async () => 'free', { waitMs: 0 })).toBe('free')
})

test('is had by the one who waits as soon as its holder is killed', async () => {
  const name = newLockName()
  const holder = await startProgram(program(), ['hold-lock', name])
  const waiting = withLock(name, async () => 'mine', { waitMs: 20_000 })
  await killed(holder)
  expect(await waiting).toBe('mine')
})

test('never keeps a process alive that has nothing left to do', async () => {
  const holder = await startProgram(program(), ['hold-lock-idly', newLockName()])
  const [code] = holder.exitCode === null ? await once(holder, 'exit') : [holder.exitCode]
  expect(code).toBe(0)
})

const failure = (name: string): Promise<Failure> =>
  withLock(name, async () => {}, { waitMs: 0, against: 'everybody' }).then(
    () => Promise.reject(new Error('nobody held it')),
    (error) => error,
  )

/** Holds a lock, and answers those who ask in this way. */
async function heldBy(name: string, answer: (visitor: Socket) => void): Promise<void> {
  const server = createServer((visitor) => {
    visitor.on('error', () => {})
    answer(visitor)
  })
  const address = `\0payroll-${createHash('sha256').update(name).digest('hex')}`
  await new Promise<void>((resolve) => server.listen(address, resolve))
  onTestFinished(() => void server.close())
}

describe.skipIf(platform() !== 'linux')('a lock against everybody', () => {
  test.skipIf(process.getuid?.() !== 0)('is held against another user, and says who holds it', async () => {
    await chmod(dirname(program()), 0o755)
    const name = newLockName()
    const holder = await startProgram(program(), ['hold-lock-against-everybody', name], {}, { uid: 65_534 })
    const busy = await failure(name)
    expect(busy).toMatchObject({ code: 'locked', details: { outcome: 'not-sent' } })
    expect(busy.message).toContain(`as process ${holder.pid} at `)
    expect(busy.message).not.toContain('started by root')
    await killed(holder)
  })

  test('is not the one of a user alone', async () => {
    const name = newLockName()
    const both = withLock(name, () => withLock(name, async () => 'both', { waitMs: 0 }), {
      against: 'everybody',
    })
    expect(await both).toBe('both')
  })

  const text = (holder: object) => (visitor: Socket) => visitor.end(JSON.stringify(holder))
  const holders: Readonly<Record<string, (visitor: Socket) => void>> = {
    'is busy for a second': (visitor) => {
      setTimeout(() => text({ user: 'ann', pid: 4711, since: 0 })(visitor), 1000)
    },
    'says nothing': () => {},
    'hangs up': (visitor) => visitor.destroy(),
    'says a little, for ever': (visitor) => void setInterval(() => visitor.write(' '), 20).unref(),
    'says very much': (visitor) => visitor.end('x'.repeat(10_000_000)),
    'is no JSON': (visitor) => visitor.end('{"user":'),
    'is null': (visitor) => visitor.end('null'),
    'has escape sequences for a name': text({ user: '\u001b[2Jann', pid: 1, since: 1 }),
    'breaks the line in its name': text({ user: 'ann\nroot', pid: 1, since: 1 }),
    'has no number': text({ user: 'ann', pid: '1', since: 1 }),
    'is of no time': text({ user: 'ann', pid: 1, since: 9e15 }),
  }

  // All of them beside each other: some keep the one who asks waiting for as long as they may.
  test('a lock against everybody names a holder who says who it is, and only then', async () => {
    const started = performance.now()
    const told = Object.entries(holders).map(async ([what, answer]) => {
      const name = newLockName()
      await heldBy(name, answer)
      return [what, (await failure(name)).message.replace(name, 'it')]
    })
    const unnamed = 'Another run of payroll is busy with it, so this one stopped.'
    expect(Object.fromEntries(await Promise.all(told))).toEqual({
      ...Object.fromEntries(Object.keys(holders).map((what) => [what, unnamed])),
      'is busy for a second': `${unnamed} The other was started by ann as process 4711 at 1970-01-01 00:00 UTC.`,
    })
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
