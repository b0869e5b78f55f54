import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
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

  test('files that were open before are named and closed, and a folder that others may enter is named', async () => {
    const home = freshHome()
    const folder = join(home, '.config', 'payroll')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{"default":"sandbox","profiles":{},"keys":{}}')
    writeFileSync(join(folder, 'sandbox.db'), '')
    for (const name of ['config.json', 'sandbox.db']) chmodSync(join(folder, name), 0o666)
    chmodSync(folder, 0o755)
    const named = `${folder} is open to other users (mode 0755). Close it: chmod 700 '${folder}'`
    const listed = await shell('umask 000; "$PAYROLL" --quiet candidates list', { home }).ended
    expect(listed).toMatchObject({ code: 0, out: '[]\n', err: expect.stringContaining(named) })
    expect(listed.err).toContain('was open to other users (mode 0666); it is closed now (0600).')
    const written = await shell(`umask 000; ${set}`, { home }).ended
    expect(written).toMatchObject({ code: 0, err: expect.stringContaining(named) })
    for (const line of modes(folder)) expect(line).toMatch(/^0600 /)
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })
})

describe('a folder of settings is not used, and left as it is: exit 2', () => {
  const lines = [
    ['a read of the service', '"$PAYROLL" --profile production candidates list'],
    ['a write', set],
  ] as const

  test.each(lines)('by %s, where others may write into it', async (_, line) => {
    const home = freshHome()
    const folder = join(home, 'shared')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    const ended = await shell(line, { home, env: { PAYROLL_CONFIG_DIR: folder } }).ended
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(`Other users may write into ${folder} (mode 0777). It was not changed.`)
    expect(ended.err).toContain(`chmod 700 '${folder}'. Or set PAYROLL_CONFIG_DIR to another directory`)
    expect([statSync(folder).mode & 0o777, modes(folder)]).toEqual([0o777, []])
  })

  test('for what the service shows either, where everything else comes from the environment', async () => {
    const { env: service, call } = await loopback()
    const home = freshHome()
    const env = { ...service, PAYROLL_CONFIG_DIR: home }
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-1', maritalStatus: 'Engaged' } })
    expect(await run(['candidates', 'get', 'A-1'], { env })).toMatchObject({ code: 0 })
    const doubts = async () => {
      const words = ['candidates', 'create', '--incomplete', '--set', 'maritalStatus=Engaged', '--dry-run']
      const { code, out } = await run([...words, '--json'], { env })
      return [code, JSON.parse(out).warnings.length]
    }
    // A word that the service has is none to doubt.
    expect(await doubts()).toEqual([0, 0])
    chmodSync(home, 0o777)
    expect(await doubts()).toEqual([0, 1])
  })

  test.skipIf(!isRoot).each(lines)('by %s, where it belongs to somebody else', async (_, line) => {
    const home = freshHome()
    const folder = join(home, 'of-another')
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, 4242, 4242)
    const ended = await shell(line, { home, env: { PAYROLL_CONFIG_DIR: folder } }).ended
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(`${folder} belongs to another user.`)
    expect(ended.err).toContain('Set PAYROLL_CONFIG_DIR to another directory')
    expect([statSync(folder).uid, modes(folder)]).toEqual([4242, []])
  })
})

test.runIf(process.platform === 'linux').each([
  ['sandbox seed', '/proc/x', 'The directory /proc/x cannot be created'],
  ['profiles set acme --protected', '/proc/self/fd', 'could not be written (ENOENT). Nothing was changed.'],
])('%s ends with exit 2 where its settings would lie in %s', async (words, folder, says) => {
  const ended = await run(words.split(' '), { env: { PAYROLL_CONFIG_DIR: folder } })
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain(says)
  expect(ended.err).toContain('Set PAYROLL_CONFIG_DIR to another directory, one of your own.')
})

describe('an empty HOME', () => {
  test.each([{ HOME: 'relative' }])('is exit 2 for what needs a place: %j', async (env) => {
    const ended = await run(['--profile', 'sandbox', 'candidates', 'list'], { env })
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toBe(
      'Error: There is no directory for the settings: HOME is not set.\nSet HOME, or PAYROLL_CONFIG_DIR.\n',
    )
  })

  test('is no matter where the environment says it all, nor for help', async () => {
    const { env } = await loopback()
    const listed = await run(['--quiet', 'candidates', 'list'], { env: { ...env, HOME: '' } })
    expect(listed).toEqual({ code: 0, signal: null, out: '[]\n', err: '' })
    expect((await run(['--help'], { env: { HOME: '' } })).code).toBe(0)
  })
})

describe('under env -i with PATH and HOME alone', () => {
  test('works in the sandbox, and keeps it below HOME', async () => {
    const home = freshHome()
    const make = ['--profile', 'sandbox', 'candidates', 'create', '--incomplete', '--ireland', '--json']
    const made = await run([...make, '--set', 'generalSetting.forename=Zoë'], { home })
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out).forename).toBe('Zoë')
    expect(readdirSync(home)).toEqual(['.config'])
    expect(readdirSync(join(home, '.config'))).toEqual(['payroll'])
  })

  test('is painted with FORCE_COLOR alone', async () => {
    const table = (env: Record<string, string>) => run(['profiles', 'list', '-o', 'table'], { env })
    expect((await table({ FORCE_COLOR: '1' })).out).toContain('\u001B[1mname')
    for (const env of [{}, { FORCE_COLOR: '0' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
      expect((await table(env)).out).not.toContain('\u001B')
    }
  })

  test('keeps its settings in XDG_CONFIG_HOME or PAYROLL_CONFIG_DIR where they say so', async () => {
    const [home, xdg, own] = [freshHome(), freshHome(), freshHome()]
    await shell(seed, { home, env: { XDG_CONFIG_HOME: xdg } }).ended
    expect(readdirSync(xdg)).toEqual(['payroll'])
    await shell(seed, { home, env: { XDG_CONFIG_HOME: xdg, PAYROLL_CONFIG_DIR: join(own, 'here') } }).ended
    expect(readdirSync(join(own, 'here'))).toContain('sandbox.db')
    expect(readdirSync(home)).toEqual([])
  })
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
