import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  checkPrivateDirectory,
  createDirectory,
  ensurePrivateDirectory,
  refuseForeign,
  settingsDirectory,
  syncDirectory,
} from '../../../src/files/local/private-directory.ts'
import { temporaryDirectory } from '../../credentials/child.ts'

const usage = { code: 'usage' }

describe('settingsDirectory', () => {
  const everything = { PAYROLL_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b', HOME: '/c' }

  test.each([
    ['PAYROLL_CONFIG_DIR before all else', everything, '/a'],
    ['XDG_CONFIG_HOME before HOME', { ...everything, PAYROLL_CONFIG_DIR: '' }, '/b/payroll'],
    ['HOME where nothing else is set', { HOME: '/c' }, '/c/.config/payroll'],
    ['HOME where XDG_CONFIG_HOME is empty', { XDG_CONFIG_HOME: '', HOME: '/c' }, '/c/.config/payroll'],
    ['HOME where XDG_CONFIG_HOME is relative', { XDG_CONFIG_HOME: 'b', HOME: '/c' }, '/c/.config/payroll'],
  ])('reads %s', (_, env, directory) => {
    expect(settingsDirectory(env, 'linux')).toBe(directory)
  })

  test.each([
    ['neither HOME nor a directory', {}, 'HOME is not set'],
    ['an empty HOME', { HOME: '' }, 'HOME is not set'],
    ['a relative folder', { PAYROLL_CONFIG_DIR: '~/payroll', HOME: '/c' }, 'not an absolute path'],
  ])('refuses %s', (_, env, message) => {
    const failure = expect.objectContaining({ ...usage, message: expect.stringContaining(message) })
    expect(() => settingsDirectory(env, 'linux')).toThrow(failure)
  })

  test.each([
    ['LOCALAPPDATA', { LOCALAPPDATA: 'D:\\Local', APPDATA: 'D:\\Roaming' }, 'D:\\Local\\payroll\\Config'],
    ['the home', {}, `${homedir()}\\AppData\\Local\\payroll\\Config`.replaceAll('/', '\\')],
  ])('is the one on Windows that stays on the computer, by %s', (_, env, directory) => {
    expect(settingsDirectory(env, 'win32')).toBe(directory)
  })

  test('is the one on Windows that docs/systems.md names', () => {
    const page = readFileSync(new URL('../../../docs/systems.md', import.meta.url), 'utf8')
    expect(page).toContain(settingsDirectory({ LOCALAPPDATA: '%LOCALAPPDATA%' }, 'win32'))
  })

  test('is on every system what PAYROLL_CONFIG_DIR says, or ends in the name of the tool', () => {
    for (const system of ['darwin', 'win32'] as const)
      expect(settingsDirectory(everything, system)).toBe('/a')
    expect(settingsDirectory({}, 'darwin')).toContain('payroll')
  })
})

test('a file of owner 0 is our own where the system has no numbers for users, as Windows has none', () => {
  const { geteuid } = process
  try {
    Object.assign(process, { geteuid: undefined })
    expect(() => refuseForeign('C:\\imports\\made-up.journal', 0)).not.toThrow()
  } finally {
    Object.assign(process, { geteuid })
  }
})

describe.skipIf(process.platform === 'win32')('a private directory', () => {
  let base: string
  beforeEach(async () => {
    base = await temporaryDirectory()
  })
  afterEach(() => rm(base, { recursive: true, force: true }))

  test('is made for its owner alone, with those above it', async () => {
    const directory = join(base, 'config', 'payroll')
    await ensurePrivateDirectory(directory)
    expect(await modeOf(directory)).toBe(0o700)
    expect(await modeOf(join(base, 'config'))).toBe(0o700)
  })

  /** A directory of a mode with these files in it. */
  async function opened(mode: string, files: readonly string[]): Promise<string> {
    const directory = join(base, 'payroll')
    await mkdir(directory)
    for (const name of files) await writeFile(join(directory, name), '{}', { mode: 0o600 })
    await chmod(directory, Number.parseInt(mode, 8))
    return directory
  }

  test('is named, and stays as it is, when it is open and only looked at', async () => {
    const directory = await opened('0755', ['config.json'])
    expect(checkPrivateDirectory(directory)).toBe(
      `${directory} is open to other users (mode 0755). Close it: chmod 700 '${directory}'`,
    )
    expect(await modeOf(directory)).toBe(0o755)
  })

  test.each(['0775', '0757', '0777', '1777'])(
    'is refused, and its mode stays, where others may write into it: %s',
    async (mode) => {
      const directory = await opened(mode, ['config.json'])
      const refused = {
        ...usage,
        message: `Other users may write into ${directory} (mode ${mode.replace(/^1/, '0')}). It was not changed.`,
        details: {
          hint: `If only payroll uses it, close it: chmod 700 '${directory}'. Or set PAYROLL_CONFIG_DIR to another directory, one of your own.`,
        },
      }
      await expect(ensurePrivateDirectory(directory)).rejects.toMatchObject(refused)
      expect(() => checkPrivateDirectory(directory)).toThrow(
        expect.objectContaining({ message: refused.message }),
      )
      expect((await stat(directory)).mode & 0o7777).toBe(Number.parseInt(mode, 8))
    },
  )

  test('is made by one run and taken by the other, where two make it at the same time', async () => {
    const directory = join(base, 'a', 'b')
    await Promise.all([createDirectory(directory), createDirectory(directory)])
    expect((await stat(directory)).isDirectory()).toBe(true)
  })

  test('is refused where every user may replace it', async () => {
    await chmod(base, 0o777)
    await expect(ensurePrivateDirectory(join(base, 'payroll'))).rejects.toMatchObject(usage)
  })

  test('is refused through a link from a safe place to one that every user may write', async () => {
    await mkdir(join(base, 'open', 'payroll'), { recursive: true, mode: 0o700 })
    await chmod(join(base, 'open'), 0o777)
    await symlink(join(base, 'open', 'payroll'), join(base, 'link'))
    await expect(ensurePrivateDirectory(join(base, 'link'))).rejects.toMatchObject(usage)
  })

  test('is taken in a directory that all may write but none may empty', async () => {
    await chmod(base, 0o1777)
    await expect(ensurePrivateDirectory(join(base, 'payroll'))).resolves.toBeUndefined()
  })

  test('is refused when a file stands there', async () => {
    await writeFile(join(base, 'payroll'), 'x')
    await expect(ensurePrivateDirectory(join(base, 'payroll'))).rejects.toMatchObject(usage)
    for (const path of ['payroll', 'payroll/deeper'])
      expect(() => checkPrivateDirectory(join(base, path))).toThrow(expect.objectContaining(usage))
  })
})

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

test('the names in a directory are synced, and one that is missing is an error', async () => {
  const directory = await temporaryDirectory()
  await expect(syncDirectory(directory)).resolves.toBeUndefined()
  const missing = syncDirectory(join(directory, 'missing'))
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
})

test.skipIf(process.platform !== 'linux')('a disk that syncs no directory is no error', async () => {
  // A directory of /proc can be opened and not be synced: EINVAL.
  await expect(syncDirectory('/proc/self')).resolves.toBeUndefined()
})
