import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { run } from './built.ts'

const list = ['vat-codes', 'list', '--json']

/** A home whose folder of the settings is there, with this mode. */
function homeWith(mode: number) {
  const home = freshHome()
  const settings = join(home, '.config', 'payroll')
  mkdirSync(settings, { recursive: true })
  chmodSync(settings, mode)
  return { home, kept: join(settings, 'compiled') }
}

const namesIn = (folder: string) => readdirSync(folder).sort()
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('what V8 compiled of the tool', () => {
  test('is kept for the next start, readable by the user alone, and the next start prints the same', async () => {
    const { env } = await loopback()
    const { home, kept } = homeWith(0o700)
    const first = await run(list, { home, env })
    const names = namesIn(kept)
    expect(names.length).toBeGreaterThan(3)
    expect([modeOf(kept), ...names.map((name) => modeOf(join(kept, name)))]).toEqual([
      0o700,
      ...names.map(() => 0o600),
    ])
    const times = names.map((name) => statSync(join(kept, name)).mtimeMs)
    expect(await run(list, { home, env })).toEqual(first)
    expect(first.code).toBe(0)
    // What is used is not written again.
    expect(names.map((name) => statSync(join(kept, name)).mtimeMs)).toEqual(times)
  })

  test('is not used where a byte of it was changed, and is compiled again', async () => {
    const { env } = await loopback()
    const { home, kept } = homeWith(0o700)
    const first = await run(list, { home, env })
    const sound = new Map(namesIn(kept).map((name) => [name, readFileSync(join(kept, name))]))
    for (const [name, data] of sound) {
      const damaged = Buffer.from(data)
      for (let at = 100; at < damaged.length / 2; at += 50) damaged[at] = (damaged[at] ?? 0) ^ 0x55
      writeFileSync(join(kept, name), damaged)
    }
    expect(await run(list, { home, env })).toEqual(first)
    for (const [name, data] of sound) {
      const half = readFileSync(join(kept, name))
      expect(half.subarray(0, half.length / 2)).toEqual(half.subarray(half.length / 2))
      expect(half.length).toBeGreaterThan(data.length / 2)
    }
  })

  test.each([
    ['empty', Buffer.alloc(0)],
    ['zeros, as after a power cut', Buffer.alloc(4096)],
    ['one byte', Buffer.alloc(1)],
  ])('is not used where its file is %s', async (_, content) => {
    const { env } = await loopback()
    const { home, kept } = homeWith(0o700)
    const first = await run(list, { home, env })
    for (const name of namesIn(kept)) writeFileSync(join(kept, name), content)
    expect(await run(list, { home, env })).toEqual(first)
    expect(
      namesIn(kept).every((name) => statSync(join(kept, name)).size > 4096 || /vat|runtime/.test(name)),
    ).toBe(true)
  })

  test('is not kept where there are no settings: a read leaves nothing behind', async () => {
    const { env } = await loopback()
    const home = freshHome()
    expect(await run(list, { home, env })).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.config'))).toBe(false)
  })

  test('is neither kept nor used in a folder that others may enter', async () => {
    const { env } = await loopback()
    const { home, kept } = homeWith(0o755)
    expect(await run(list, { home, env })).toMatchObject({ code: 0 })
    expect(existsSync(kept)).toBe(false)
  })

  test('is not kept of a command that failed', async () => {
    const { home, kept } = homeWith(0o700)
    expect(await run(['vat-codes', 'list', '--limit', 'many'], { home })).toMatchObject({ code: 2 })
    expect(existsSync(kept)).toBe(false)
  })

  test('is removed when it belongs to another build', async () => {
    const { home, kept } = homeWith(0o700)
    mkdirSync(kept, { mode: 0o700 })
    writeFileSync(join(kept, 'core-00000000.cjs-v20.19.0-x64---help'), 'old')
    expect(await run(['--help'], { home })).toMatchObject({ code: 0 })
    expect(namesIn(kept).some((name) => name.startsWith('core-00000000'))).toBe(false)
    expect(namesIn(kept).some((name) => name.startsWith('core-'))).toBe(true)
  })

  test('keeps the folder of the settings one of payroll alone, that can be closed', async () => {
    const { home } = homeWith(0o700)
    const set = ['profiles', 'set', 'acme', '--base-url', 'https://acme.example.com']
    expect(await run(set, { home })).toMatchObject({ code: 0 })
    chmodSync(join(home, '.config', 'payroll'), 0o750)
    expect(await run([...set, '--protected'], { home })).toMatchObject({ code: 0 })
    expect(modeOf(join(home, '.config', 'payroll'))).toBe(0o700)
  })
})
