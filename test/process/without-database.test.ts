import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome } from '../payroll.ts'
import { launch, tool } from './built.ts'

/** The tool alone, with none of its packages: as it is where optional packages were left out. */
function installedAlone(): string {
  const folder = freshHome()
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(tool, '../..', name), join(folder, name), { recursive: true })
  }
  return join(folder, 'bin/payroll.js')
}

function without(argv: readonly string[], env: Record<string, string> = {}, home = freshHome()) {
  const words = [installedAlone(), ...argv]
  return launch(process.execPath, words, { home, env: { ...env, PAYROLL_CONFIG_DIR: home } }).ended
}

const sentence =
  /^Error: The sandbox needs the package libsql, .*Everything else works without it\.\n.*--include=optional/

describe('where the database of the sandbox is not installed', () => {
  test.each([
    [['--profile', 'sandbox', 'candidates', 'list']],
    [['sandbox', 'seed']],
    [['sandbox', 'reset']],
    [['sandbox', 'serve', '--port', '0']],
  ])('%j says how to get it: exit 2, and makes nothing', async (argv) => {
    const home = freshHome()
    const { code, out, err } = await without(argv, {}, home)
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)])
    expect(readdirSync(home)).toEqual([])
  })

  test('everything else works: the version, help, and a service', async () => {
    const { env } = await loopback()
    for (const argv of [['--version'], ['--help'], ['sandbox', 'faults'], ['candidates', 'list']]) {
      expect(await without(argv, env)).toMatchObject({ code: 0, err: expect.not.stringContaining('libsql') })
    }
    const created = await without(
      ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York'],
      env,
    )
    expect(created.code).toBe(0)
  })

  test('doctor names it, as a problem only where the sandbox is meant', async () => {
    const { env } = await loopback()
    const sandboxOf = (text: string) => JSON.parse(text).checks.find(({ name }: any) => name === 'sandbox')
    const elsewhere = await without(['doctor', '--json'], env)
    expect([elsewhere.code, sandboxOf(elsewhere.out)]).toMatchObject([0, { status: 'warning' }])
    expect(sandboxOf(elsewhere.out).found).toContain('libsql) is not installed')
    const inside = await without(['doctor', '--json', '--profile', 'sandbox'])
    expect([inside.code, sandboxOf(inside.out)]).toMatchObject([2, { status: 'problem' }])
  })
})
