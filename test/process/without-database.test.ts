import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { launch, tool, toolAlone } from './built.ts'

function without(argv: readonly string[], env: Record<string, string> = {}, home = freshHome()) {
  const words = [toolAlone(), ...argv]
  return launch(process.execPath, words, { home, env: { ...env, PAYROLL_CONFIG_DIR: home } }).ended
}

const sentence =
  /^Error: The sandbox cannot run: its database, the package libsql, is not installed or does not load \(\w+\)\. Everything else works without it\.(?: Nothing was deleted\.)?\n.*Node 22\.13.*\n?.*--include=optional/

const packages = join(tool, '../../node_modules')

/** The tool with the package of the database, and with its native part as it is or as `change` leaves it. */
function installedWith(change?: (part: Buffer) => Buffer) {
  const script = toolAlone()
  const folder = join(script, '../../node_modules')
  for (const name of ['libsql', '@neon-rs', 'detect-libc'])
    cpSync(join(packages, name), join(folder, name), { recursive: true, dereference: true })
  const part = `@libsql/${nativePart}`
  if (change) {
    cpSync(join(packages, part), join(folder, part), { recursive: true, dereference: true })
    const file = join(folder, part, 'index.node')
    writeFileSync(file, change(readFileSync(file)))
  }
  const run = (...argv: string[]) => {
    const home = freshHome()
    return launch(process.execPath, [script, ...argv], { home, env: { PAYROLL_CONFIG_DIR: home } }).ended
  }
  return { run }
}

/** Another name in the same number of bytes, for the loader of the system to look for. */
const renamed = (name: string, other: string) => (part: Buffer) =>
  Buffer.from(part.toString('latin1').replaceAll(name, other), 'latin1')

const nativePart = 'linux-x64-gnu'
const isThere = existsSync(join(packages, '@libsql', nativePart))

/** From 22.13 on Node has a database of its own, and the package is not asked for. */
const hasOwnDatabase = process.getBuiltinModule?.('node:sqlite') !== undefined

test.runIf(hasOwnDatabase)(
  'where Node has a database the sandbox needs no package, and shows no warning',
  async () => {
    const { code, err } = await without(['sandbox', 'seed'])
    expect([code, err]).toEqual([0, expect.not.stringContaining('Warning')])
  },
)

describe.skipIf(hasOwnDatabase)(
  'where the database of the sandbox is not installed, before Node 22.13',
  () => {
    test.each([
      [['--profile', 'sandbox', 'candidates', 'list']],
      [['sandbox', 'seed']],
      [['sandbox', 'reset']],
      [['sandbox', 'serve', '--port', '0']],
    ])('%j says how to get it: exit 2, and makes nothing', async (argv) => {
      const home = freshHome()
      const { code, out, err } = await without(argv, { NODE_DISABLE_COMPILE_CACHE: '1' }, home)
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)])
      expect(readdirSync(home)).toEqual([])
    })

    test('doctor says it of the profile sandbox', async () => {
      const { code, out } = await without(['--profile', 'sandbox', 'doctor', '--json'])
      expect([code, JSON.parse(out).checks]).toEqual([
        2,
        expect.arrayContaining([
          expect.objectContaining({
            name: 'service',
            found: expect.stringContaining('The sandbox cannot run'),
          }),
        ]),
      ])
    })

    test('everything else works: the version, help, and a service', async () => {
      const { env } = await loopback()
      const silent = { code: 0, err: expect.not.stringContaining('libsql') }
      for (const argv of [['--version'], ['--help'], ['sandbox', 'path'], ['candidates', 'list']])
        expect(await without(argv, env)).toMatchObject(silent)
      const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York']
      expect((await without(create, env)).code).toBe(0)
    })
  },
)

describe.skipIf(!isThere || hasOwnDatabase)(
  'where the database of the sandbox is installed and does not load (on Linux with glibc, of a PC, before Node 22.13)',
  () => {
    test.each<[string, ((part: Buffer) => Buffer) | undefined]>([
      ['its part for this computer is missing', undefined],
      ['a library of the system is missing', renamed('libgcc_s.so.1', 'libgcc_x.so.1')],
      ['the system is too old', renamed('GLIBC_2.18', 'GLIBC_2.98')],
      ['its file is broken', (part) => part.subarray(0, 9)],
    ])('sandbox seed says so, and what to do: %s', async (_, change) => {
      const { run } = installedWith(change)
      const { code, out, err } = await run('sandbox', 'seed')
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)])
    })
  },
)
