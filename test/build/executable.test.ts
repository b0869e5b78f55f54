// @module-tag process

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveContents } from '../../build/package/contents.ts'
import { buildExecutable } from '../../build/package/executable.ts'
import { keyringFor, nodeFor } from '../../build/package/systems.ts'
import { endedWith, freshHome } from '../payroll.ts'
import { launch } from '../process/built.ts'

/** Why the executable cannot be built here; undefined where it can. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'this is not Linux on x64'
  try {
    nodeFor('linux-x64')
    keyringFor('linux-x64')
    return undefined
  } catch (error) {
    return String(error)
  }
}

const missing = whyNot()

describe.skipIf(missing !== undefined)(
  `the executable for Linux${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'payroll-executable-'))
    const executable = join(folder, 'payroll')

    beforeAll(() => buildExecutable('linux-x64', executable), 120_000)
    afterAll(() => rmSync(folder, { recursive: true }))

    /** Runs it where there is no other program: no Node either. */
    const run = (home: string, ...argv: string[]) =>
      launch(executable, argv, { home, cwd: home, env: { PATH: '', TMPDIR: home } }).ended

    test('lists the VAT codes of the sandbox', async () => {
      const { code, out, err } = await run(freshHome(), '--profile', 'sandbox', 'vat-codes', 'list', '--json')
      expect([code, err]).toEqual([0, ''])
      expect(JSON.parse(out)).toHaveLength(9)
    })

    test('writes a workbook', async () => {
      const home = freshHome()
      await run(home, '--profile', 'sandbox', 'sandbox', 'seed')
      const ended = await run(home, '--profile', 'sandbox', 'candidates', 'list', '--out', 'people.xlsx')
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(readFileSync(join(home, 'people.xlsx')).toString('latin1', 0, 2)).toBe('PK')
    })

    test('says in doctor which build it is', async () => {
      const { code, out } = await run(freshHome(), '--profile', 'sandbox', 'doctor', '--json')
      const { checks } = JSON.parse(out)
      expect(code).toBe(0)
      expect(checks[0]).toMatchObject({ found: expect.any(String), from: 'executable linux-x64' })
    })

    test('unpacks nothing: a home that is empty is empty afterwards', async () => {
      const home = freshHome()
      mkdirSync(home, { recursive: true })
      expect(await run(home, '--help')).toMatchObject({ code: 0, err: '' })
      expect(await run(home, '--version')).toMatchObject({ code: 0, err: '' })
      expect(readdirSync(home)).toEqual([])
    })

    test('uses the keyring only through the file that it was built with', async () => {
      const home = freshHome()
      const keyring = join(folder, 'keyring.node')
      const set = (...words: string[]) => run(home, 'profiles', 'set', 'acme', ...words)
      await set('--base-url', 'https://acme.invalid')
      expect(await set('--key-store', 'keyring')).toMatchObject(endedWith(2, `there is no ${keyring}`))
      writeFileSync(keyring, 'process.exit(0)')
      expect(await set('--key-store', 'keyring')).toMatchObject(
        endedWith(4, 'The system keyring cannot be used'),
      )
      copyFileSync(keyringFor('linux-x64'), keyring)
      // Here is no session with a keyring.
      expect(await set('--key-store', 'keyring')).toMatchObject({ code: 4 })
    })

    test('lies with its manual where INSTALL.txt says, once the lines of that were typed', () => {
      const home = freshHome()
      const program = readFileSync(executable)
      const manual = [{ name: 'payroll.1', bytes: Buffer.from('made up') }]
      const shared = { completions: [], licences: Buffer.from('made up'), manual }
      for (const { name, bytes } of archiveContents('unpacked', 'linux-x64', program, shared)) {
        mkdirSync(join(home, dirname(name)), { recursive: true })
        writeFileSync(join(home, name), bytes)
      }
      const text = readFileSync(join(home, 'unpacked/INSTALL.txt'), 'utf8')
      const lines = text.match(/^ {2}\S.*$/gm) ?? []
      const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home } }
      expect(spawnSync('sh', ['-ec', lines.join('\n')], options).status).toBe(0)
      const named = [...text.matchAll(/~(\/\S+)/g)].map(([, path = '']) => path)
      expect(named).toContain('/.local/lib/payroll/man/payroll.1')
      expect([...named, '/.local/bin/payroll'].filter((path) => !existsSync(join(home, path)))).toEqual([])
    })

    test('says its version as the package of npm does', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
      const [said, commit] = (await run(freshHome(), '--version')).out.split('+')
      expect([said, commit]).toEqual([version, expect.stringMatching(/^[0-9a-f]{8}(-changed)?\n$/)])
    })
  },
)
