// @module-tag process

import { createHash } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Failure } from '../../src/errors.ts'
import { withLock } from '../../src/files/lock.ts'
import { killed, newLockName, startProgram, useProgram } from '../profile/child.ts'

const program = useProgram()

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
