// @module-tag process

import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
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
  expect(String(busy)).toContain(name)
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

describe.skipIf(platform() !== 'linux')('a lock against everybody', () => {
  test.skipIf(process.getuid?.() !== 0)('is held against another user', async () => {
    await chmod(dirname(program()), 0o755)
    const name = newLockName()
    const holder = await startProgram(program(), ['hold-lock-against-everybody', name], {}, { uid: 65_534 })
    const busy = await failure(name)
    expect(busy).toMatchObject({ code: 'locked', details: { outcome: 'not-sent' } })
    await killed(holder)
  })

  test('is not the one of a user alone', async () => {
    const name = newLockName()
    const both = withLock(name, () => withLock(name, async () => 'both', { waitMs: 0 }), {
      against: 'everybody',
    })
    expect(await both).toBe('both')
  })
})
