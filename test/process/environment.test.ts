import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { launch, run, shell, tool } from './built.ts'

const isRoot = process.geteuid?.() === 0

const seed = '"$PAYROLL" sandbox seed'
const set = '"$PAYROLL" profiles set acme --base-url https://acme.example.com'

/** Every file and folder below, with its mode: `0700 payroll`. */
function modes(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `0${(statSync(join(folder, name)).mode & 0o777).toString(8)} ${name}`)
    .sort()
}

describe('with a umask of 000', () => {
  test('what is written is for its owner alone', async () => {
    const home = freshHome()
    const login = 'echo CANARYkey0000 | "$PAYROLL" auth login --profile acme'
    const ended = await shell(`umask 000; ${set} && ${login} && ${seed}`, { home }).ended
    expect(ended.code).toBe(0)
    // Never open, not even until it is closed.
    expect(ended.err).not.toContain('open to other users')
    const kept = modes(join(home, '.config', 'payroll'))
    expect(kept).toContain('0600 config.json')
    expect(kept).toContain('0600 sandbox.db')
    for (const line of kept) expect(line).toMatch(/^(0600 |0700 compiled$|\d+ compiled\/)/)
    expect(statSync(join(home, '.config', 'payroll')).mode & 0o777).toBe(0o700)
  })
})

test('under env -i with PATH and HOME alone it works in the sandbox, and keeps it below HOME', async () => {
  const home = freshHome()
  const make = ['--profile', 'sandbox', 'candidates', 'create', '--incomplete', '--ireland', '--json']
  const made = await run([...make, '--set', 'generalSetting.forename=Zoë'], { home })
  expect(made.code).toBe(0)
  expect(JSON.parse(made.out).forename).toBe('Zoë')
  expect(readdirSync(home)).toEqual(['.config'])
  expect(readdirSync(join(home, '.config'))).toEqual(['payroll'])
})

const hasSetpriv = spawnSync('setpriv', ['--version']).error === undefined

describe.skipIf(!isRoot || !hasSetpriv)(
  'a user id without a name and without HOME, as in a container (skipped unless root, with setpriv)',
  () => {
    test.each([
      [['profiles', 'set', 'acme', '--base-url', 'https://acme.example.com']],
      [['--profile', 'sandbox', 'candidates', 'list']],
    ])('needs only PAYROLL_CONFIG_DIR: %j', async (words) => {
      const home = freshHome()
      chownSync(home, 4242, 4242)
      const user = ['--reuid', '4242', '--regid', '4242', '--clear-groups']
      const bare = ['env', '-u', 'HOME', process.execPath, tool, ...words]
      const env = { PAYROLL_CONFIG_DIR: home }
      expect(await launch('setpriv', [...user, ...bare], { home, env }).ended).toMatchObject({ code: 0 })
    })
  },
)
