// @module-tag process

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withLock } from '../../src/files/lock.ts'
import { killed, newLockName, startProgram, useProgram } from '../profile/child.ts'

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
  await expect(withLock(name, work, { waitMs: 0 })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringMatching(
      new RegExp(
        `^Another run of payroll is busy with ${name}, so this one stopped\\. The other was started by .+ as process ${holder.pid} at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\.$`,
      ),
    ),
    details: { outcome: 'not-sent', retryable: true },
  })
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
