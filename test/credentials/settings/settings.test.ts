// @module-tag process

import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeSettings } from '../../../src/credentials/change-settings.ts'
import { readSettings, type Settings } from '../../../src/credentials/settings.ts'
import { killed, runAfter, startProgram, temporaryDirectory, useProgram } from '../child.ts'

const isRoot = process.geteuid?.() === 0
const hasModes = process.platform !== 'win32'

let base: string
let directory: string
let file: string
beforeEach(async () => {
  base = await temporaryDirectory()
  directory = join(base, 'payroll')
  file = join(directory, 'config.json')
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function store(text: string, mode = 0o600): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(file, text)
  await chmod(file, mode)
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const key = { origin: 'https://payroll.example.com', key: 'CANARYkey0000' }
const withDefault = (name: string) => (settings: Settings) => ({ ...settings, default: name })

describe('reading the settings', () => {
  test('finds empty settings where nothing is stored, and creates nothing', async () => {
    const empty = { settings: { profiles: {}, keys: {} }, warnings: [] }
    expect(await readSettings(directory)).toEqual(empty)
    expect(await readdir(base)).toEqual([])
    await mkdir(directory, { mode: 0o700 })
    expect(await readSettings(directory)).toEqual(empty)
    expect(await readdir(directory)).toEqual([])
  })

  test.each([
    ['five bytes of it', '{"def'],
    ['nothing at all', ''],
    ['NUL bytes', '\0\0\0\0'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a default that is no text', '{"default":1}'],
    ['a default that no profile can be called', '{"default":"__proto__"}'],
    ['profiles that are a list', '{"profiles":[]}'],
    ['a profile that is text', '{"profiles":{"production":"CANARY"}}'],
    ['a base URL that is no text', '{"profiles":{"production":{"baseUrl":null}}}'],
    ['a prefix that is no text', '{"profiles":{"production":{"prefix":1}}}'],
    ['a protection that is text', '{"profiles":{"production":{"protected":"CANARY"}}}'],
    ['a version in words', '{"version":"CANARY"}'],
    ['a place of keys that there is not', '{"profiles":{"production":{"keyStore":"CANARY"}}}'],
    ['a key without an origin', '{"keys":{"production":{"key":"CANARY"}}}'],
    ['a key that is no text', '{"keys":{"production":{"origin":"https://example.com","key":1}}}'],
    ['a profile called __proto__', '{"profiles":{"__proto__":{"protected":false}}}'],
    ['a profile called constructor', '{"profiles":{"constructor":{}}}'],
    ['a key for prototype', '{"keys":{"prototype":{"origin":"https://example.com","key":"CANARY"}}}'],
    ['a name with a line break', '{"profiles":{"a\\nb":{}}}'],
    ['half a key', '{"keys":{"production":{"origin":"https://example.com","key":"CANARY'],
  ])('refuses a file that holds %s, and leaves it untouched', async (_, text) => {
    await store(text)
    const damaged = {
      code: 'usage',
      message: expect.stringMatching(/^(?!.*CANARY).*is damaged: .*It was left untouched\.$/s),
      details: { outcome: 'not-sent', hint: expect.stringContaining(`'${file}.bak'`) },
    }
    await expect(readSettings(directory)).rejects.toMatchObject(damaged)
    await expect(readSettings(directory)).rejects.toThrow(file)
    await expect(changeSettings(directory, withDefault('sandbox'))).rejects.toMatchObject(damaged)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await readdir(directory)).toEqual(['config.json'])
    expect(({} as Record<string, unknown>).protected).toBeUndefined()
  })

  test('refuses a file of a newer payroll, and never writes over it', async () => {
    const text = '{"version":2,"profiles":{}}'
    await store(text)
    const message = `^(?!.*CANARY).*was written by a newer payroll: it has format 2, and this one knows format 1\\..*It was left untouched\\.$`
    const newer = {
      ...{ code: 'usage', message: expect.stringMatching(new RegExp(message, 's')) },
      details: { hint: expect.stringContaining('Update payroll') },
    }
    await expect(readSettings(directory)).rejects.toMatchObject(newer)
    await expect(changeSettings(directory, withDefault('sandbox'))).rejects.toMatchObject(newer)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('takes a file of this version', async () => {
    await store('{"version":1,"default":"production","profiles":{"production":{}}}')
    expect((await readSettings(directory)).settings.default).toBe('production')
  })

  test('takes a file that begins with a byte order mark, as an editor of Windows writes one', async () => {
    await store('\uFEFF{"default":"production"}')
    expect((await readSettings(directory)).settings.default).toBe('production')
  })

  test('says which field is wrong', async () => {
    await store('{"profiles":{"production":{"baseUrl":1}}}')
    await expect(readSettings(directory)).rejects.toThrow(
      '"profiles.production.baseUrl" is not of the type string',
    )
  })

  test('says that the file cannot be read when a directory stands in its place', async () => {
    await mkdir(file, { recursive: true, mode: 0o700 })
    await expect(readSettings(directory)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('changing the settings', () => {
  test('keeps what it stores, and what it does not know', async () => {
    await store('{"theme":"dark","profiles":{"production":{"colour":"red"}}}')
    await changeSettings(directory, (settings) => ({ ...settings, keys: { production: key } }))
    const stored = { theme: 'dark', profiles: { production: { colour: 'red' } }, keys: { production: key } }
    expect((await readSettings(directory)).settings).toEqual(stored)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(stored)
  })

  test('writes nothing when there is nothing to change', async () => {
    await changeSettings(directory, (settings) => settings)
    expect(await readdir(directory)).toEqual([])
  })

  test('writes nothing that could not be read back', async () => {
    const broken = { profiles: { constructor: {} }, keys: {} }
    await expect(changeSettings(directory, () => broken)).rejects.toMatchObject({ code: 'usage' })
    expect(await readdir(directory)).toEqual([])
  })

  test('clears away what a killed run left, for it may hold a removed key', async () => {
    await store('{}')
    await writeFile(join(directory, 'config.json.new'), '{"keys":{"production":{"key":"CANARY')
    await writeFile(join(directory, 'config.json.new.tmp-1700000000abcdef'), 'CANARY')
    await writeFile(join(directory, 'config.json.bak'), 'mine')
    await changeSettings(directory, withDefault('sandbox'))
    expect(await readdir(directory)).toEqual(['config.json', 'config.json.bak'])
  })

  test.runIf(hasModes)('leaves a symbolic link where it is and writes where it leads', async () => {
    await store('{}')
    const real = join(base, 'elsewhere.json')
    await writeFile(real, '{"default":"production"}', { mode: 0o600 })
    await rm(file)
    await symlink(real, file)
    await changeSettings(directory, withDefault('development'))
    expect((await lstat(file)).isSymbolicLink()).toBe(true)
    expect(JSON.parse(await readFile(real, 'utf8')).default).toBe('development')
  })
})

describe.runIf(hasModes)('the privacy of the settings', () => {
  test.each(['0644', '0640', '0666', '0602'])('closes a file of mode %s, and says so', async (mode) => {
    await store('{"default":"sandbox"}', Number.parseInt(mode, 8))
    const { settings, warnings } = await readSettings(directory)
    expect(settings.default).toBe('sandbox')
    expect(warnings).toEqual([`${file} was open to other users (mode ${mode}); it is closed now (0600).`])
    expect(await modeOf(file)).toBe(0o600)
    expect((await readSettings(directory)).warnings).toEqual([])
  })

  test('warns of a directory that others may enter too, when reading as when changing', async () => {
    await store('{}', 0o644)
    await chmod(directory, 0o755)
    expect((await readSettings(directory)).warnings).toHaveLength(2)
    await chmod(file, 0o644)
    expect(await changeSettings(directory, withDefault('sandbox'))).toHaveLength(2)
    expect([await modeOf(directory), await modeOf(file)]).toEqual([0o755, 0o600])
  })

  test.each(['0777', '0775', '0757'])('takes no directory that others may write into: %s', async (mode) => {
    await store('{}')
    await chmod(directory, Number.parseInt(mode, 8))
    const refused = { code: 'usage', message: expect.stringContaining('Other users may write into') }
    await expect(readSettings(directory)).rejects.toMatchObject(refused)
    await expect(changeSettings(directory, withDefault('sandbox'))).rejects.toMatchObject(refused)
  })

  test.runIf(isRoot)('refuses a file or a directory that belongs to another user', async () => {
    const text = '{"default":"sandbox"}'
    await store(text)
    await chown(file, 65_534, 65_534)
    const foreign = { code: 'usage', message: `${file} belongs to another user.` }
    await expect(readSettings(directory)).rejects.toMatchObject(foreign)
    await expect(changeSettings(directory, withDefault('production'))).rejects.toMatchObject(foreign)
    expect(await readFile(file, 'utf8')).toBe(text)
    await chown(file, 0, 0)
    await chown(directory, 65_534, 65_534)
    await expect(readSettings(directory)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('several processes that change the settings', () => {
  const program = useProgram()

  test('keep all 80 changes when two make 40 each at the same time', async () => {
    const ended = await Promise.all(
      ['left', 'right'].map((name) => runAfter(':', program(), 'add-forty-profiles', directory, name)),
    )
    const done = { code: 0, stderr: '' }
    expect(ended).toEqual([done, done])
    const { profiles } = (await readSettings(directory)).settings
    const wanted = ['left', 'right'].flatMap((name) =>
      Array.from({ length: 40 }, (_, index) => [`${name}-${index}`, { prefix: `${index}` }]),
    )
    expect(profiles).toEqual(Object.fromEntries(wanted))
  }, 180_000)

  test.runIf(hasModes)('leave the old file whole when the disk takes only half of the new one', async () => {
    await store('{"default":"production"}')
    const { code, stderr } = await runAfter(
      'ulimit -f 4',
      program(),
      'change-once',
      directory,
      'x'.repeat(60),
    )
    expect(stderr).toMatch(/^temporary: The settings in .* could not be written \(.*\)\.$/m)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('{"default":"production"}')
    expect(await readdir(directory)).toEqual(['config.json'])
  })

  test.runIf(hasModes)('are sent an ending signal once, though conf would send it again', async () => {
    const child = await startProgram(program(), ['count-signals', directory])
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await gone).toEqual([1, null])
  })

  test('never show a reader half a file, though the writer is killed 4 times', async () => {
    await changeSettings(directory, withDefault('production'))
    let reading = true
    let reads = 0
    const seen = new Set<string>()
    const reader = (async () => {
      while (reading) {
        const { settings } = await readSettings(directory)
        expect(settings.default).toBe('production')
        const prefixes = new Set(Object.values(settings.profiles).map(({ prefix }) => `${prefix}`))
        expect(prefixes.size).toBeLessThanOrEqual(1)
        for (const prefix of prefixes) seen.add(prefix)
        reads += 1
        // A reader that never waits would let nothing else happen.
        await pause(0)
      }
    })()
    for (let round = 0; round < 4; round += 1) {
      // In a terminal started from a Snap package conf writes in place.
      const env = round % 2 === 0 ? {} : { SNAP: '/snap/editor/1' }
      const writer = await startProgram(program(), ['change-without-end', directory, `round-${round}`], env)
      // On a busy machine a writer takes a while to begin.
      const before = seen.size
      while (seen.size < before + 2) await pause(1)
      await pause(Math.random() * 20)
      await killed(writer)
    }
    reading = false
    await reader
    expect(reads).toBeGreaterThan(8)
    expect(seen.size).toBeGreaterThanOrEqual(8)
    await changeSettings(directory, withDefault('sandbox'))
    expect(await readdir(directory)).toEqual(['config.json'])
  }, 300_000)
})
